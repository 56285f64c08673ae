//===- FirstRounds.cpp - What tells how long rows are ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FirstRounds.h"
#include "dlopt/Compat.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Rematerialize.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// The loop whose rounds \p V, a value in it, counts from 0 on.
static const Loop *getCountedLoop(Value *V, ScalarEvolution &SE) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !I->getType()->isIntegerTy())
    return nullptr;
  auto *Rounds = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(V));
  return Rounds && Rounds->isAffine() && Rounds->getStart()->isZero() &&
                 Rounds->getStepRecurrence(SE)->isOne() &&
                 Rounds->getLoop()->contains(I)
             ? Rounds->getLoop()
             : nullptr;
}

bool FirstRounds::walk() { return walkLoop(L) && isComplete(); }

/// What runs in each round of \p X dominates its end.
bool FirstRounds::walkLoop(const Loop &X) {
  BasicBlock *Header = X.getHeader(), *Latch = X.getLoopLatch();
  // What is tested behind the round runs once without a test.
  if (!Latch || Latch == Header || !X.isLoopExiting(Header))
    return false;
  Events.push_back({Event::Enter, &X});
  Way.insert({Header, Way.size()});
  if (!addCount(X))
    return false;
  SmallVector<BasicBlock *, 8> Blocks;
  for (auto *N = DT.getNode(Latch); N->getBlock() != Header; N = N->getIDom())
    Blocks.push_back(N->getBlock());
  for (BasicBlock *BB : reverse(Blocks)) {
    const Loop *Inner = LI.getLoopFor(BB);
    bool Ok = Inner == &X ? walkBlock(BB, X)
                          : Inner->getParentLoop() == &X &&
                                Inner->getHeader() == BB && walkLoop(*Inner);
    if (!Ok)
      return false;
  }
  Events.push_back({Event::Leave, &X});
  return true;
}

bool FirstRounds::walkBlock(BasicBlock *BB, const Loop &X) {
  Way.insert({BB, Way.size()});
  for (Instruction &I : *BB)
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      Events.push_back({Event::Write, &X});
      Events.back().Store = Store;
    }
  for (BasicBlock *To : successors(BB)) {
    if (X.contains(To))
      continue;
    auto *Br = dyn_cast<CondBrInst>(BB->getTerminator());
    if (L.contains(To) || !Br)
      return false;
    Events.push_back({Event::Check, &X, Br});
    return addCheck(Br->getCondition(), Br->getSuccessor(0) == To);
  }
  return true;
}

/// Whether nothing is left beside the way: conditions may keep a round from
/// writing something, but not from a loop or the end of the nest.
bool FirstRounds::isComplete() const {
  return all_of(L.blocks(), [&](const BasicBlock *BB) {
    return Way.contains(BB) ||
           (!LI.isLoopHeader(BB) &&
            all_of(successors(BB),
                   [&](const BasicBlock *To) { return L.contains(To); }));
  });
}

bool FirstRounds::addCount(const Loop &X) {
  std::optional<RoundCount> Count =
      getCount(X, [&](Value *Bound) { return isKnown(Bound); });
  if (!Count)
    return false;
  Counts[&X] = *Count;
  return true;
}

/// Of an index that is compared with something, its last value tells.
static const Loop *matchIndex(ICmpInst &C, bool Leaves, ScalarEvolution &SE,
                              Value *&Bound) {
  auto Stays = Leaves ? C.getInversePredicate() : C.getPredicate();
  Value *Index = C.getOperand(0);
  Bound = C.getOperand(1);
  if (ICmpInst::isGT(Stays)) {
    std::swap(Index, Bound);
    Stays = ICmpInst::getSwappedPredicate(Stays);
  }
  return ICmpInst::isLT(Stays) ? getCountedLoop(Index, SE) : nullptr;
}

bool FirstRounds::addCheck(Value *Cond, bool Leaves) {
  Value *A, *B;
  if (Leaves ? match(Cond, m_LogicalOr(m_Value(A), m_Value(B)))
             : match(Cond, m_LogicalAnd(m_Value(A), m_Value(B))))
    return addCheck(A, Leaves) && addCheck(B, Leaves);
  auto *C = dyn_cast<ICmpInst>(Cond);
  Value *Bound;
  if (const Loop *X = C ? matchIndex(*C, Leaves, SE, Bound) : nullptr;
      X && L.contains(X))
    return Counts.contains(X) && isKnown(Bound);
  return isKnown(Cond);
}

bool FirstRounds::isLength(const Instruction *I) const {
  return isMeasure(I) && all_of(I->users(), [&](const User *U) {
           return isMeasure(cast<Instruction>(U));
         });
}

static bool canCopy(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Load   ? Load->isSimple()
         : Call ? Call->doesNotAccessMemory() && Call->willReturn() &&
                      !Call->isConvergent()
                : isa<BinaryOperator, CastInst, CmpInst, SelectInst,
                      GetElementPtrInst>(I);
}

/// Whether \p V, which can be copied, does not change with the rounds.
bool FirstRounds::isFixed(Value *V) const {
  SmallVector<Value *, 8> Todo = {V};
  SmallPtrSet<Value *, 8> Seen;
  while (!Todo.empty()) {
    auto *I = dyn_cast<Instruction>(Todo.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (isa<PHINode>(I))
      return false;
    append_range(Todo, I->operand_values());
  }
  return true;
}

bool FirstRounds::isKnown(Value *V, unsigned Depth) {
  constexpr unsigned MostOperations = 32;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) ||
      any_of(Lengths, [&](const Length &X) { return X.V == I; }))
    return true;
  SmallVector<Instruction *, 8> Todo = {I};
  SmallSetVector<Instruction *, 16> Seen;
  SmallPtrSet<const Loop *, 2> Rounds;
  SmallVector<LoadInst *, 4> Loads;
  bool CanCopy = true;
  while (!Todo.empty() && CanCopy) {
    Instruction *Next = Todo.pop_back_val();
    if (!Seen.insert(Next))
      continue;
    if (isa<PHINode>(Next)) {
      const Loop *X = getCountedLoop(Next, SE);
      CanCopy = Counts.contains(X) && X->getHeader() == Next->getParent();
      Rounds.insert(X);
      continue;
    }
    if (auto *Load = dyn_cast<LoadInst>(Next))
      Loads.push_back(Load);
    CanCopy &= canCopy(*Next) && Seen.size() <= MostOperations;
    for (Value *Op : Next->operands())
      if (auto *From = dyn_cast<Instruction>(Op); From && L.contains(From))
        Todo.push_back(From);
  }
  // Rows are compared by their lengths. A pointer is not replaced by an equal
  // one, nor 0.0 by -0.0.
  if (CanCopy && (Rounds.empty() || (Rounds.size() == 1 && !Loads.empty() &&
                                     I->getType()->isIntegerTy()))) {
    bool Ok = all_of(Loads, [&](LoadInst *Load) {
      RowTable T;
      Value *Index;
      if (isFixed(Load->getPointerOperand()))
        T = {Load->getPointerOperand(), 0, 0, nullptr,
             int64_t(F.getDataLayout().getTypeStoreSize(Load->getType()))};
      else if (!matchTable(*Load, T, Index) || !isFixed(T.Base) ||
               readsBehind(*Load, **Rounds.begin()))
        return false;
      return isOnWay(Load->getParent()) && addTable(*Load, T);
    });
    if (!Ok)
      return false;
    if (Loads.empty())
      return true;
    Measures.insert(Seen.begin(), Seen.end());
    Events.back().Lengths.push_back(Lengths.size());
    Lengths.push_back({I, Rounds.empty() ? nullptr : *Rounds.begin()});
    return true;
  }
  // The smaller one of two lengths.
  constexpr unsigned MostDepth = 4;
  return Depth < MostDepth && !isa<LoadInst>(I) && canCopy(*I) &&
         all_of(
             I->operands(), [&](Value *Op) { return isKnown(Op, Depth + 1); });
}

bool FirstRounds::matchTable(const LoadInst &Load, RowTable &T,
                             Value *&Index) const {
  const DataLayout &DL = F.getDataLayout();
  APInt Offset(64, 0);
  Value *Ptr = const_cast<Value *>(Load.getPointerOperand())
                   ->stripAndAccumulateConstantOffsets(
                       DL, Offset, /*AllowNonInbounds=*/true);
  T.Base = Ptr;
  T.Offset = Offset.getSExtValue();
  T.Size = DL.getTypeStoreSize(Load.getType());
  auto *GEP = dyn_cast<GEPOperator>(Ptr);
  OffsetMap Variable;
  APInt Constant(64, 0);
  if (!GEP || !GEP->collectOffset(DL, 64, Variable, Constant) ||
      Variable.size() != 1)
    return false;
  T.Offset += Constant.getSExtValue();
  T.Base = GEP->getPointerOperand();
  Index = Variable.front().first;
  T.Step = Variable.front().second.getSExtValue();
  // From another index than 0 on it is none whose end is known.
  T.Rounds = getCountedLoop(Index, SE);
  return Index->getType()->isIntegerTy(64);
}

bool FirstRounds::isWritten(const LoadInst &Load, const Value *Array,
                            const Instruction &By) const {
  auto Where =
      MemoryLocation::getBeforeOrAfter(Array, Scopes.getTagsInAllRounds(Load));
  return isModSet(AA.getModRefInfo(&By, Where));
}

bool FirstRounds::comesBefore(const Instruction &A,
                              const Instruction &B) const {
  const BasicBlock *OfA = A.getParent(), *OfB = B.getParent();
  return OfA == OfB ? A.comesBefore(&B) : Way.lookup(OfA) < Way.lookup(OfB);
}

bool FirstRounds::addTable(const LoadInst &Load, const RowTable &T) {
  if (DLOPT_PLANTED(RowTableChanges))
    return true;
  bool HasEnd = T.Step == 0 || (T.Step > 0 && Counts.contains(T.Rounds));
  bool IsWritten = false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (!I.mayWriteToMemory())
        continue;
      if (!isWritten(Load, T.Base, I))
        continue;
      auto *Store = dyn_cast<StoreInst>(&I);
      // Where something is written the address of the table is known.
      if (!Store || !HasEnd || (isOnWay(BB) && !comesBefore(Load, *Store)))
        return false;
      Writers.insert(Store);
      IsWritten = true;
    }
  if (IsWritten)
    Tables.push_back(T);
  return true;
}

/// Whether \p V needs nothing of the loops but the index of \p X.
bool FirstRounds::followsIndex(Value *V, const Loop &X) const {
  SmallVector<Value *, 8> Todo = {V};
  SmallPtrSet<Value *, 8> Seen;
  while (!Todo.empty()) {
    auto *I = dyn_cast<Instruction>(Todo.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (!isa<PHINode>(I))
      append_range(Todo, I->operand_values());
    else if (I->getParent() != X.getHeader() || getCountedLoop(I, SE) != &X)
      return false;
  }
  return true;
}

bool FirstRounds::addWrites(
    const SmallMapVector<LoadInst *, const Loop *, 4> &Rows) {
  for (StoreInst *Store : Writers) {
    const SCEV *To = SE.getSCEV(Store->getPointerOperand());
    auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(To));
    auto *Row = Base ? dyn_cast<LoadInst>(Base->getValue()) : nullptr;
    const BasicBlock *BB = Store->getParent();
    if (!Row || !Rows.contains(Row) || !followsIndex(Row, *Rows.lookup(Row)) ||
        !isOnWay(BB) || LI.isLoopHeader(BB))
      return false;
    Write W = {Store, Row, Rows.lookup(Row), nullptr,
               int64_t(F.getDataLayout().getTypeStoreSize(
                   Store->getValueOperand()->getType()))};
    const SCEV *Bytes = SE.getMinusSCEV(To, Base);
    if (auto *Columns = dyn_cast<SCEVAddRecExpr>(Bytes)) {
      W.Columns = Columns->getLoop();
      auto *Step = dyn_cast<SCEVConstant>(Columns->getStepRecurrence(SE));
      // Behind the loop it is the element behind the columns.
      if (!Columns->isAffine() || !Step || Step->getAPInt() != W.Size ||
          !Counts.contains(W.Columns) || !W.Columns->contains(Store))
        return false;
      Bytes = Columns->getStart();
    }
    if (!Bytes->isZero())
      return false;
    Writes.push_back(W);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Emitting
//===----------------------------------------------------------------------===//

void FirstRounds::emitBranch(IRBuilder<> &B, BasicBlock *Main,
                             const char *Name) {
  if (!Pending)
    return;
  auto *Next = BasicBlock::Create(F.getContext(), Name, &F, Place);
  B.CreateCondBr(Pending, Next, Main);
  B.SetInsertPoint(Next);
  Pending = nullptr;
}

void FirstRounds::require(IRBuilder<> &B, Value *Bit) {
  Bit = B.CreateFreeze(Bit);
  Pending = Pending ? B.CreateAnd(Pending, Bit) : Bit;
}

Value *FirstRounds::emitCopy(IRBuilder<> &B, Value *V) {
  auto GetFirst = [](PHINode &) -> Value * {
    llvm_unreachable("what is known has no other phis than indices");
  };
  return copyFirstRound(
      B, V, [&](const BasicBlock *BB) { return L.contains(BB); }, GetFirst,
      Copies);
}

Value *FirstRounds::emitCheck(IRBuilder<> &B, Value *Cond, bool Leaves) {
  Value *X, *Y;
  if (Leaves ? match(Cond, m_LogicalOr(m_Value(X), m_Value(Y)))
             : match(Cond, m_LogicalAnd(m_Value(X), m_Value(Y)))) {
    Value *First = emitCheck(B, X, Leaves);
    return B.CreateAnd(First, emitCheck(B, Y, Leaves));
  }
  auto *C = dyn_cast<ICmpInst>(Cond);
  Value *Bound;
  if (const Loop *Rounds = C ? matchIndex(*C, Leaves, SE, Bound) : nullptr;
      Rounds && L.contains(Rounds)) {
    Value *Count = Counts[Rounds].V;
    Bound = B.CreateIntCast(emitCopy(B, Bound), B.getInt64Ty(), C->isSigned());
    if (!C->isSigned())
      return B.CreateICmpULE(Count, Bound);
    return B.CreateAnd(B.CreateICmpSGE(Count, B.getInt64(0)),
                       B.CreateICmpSLE(Count, Bound));
  }
  Value *Bit = emitCopy(B, Cond);
  return Leaves ? B.CreateNot(Bit) : Bit;
}

/// Whether \p W, of the row at \p Row, writes nothing of the tables.
Value *FirstRounds::emitApart(IRBuilder<> &B, const Write &W, Value *Row) {
  Type *Int = B.getInt64Ty();
  auto GetBytes = [&](const Loop *X, int64_t Step, int64_t Size) -> Value * {
    if (!X)
      return B.getInt64(Size);
    Value *Last = B.CreateSub(Counts[X].V, B.getInt64(1));
    return B.CreateAdd(B.CreateMul(Last, B.getInt64(Step)), B.getInt64(Size));
  };
  Value *From = B.CreatePtrToInt(Row, Int);
  Value *To = B.CreateAdd(From, GetBytes(W.Columns, W.Size, W.Size));
  Value *Apart = B.getTrue();
  if (DLOPT_PLANTED(TableWritesUnasked))
    return Apart;
  for (const RowTable &T : Tables) {
    Value *Begin = B.CreateAdd(B.CreatePtrToInt(emitCopy(B, T.Base), Int),
                               B.getInt64(T.Offset));
    Value *End = B.CreateAdd(Begin, GetBytes(T.Rounds, T.Step, T.Size));
    Apart = B.CreateAnd(Apart, B.CreateOr(B.CreateICmpULE(To, Begin),
                                          B.CreateICmpULE(End, From)));
  }
  return Apart;
}

/// The rows behind the first one that \p X goes over: whether they are as long,
/// and none is written over a table.
void FirstRounds::emitRows(IRBuilder<> &B, const Loop &X, BasicBlock *Main) {
  auto IsRow = [&](const auto &Item) { return Item.Rounds == &X; };
  if (none_of(Lengths, IsRow) && none_of(Writes, IsRow))
    return;
  emitBranch(B, Main, "rows.first");
  LLVMContext &C = F.getContext();
  BasicBlock *Before = B.GetInsertBlock();
  auto *Each = BasicBlock::Create(C, "rows.each", &F, Place);
  auto *Behind = BasicBlock::Create(C, "rows.behind", &F, Place);
  Value *Count = Counts[&X].V;
  B.CreateCondBr(B.CreateICmpUGT(Count, B.getInt64(1)), Each, Behind);
  B.SetInsertPoint(Each);
  PHINode *Index = B.CreatePHI(B.getInt64Ty(), 2);
  Index->addIncoming(B.getInt64(1), Before);
  DenseMap<const Value *, Value *> Others = Copies, Mine;
  for (PHINode &Phi : X.getHeader()->phis())
    if (getCountedLoop(&Phi, SE) == &X)
      Mine[&Phi] = B.CreateZExtOrTrunc(Index, Phi.getType());
  Copies = Mine;
  for (const Event &E : Events) {
    for (unsigned I : E.Lengths)
      if (IsRow(Lengths[I])) {
        emitBranch(B, Main, "rows.next");
        Value *Here = emitCopy(B, Lengths[I].V);
        require(B, DLOPT_PLANTED(RowLengthsUnasked)
                       ? B.getTrue()
                       : B.CreateICmpEQ(Here, Lengths[I].First));
      }
    for (const Write &W : Writes)
      if (W.Store == E.Store && IsRow(W)) {
        emitBranch(B, Main, "rows.next");
        Value *Row = emitCopy(B, W.Row);
        std::swap(Copies, Others);
        require(B, emitApart(B, W, Row));
        std::swap(Copies, Others);
      }
  }
  emitBranch(B, Main, "rows.next");
  Value *Next = B.CreateAdd(Index, B.getInt64(1));
  Index->addIncoming(Next, B.GetInsertBlock());
  auto *Br = B.CreateCondBr(B.CreateICmpULT(Next, Count), Each, Behind);
  Metadata *Tag = MDNode::get(C, MDString::get(C, OriginalLoopTag));
  MDNode *Id = MDNode::getDistinct(C, {nullptr, Tag});
  Id->replaceOperandWith(0, Id);
  Br->setMetadata(LLVMContext::MD_loop, Id);
  Copies = std::move(Others);
  B.SetInsertPoint(Behind);
}

/// In the first round indices are 0.
void FirstRounds::enterLoop(const Loop &X) {
  for (PHINode &Phi : X.getHeader()->phis())
    if (getCountedLoop(&Phi, SE) == &X)
      Copies[&Phi] = Constant::getNullValue(Phi.getType());
}

void FirstRounds::emitEnter(IRBuilder<> &B, const Loop &X, BasicBlock *Main) {
  RoundCount &Count = Counts[&X];
  if (!Count.V) {
    emitBranch(B, Main, "rounds.count");
    Value *V = emitCopy(B, Count.Bound);
    if (Count.Signed)
      V = B.CreateBinaryIntrinsic(Intrinsic::smax, V,
                                  Constant::getNullValue(V->getType()));
    Count.V = B.CreateZExt(V, B.getInt64Ty());
  }
  require(B, DLOPT_PLANTED(RowsReadUnasked)
                 ? B.getTrue()
                 : B.CreateICmpNE(Count.V, B.getInt64(0)));
}

void FirstRounds::emit(BasicBlock *Entry, BasicBlock *Test, BasicBlock *Main) {
  Place = Test;
  Entry->getTerminator()->eraseFromParent();
  IRBuilder<> B(Entry);
  for (const Event &E : Events) {
    if (E.K == Event::Enter)
      enterLoop(*E.X);
    for (unsigned I : E.Lengths) {
      emitBranch(B, Main, "rows.first");
      Lengths[I].First = emitCopy(B, Lengths[I].V);
    }
    if (E.K == Event::Enter) {
      emitEnter(B, *E.X, Main);
    } else if (E.K == Event::Check) {
      emitBranch(B, Main, "rows.check");
      Value *Stays = emitCheck(B, E.Br->getCondition(),
                               !L.contains(E.Br->getSuccessor(0)));
      require(B, DLOPT_PLANTED(RowCheckDropped) ? B.getTrue() : Stays);
    } else if (E.K == Event::Leave) {
      emitRows(B, *E.X, Main);
    }
    for (const Write &W : Writes)
      if (E.Store && W.Store == E.Store) {
        emitBranch(B, Main, "rows.first");
        require(B, emitApart(B, W, emitCopy(B, W.Row)));
      }
  }
  B.CreateCondBr(Pending ? Pending : B.getTrue(), Test, Main);
}

void FirstRounds::replaceLengths(ValueToValueMapTy &Map) {
  for (const Length &X : Lengths)
    if (auto *Copy = dyn_cast_or_null<Instruction>(Map.lookup(X.V))) {
      Copy->replaceAllUsesWith(X.First);
      RecursivelyDeleteTriviallyDeadInstructions(Copy);
    }
}

} // namespace dlopt
