//===- Rows.cpp - Matrices whose rows are an array of pointers ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In `float **A` and `std::vector<std::vector<float>>` each row is an array of
/// its own. Where rows are allocated one after the other they are equally far
/// apart in memory, nearly always, and then A[i][k] is A[0] + i * d + k:
///
///   if (all loops run && even(A, M) && even(B, K) && even(C, M))
///     the nest with offsets for addresses of rows, a kernel like any other
///   else
///     the nest
///
/// The copy has no access to the arrays of pointers, so nothing in the nest may
/// write to them: alias analysis must know (by the types, mostly). Whether rows
/// overlap is asked by the guard of the kernel.
///
/// even() is a function that is never inlined: where the rows come from
/// separate allocations, whoever knows that a row is one of them must not take
/// an offset of it for that allocation alone.
///
//===----------------------------------------------------------------------===//
#include "Rows.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Rematerialize.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {
namespace {

/// A load of the address of a row.
struct RowLoad {
  LoadInst *Load = nullptr;
  /// The address of pointer 0, distance of pointers in bytes, and the index,
  /// which starts with Start and goes up by one with the rounds of L.
  Value *Table = nullptr;
  int64_t Offset = 0, Step = 0;
  Value *Index = nullptr;
  const SCEVAddRecExpr *Rounds = nullptr;
  /// Of what is in the row.
  Type *ElemTy = nullptr;
  /// In front of the nest: Start as a value; in the copy: the row of index 0,
  /// and the distance of rows in elements.
  Value *Start = nullptr, *Base = nullptr, *Distance = nullptr;

  bool isSameTable(const RowLoad &O) const {
    return Table == O.Table && Offset == O.Offset && Step == O.Step &&
           Rounds == O.Rounds && ElemTy == O.ElemTy;
  }
};

/// How often a loop runs: an expression of values in front of the nest, or a
/// bound that is read in it (and below 0, if Signed, is none).
struct RoundCount {
  const SCEV *Known = nullptr;
  Value *Bound = nullptr;
  bool Signed = false;
  Value *V = nullptr; ///< i64
};

/// A copy of one nest.
class RowVersioner {
public:
  RowVersioner(Loop &L, Function &F, FunctionAnalysisManager &FAM)
      : L(L), F(F), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        AA(FAM.getResult<AAManager>(F)) {}
  /// Finds the rows; false if there are none or something is in the way.
  bool find();
  /// False if nothing changed.
  bool apply();

private:
  bool matchLoad(LoadInst &Load);
  bool isInvariant(Value *V, function_ref<bool(const LoadInst &)> IsRead);
  bool isInvariant(Value *V) {
    return isInvariant(V, [&](const LoadInst &I) { return isRead(I); });
  }
  std::optional<RoundCount> getCount(const Loop &X);
  bool isUnchanged(const LoadInst &Load, const Value *Array = nullptr);
  bool matchElements(RowLoad &R);
  bool countRounds(const BasicBlock *BB);
  bool isRead(const LoadInst &I);
  bool inNest(const BasicBlock *BB) const { return L.contains(BB); }
  bool readsRows(const Loop &X) const {
    return any_of(Rows, [&](const RowLoad &R) { return X.contains(R.Load); });
  }
  void markOriginal(Loop &X);
  Loop *copyNest(BasicBlock *Entry, BasicBlock *Main, ValueToValueMapTy &Map);
  void emitRuns(BasicBlock *Entry, BasicBlock *Test, BasicBlock *Main);
  Value *emitEven(IRBuilder<> &B, RowLoad &R);
  Value *copy(IRBuilderBase &B, Value *V) {
    return rematerialize(
        B, V, [&](const BasicBlock *BB) { return L.contains(BB); }, Copies);
  }

  Loop &L;
  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  AAResults &AA;
  SmallVector<RowLoad, 4> Rows;
  /// Of all loops around a load of a row.
  SmallMapVector<const Loop *, RoundCount, 4> Counts;
  /// What is computed again in front of the nest.
  DenseMap<const Value *, Value *> Copies;
};

} // namespace

/// Whether nothing in the nest writes what \p Load reads: in this round or, in
/// \p Array, in any other.
bool RowVersioner::isUnchanged(const LoadInst &Load, const Value *Array) {
  if (!Load.isSimple())
    return false;
  if (DLOPT_PLANTED(RowTableChanges))
    return true;
  MemoryLocation Where =
      Array ? MemoryLocation::getBeforeOrAfter(Array, Load.getAAMetadata())
            : MemoryLocation::get(&Load);
  return none_of(L.blocks(), [&](BasicBlock *BB) {
    return any_of(*BB, [&](Instruction &I) {
      return I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, Where));
    });
  });
}

/// Whether \p V has one value in the nest, which can be computed in front: if
/// that reads memory, the nest must read it too.
bool RowVersioner::isInvariant(Value *V,
                               function_ref<bool(const LoadInst &)> IsRead) {
  auto InRegion = [&](const BasicBlock *BB) { return L.contains(BB); };
  if (!canRematerialize(V, InRegion))
    return false;
  SmallVector<Value *, 8> Todo = {V};
  SmallPtrSet<Value *, 8> Seen;
  while (!Todo.empty()) {
    auto *I = dyn_cast<Instruction>(Todo.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I);
        Load && (!IsRead(*Load) || !isUnchanged(*Load)))
      return false;
    append_range(Todo, I->operand_values());
  }
  return true;
}

/// By the only test, which is in the header.
std::optional<RoundCount> RowVersioner::getCount(const Loop &X) {
  RoundCount R;
  R.Known = SE.getBackedgeTakenCount(&X);
  if (!isa<SCEVCouldNotCompute>(R.Known) && SE.isLoopInvariant(R.Known, &L) &&
      SE.getTypeSizeInBits(R.Known->getType()) <= 64)
    return R;
  R.Known = nullptr;
  auto *Br = dyn_cast<BranchInst>(X.getHeader()->getTerminator());
  CmpPredicate Pred;
  Value *Index;
  if (!Br || !Br->isConditional() ||
      !match(Br->getCondition(),
             m_ICmp(Pred, m_Value(Index), m_Value(R.Bound))) ||
      !R.Bound->getType()->isIntegerTy() ||
      R.Bound->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  auto *Rounds = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Index));
  if (!Rounds || Rounds->getLoop() != &X || !Rounds->isAffine() ||
      !Rounds->getStart()->isZero() || !Rounds->getStepRecurrence(SE)->isOne())
    return std::nullopt;
  if (!X.contains(Br->getSuccessor(0)))
    Pred = CmpInst::getInversePredicate(Pred);
  R.Signed = Pred == CmpInst::ICMP_SLT;
  if (!R.Signed && Pred != CmpInst::ICMP_ULT && Pred != CmpInst::ICMP_NE)
    return std::nullopt;
  auto IsRead = [&](const LoadInst &I) {
    return I.getParent() == X.getHeader() ||
           (LI.getLoopFor(I.getParent())->contains(&X) && isRead(I));
  };
  if (!isInvariant(R.Bound, IsRead))
    return std::nullopt;
  return R;
}

/// Whether \p BB is run in every round of all loops around it in the nest, and
/// how often these run is known in front of it.
bool RowVersioner::countRounds(const BasicBlock *BB) {
  for (const Loop *X = LI.getLoopFor(BB);; X = X->getParentLoop()) {
    BasicBlock *Header = X->getHeader(), *Latch = X->getLoopLatch();
    if (!Latch || X->getExitingBlock() != Header || BB == Header ||
        !DT.dominates(BB, Latch))
      return false;
    if (!Counts.contains(X)) {
      std::optional<RoundCount> Count = getCount(*X);
      if (!Count)
        return false;
      Counts[X] = *Count;
    }
    if (X == &L)
      return true;
    BB = Header;
  }
}

/// Whether \p I is executed where the loops of Counts run.
bool RowVersioner::isRead(const LoadInst &I) {
  // A header is entered even if its loop has no round.
  const BasicBlock *BB = I.getParent();
  const Loop *X = LI.getLoopFor(BB);
  if (BB != X->getHeader())
    return countRounds(BB);
  return X == &L || countRounds(X->getLoopPreheader());
}

/// Whether the row is only read and written as elements of one type.
bool RowVersioner::matchElements(RowLoad &R) {
  SmallVector<Value *, 8> Todo = {R.Load};
  SmallPtrSet<Value *, 8> Seen;
  while (!Todo.empty()) {
    Value *V = Todo.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (User *U : V->users()) {
      auto *I = cast<Instruction>(U);
      if (!L.contains(I) || Seen.size() > 32)
        return false;
      if (isa<GetElementPtrInst, PHINode>(I)) {
        Todo.push_back(I);
        continue;
      }
      auto *S = dyn_cast<StoreInst>(I);
      if (!isa<LoadInst>(I) && (!S || S->getValueOperand() == V))
        return false;
      Type *Ty = getLoadStoreType(I);
      if (!Ty->isFloatTy() && !Ty->isDoubleTy())
        return false;
      if (R.ElemTy && R.ElemTy != Ty)
        return false;
      R.ElemTy = Ty;
    }
  }
  return R.ElemTy;
}

/// False if \p Load is in the way.
bool RowVersioner::matchLoad(LoadInst &Load) {
  const DataLayout &DL = F.getDataLayout();
  RowLoad R;
  R.Load = &Load;
  APInt Offset(64, 0);
  Value *Ptr = Load.getPointerOperand()->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  R.Offset = Offset.getSExtValue();
  auto *GEP = dyn_cast<GEPOperator>(Ptr);
  SmallMapVector<Value *, APInt, 4> Variable;
  APInt Constant(64, 0);
  if (Load.getAlign() < Align(8) || !GEP ||
      !GEP->collectOffset(DL, 64, Variable, Constant) || Variable.size() != 1)
    return false;
  R.Offset += Constant.getSExtValue();
  R.Table = GEP->getPointerOperand();
  std::tie(R.Index, R.Step) =
      std::pair(Variable.front().first, Variable.front().second.getSExtValue());
  // One round of a loop in the nest is one row.
  R.Rounds = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(R.Index));
  if (!R.Rounds || !R.Index->getType()->isIntegerTy(64) ||
      !R.Rounds->isAffine() || !R.Rounds->getStepRecurrence(SE)->isOne() ||
      !L.contains(R.Rounds->getLoop()) ||
      !R.Rounds->getLoop()->contains(&Load) ||
      !SE.isLoopInvariant(R.Rounds->getStart(), &L))
    return false;
  if (!countRounds(Load.getParent()) || !isUnchanged(Load, R.Table) ||
      !isInvariant(R.Table) || !matchElements(R))
    return false;
  Rows.push_back(R);
  return true;
}

static bool multiplies(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *BB) {
    return any_of(*BB, [](const Instruction &I) {
      return I.getOpcode() == Instruction::FMul ||
             match(&I, m_Intrinsic<Intrinsic::fmuladd>()) ||
             match(&I, m_Intrinsic<Intrinsic::fma>());
    });
  });
}

static bool isRowLoad(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->getType()->isPointerTy() &&
         Load->getType()->getPointerAddressSpace() == 0 && !Load->use_empty();
}

bool RowVersioner::find() {
  if (!L.isLoopSimplifyForm() || L.isInnermost() || !multiplies(L) ||
      findOptionMDForLoop(&L, OriginalLoopTag))
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call && (Call->cannotDuplicate() || Call->isConvergent()))
        return false;
      if (isRowLoad(I) &&
          !isInvariant(&I, [](const LoadInst &) { return true; }) &&
          !matchLoad(cast<LoadInst>(I)))
        return false;
    }
  return !Rows.empty();
}

/// What reads rows is not raised again, unlike nests beside it.
void RowVersioner::markOriginal(Loop &X) {
  if (all_of(X, [&](Loop *Inner) { return readsRows(*Inner); }))
    addLoopFlag(X, OriginalLoopTag);
  for (Loop *Inner : X)
    if (readsRows(*Inner))
      markOriginal(*Inner);
}

/// The copy, whose preheader nothing leads to yet.
Loop *RowVersioner::copyNest(BasicBlock *Entry, BasicBlock *Main,
                             ValueToValueMapTy &Map) {
  SmallVector<BasicBlock *, 16> Blocks;
  Loop *New =
      cloneLoopWithPreheader(Main, Entry, &L, Map, ".even", &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  SmallVector<BasicBlock *, 2> Exits;
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      for (unsigned I = 0, E = Phi.getNumIncomingValues(); I != E; ++I) {
        BasicBlock *From = Phi.getIncomingBlock(I);
        if (!L.contains(From))
          continue;
        Value *V = Phi.getIncomingValue(I), *Copy = Map.lookup(V);
        Phi.addIncoming(Copy ? Copy : V, cast<BasicBlock>(Map[From]));
      }
  markOriginal(L);
  addLoopFlag(*New, EvenRowsTag);
  return New;
}

/// Whether the rows of \p R are equally far apart.
Value *RowVersioner::emitEven(IRBuilder<> &B, RowLoad &R) {
  Value *Offset = B.CreateAdd(B.CreateMul(R.Start, B.getInt64(R.Step)),
                              B.getInt64(R.Offset));
  CallInst *Even =
      B.CreateCall(getEvenRowsFunction(*F.getParent()),
                   {B.CreatePtrAdd(copy(B, R.Table), Offset),
                    B.getInt64(R.Step), Counts[R.Rounds->getLoop()].V});
  uint64_t Size = F.getDataLayout().getTypeStoreSize(R.ElemTy);
  Value *Bytes = B.CreateExtractValue(Even, 1);
  R.Distance = B.CreateSDiv(Bytes, B.getInt64(Size));
  R.Base = B.CreateGEP(R.ElemTy, B.CreateExtractValue(Even, 0),
                       B.CreateNeg(B.CreateMul(R.Start, R.Distance)));
  return B.CreateAnd(
      B.CreateExtractValue(Even, 2),
      B.CreateICmpEQ(B.CreateAnd(Bytes, B.getInt64(Size - 1)), B.getInt64(0)));
}

/// Goes to \p Test from \p Entry if all loops run, and to \p Main if one does
/// not. What a loop reads to know how often it runs is read where those around
/// it run.
void RowVersioner::emitRuns(BasicBlock *Entry, BasicBlock *Test,
                            BasicBlock *Main) {
  unsigned Deepest = 0;
  for (auto &[X, Count] : Counts)
    Deepest = std::max(Deepest, X->getLoopDepth());
  SmallVector<RoundCount *, 4> Loops;
  for (unsigned Depth = L.getLoopDepth(); Depth <= Deepest; ++Depth)
    for (auto &[X, Count] : Counts)
      if (X->getLoopDepth() == Depth)
        Loops.push_back(&Count);
  Entry->getTerminator()->eraseFromParent();
  IRBuilder<> B(Entry);
  Value *Runs = B.getTrue();
  for (RoundCount *Count : Loops) {
    if (!Count->V) {
      auto *Next = BasicBlock::Create(F.getContext(), "rows.count", &F, Test);
      B.CreateCondBr(Runs, Next, Main);
      B.SetInsertPoint(Next);
      Value *V = copy(B, Count->Bound);
      if (Count->Signed)
        V = B.CreateBinaryIntrinsic(Intrinsic::smax, V,
                                    Constant::getNullValue(V->getType()));
      Count->V = B.CreateZExt(V, B.getInt64Ty());
      Runs = B.getTrue();
    }
    Runs = B.CreateAnd(Runs,
                       B.CreateFreeze(B.CreateICmpNE(Count->V, B.getInt64(0))));
  }
  B.CreateCondBr(DLOPT_PLANTED(RowsReadUnasked) ? B.getTrue() : Runs, Test,
                 Main);
}

bool RowVersioner::apply() {
  BasicBlock *Entry = L.getLoopPreheader();
  SCEVExpander Expander(SE, "rows");
  auto IsSafe = [&](const SCEV *S) {
    return !S || Expander.isSafeToExpandAt(S, Entry->getTerminator());
  };
  if (!all_of(Counts, [&](auto &C) { return IsSafe(C.second.Known); }) ||
      !all_of(Rows, [&](RowLoad &R) { return IsSafe(R.Rounds->getStart()); }))
    return false;
  IRBuilder<> B(Entry->getTerminator());
  auto Expand = [&](const SCEV *S) {
    return B.CreateZExt(
        Expander.expandCodeFor(S, S->getType(), Entry->getTerminator()),
        B.getInt64Ty());
  };
  for (auto &[X, Count] : Counts)
    if (Count.Known)
      Count.V = Expand(Count.Known);
  for (RowLoad &R : Rows)
    R.Start = Expand(R.Rounds->getStart());
  // The copies get the preheader's instructions, too: it has none.
  BasicBlock *Main = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  BasicBlock *Test = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  ValueToValueMapTy Map;
  Loop *Fast = copyNest(Test, Main, Map);
  emitRuns(Entry, Test, Main);

  Instruction *Old = Test->getTerminator();
  B.SetInsertPoint(Old);
  Value *Even = B.getTrue();
  for (unsigned I = 0; I != Rows.size(); ++I) {
    auto *Same = find_if(ArrayRef(Rows).take_front(I), [&](const RowLoad &O) {
      return O.isSameTable(Rows[I]);
    });
    if (Same != Rows.begin() + I) {
      Rows[I].Base = Same->Base;
      Rows[I].Distance = Same->Distance;
      continue;
    }
    Even = B.CreateAnd(Even, emitEven(B, Rows[I]));
  }
  B.CreateCondBr(Even, Fast->getLoopPreheader(), Main);
  Old->eraseFromParent();

  for (RowLoad &R : Rows) {
    auto *Copy = cast<Instruction>(Map[R.Load]);
    Value *Index = Map.lookup(R.Index);
    IRBuilder<> At(Copy);
    Value *Offset = At.CreateMul(Index ? Index : R.Index, R.Distance);
    Copy->replaceAllUsesWith(At.CreateGEP(R.ElemTy, R.Base, Offset));
    Copy->eraseFromParent();
  }
  return true;
}

bool assumeEvenRows(Function &F, FunctionAnalysisManager &FAM) {
  bool Changed = false;
  if (F.getDataLayout().getIndexSizeInBits(0) != 64)
    return false;
  SmallVector<Loop *, 8> Todo;
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  for (Loop *L : LI)
    Todo.push_back(L);
  while (!Todo.empty()) {
    Loop *L = Todo.pop_back_val();
    RowVersioner V(*L, F, FAM);
    if (!V.find() || !V.apply()) {
      append_range(Todo, *L);
      continue;
    }
    Changed = true;
    FAM.getResult<DominatorTreeAnalysis>(F).recalculate(F);
    FAM.getResult<ScalarEvolutionAnalysis>(F).forgetAllLoops();
  }
  return Changed;
}

bool loadsRows(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  return any_of(LI, [&](const Loop *L) {
    return !L->isInnermost() && multiplies(*L) &&
           any_of(L->blocks(), [&](const BasicBlock *BB) {
             return any_of(*BB, [&](const Instruction &I) {
               return isRowLoad(I) &&
                      !L->isLoopInvariant(
                          cast<LoadInst>(I).getPointerOperand());
             });
           });
  });
}

bool hasEvenRows(const Loop &L) {
  auto IsTagged = [](const Loop *X) {
    return findOptionMDForLoop(X, EvenRowsTag) != nullptr;
  };
  for (const Loop *X = L.getParentLoop(); X; X = X->getParentLoop())
    if (IsTagged(X))
      return true;
  return any_of(L.getLoopsInPreorder(), IsTagged);
}

} // namespace dlopt
