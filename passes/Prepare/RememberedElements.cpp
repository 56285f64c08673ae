//===- RememberedElements.cpp - Elements at positions that were found -----===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is read at a position that is remembered was read before, in the round
/// in which the position was taken, if nothing writes it in between: whatever
/// the comparison says of it, it is the same value.
///
/// The address at the remembered position must be that of an element of the
/// round if the position is the one that the round takes, and have no other
/// part that changes in the loop. What a search starts with is read in front of
/// the loop, behind a copy of the loop's test, of which nothing in the loop may
/// write what it reads: each round reads an element at the remembered position,
/// and the first one at the start. Where what surely runs behind the loop reads
/// an element there, too, that is what is remembered, and there is no test.
///
//===----------------------------------------------------------------------===//
#include "Remembered.h"
#include "dlopt/AliasScopes.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Rematerialize.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace dlopt {

namespace {

/// Copies what the first round of a loop computes, to the end of its preheader.
class FirstRound {
public:
  FirstRound(const Loop &L, Instruction *At) : L(L), At(At) {}
  bool canCopy(Value *V);
  Value *copy(Value *V);
  void moveTo(Instruction *Place) { At = Place; }
  /// Copies run where the loop has no round: nothing holds for them that
  /// only rounds ask for.
  void runWithoutRounds();
  /// Of what can be copied, what is read, and whether all that it takes is
  /// there at the end of \p BB.
  ArrayRef<const LoadInst *> getReads() const { return Reads; }
  bool isKnownIn(const BasicBlock &BB, const DominatorTree &DT) const;

private:
  const Loop &L;
  Instruction *At;
  SmallVector<const LoadInst *, 2> Reads;
  SmallPtrSet<Value *, 8> Checked;
  DenseMap<const Value *, Value *> Copies;
};

/// One remembered position of one loop.
class ElementKeeper {
public:
  ElementKeeper(Loop &L, const DominatorTree &DT, Remembered R)
      : L(L), DT(DT), R(std::move(R)) {}
  /// Without analyses that cost something.
  bool mayApply() { return findLoads() && isReadInFirstRound(); }
  bool run(ScalarEvolution &Evolution, AAResults &Aliases);

private:
  bool findLoads();
  bool isReadInFirstRound() const;
  bool isSettled(const SCEV *S);
  bool isUnwritten(const LoadInst &Load);
  const SCEV *getAddress(const SCEV *Position);
  bool findTaken();
  bool isKnownBehind(const Instruction &Choice) const;
  void findReadsBehind(const FirstRound &First);
  using ValuePair = std::pair<const Value *, const Value *>;
  bool isSameBehind(const Value *X, const Value *Y, const Instruction *At) {
    SmallDenseSet<ValuePair, 8> Same;
    return isSameBehind({X, Y}, At, Same);
  }
  bool isSameBehind(ValuePair Pair, const Instruction *At,
                    SmallDenseSet<ValuePair, 8> &Same) const;
  bool isReadWithoutRounds();
  void findJoined(const FirstRound &First);
  Value *readStart(FirstRound &First);
  Value *getElementBehind(Instruction *I, Value *Start);
  Value *getElement(const Use &U);
  void addElements(Value *Start);

  Loop &L;
  const DominatorTree &DT;
  Remembered R;
  ScalarEvolution *SE = nullptr;
  AAResults *AA = nullptr;
  std::optional<RoundScopes> Scopes;
  /// A load at the position of the phi, in the header if there is one.
  LoadInst *AtPhi = nullptr;
  const SCEVUnknown *Position = nullptr;
  SmallVector<std::pair<LoadInst *, Instruction *>, 4> Loads; ///< of a choice
  DenseMap<const Use *, LoadInst *> Taken; ///< what is at a position taken
  Sequel Behind;
  /// Where Behind joins, a phi of the start and what the loop found.
  MapVector<Instruction *, Instruction *> Joined; ///< with the choice
  SmallVector<std::pair<LoadInst *, Instruction *>, 2> ReadsBehind;
  DenseMap<Instruction *, Value *> Elements;
};

} // namespace

bool FirstRound::canCopy(Value *V) {
  if (!Checked.insert(V).second)
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (auto *P = dyn_cast<PHINode>(I))
    return P->getParent() == L.getHeader() &&
           canCopy(P->getIncomingValueForBlock(L.getLoopPreheader()));
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    Reads.push_back(Load);
    if (!Load->isSimple())
      return false;
  } else if (isa<CallBase>(I) || !isSafeToSpeculativelyExecute(I)) {
    return false;
  }
  return all_of(I->operands(), [&](Value *Op) { return canCopy(Op); });
}

bool FirstRound::isKnownIn(const BasicBlock &BB,
                           const DominatorTree &DT) const {
  return all_of(Checked, [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return !I || L.contains(I) || DT.dominates(I, BB.getTerminator());
  });
}

Value *FirstRound::copy(Value *V) {
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(DebugLoc());
  return copyFirstRound(
      B, V, [&](const BasicBlock *BB) { return L.contains(BB); },
      [&](PHINode &P) {
        return P.getIncomingValueForBlock(L.getLoopPreheader());
      },
      Copies);
}

void FirstRound::runWithoutRounds() {
  for (Value *V : make_second_range(Copies)) {
    auto *I = cast<Instruction>(V);
    I->dropPoisonGeneratingMetadata();
    if (isa<GetElementPtrInst>(I))
      I->dropPoisonGeneratingFlags();
  }
}

/// Finds what is read at a remembered position.
bool ElementKeeper::findLoads() {
  constexpr size_t MostValues = 64;
  auto Add = [&](LoadInst *Load, Instruction *Choice) {
    if (!Load->isSimple() || (AtPhi && Load->getType() != AtPhi->getType()))
      return;
    if (Choice == R.Phi && (!AtPhi || Load->getParent() == L.getHeader()))
      AtPhi = Load;
    Loads.push_back({Load, Choice});
  };
  for (Instruction *Choice : R.Choices) {
    SmallSetVector<Instruction *, 8> Values;
    Values.insert(Choice);
    for (size_t I = 0; I != Values.size() && I != MostValues; ++I)
      for (User *U : Values[I]->users()) {
        auto *X = cast<Instruction>(U);
        if (!L.contains(X))
          continue;
        if (auto *Load = dyn_cast<LoadInst>(X))
          Add(Load, Choice);
        else if (isa<GetElementPtrInst, CastInst, BinaryOperator>(X))
          Values.insert(X);
      }
    if (!AtPhi)
      return false;
  }
  return true;
}

/// Whether each round of the loop, which has no other way out than its test,
/// reads what is remembered.
bool ElementKeeper::isReadInFirstRound() const {
  BasicBlock *Exiting = L.getExitingBlock();
  auto *Br = Exiting ? dyn_cast<CondBrInst>(Exiting->getTerminator()) : nullptr;
  if (!L.isInnermost() || !Br ||
      (Exiting != L.getHeader() && Exiting != L.getLoopLatch()) ||
      !DT.dominates(AtPhi->getParent(), L.getLoopLatch()))
    return false;
  return all_of(L.blocks(), [](const BasicBlock *BB) {
    return all_of(*BB, [](const Instruction &I) {
      return isGuaranteedToTransferExecutionToSuccessor(&I);
    });
  });
}

/// Whether nothing in the loop writes what \p Load reads, in whatever round.
bool ElementKeeper::isUnwritten(const LoadInst &Load) {
  BatchAAResults BAA(*AA);
  BAA.enableCrossIterationMode();
  MemoryLocation Loc = MemoryLocation::getBeforeOrAfter(
      Load.getPointerOperand(), Scopes->getTagsInAllRounds(Load));
  return none_of(L.blocks(), [&](const BasicBlock *BB) {
    return any_of(*BB, [&](const Instruction &I) {
      return I.mayWriteToMemory() && isModSet(BAA.getModRefInfo(&I, Loc)) &&
             !DLOPT_PLANTED(WrittenElementRemembered);
    });
  });
}

/// Whether \p Address changes in the loop with the remembered position alone.
bool ElementKeeper::isSettled(const SCEV *Address) {
  auto Changes = [&](const SCEV *X) {
    if (auto *Steps = dyn_cast<SCEVAddRecExpr>(X))
      return Steps->getLoop() == &L;
    auto *U = dyn_cast<SCEVUnknown>(X);
    if (!U || U == Position || SE->isLoopInvariant(U, &L))
      return false;
    auto *Load = dyn_cast<LoadInst>(U->getValue());
    return !Load || !Load->isSimple() || !isUnwritten(*Load) ||
           !SE->isLoopInvariant(SE->getSCEV(Load->getPointerOperand()), &L);
  };
  return !SCEVExprContains(Address, Changes);
}

/// Where the element at \p At is.
const SCEV *ElementKeeper::getAddress(const SCEV *At) {
  ValueToSCEVMapTy Map;
  Map[R.Phi] = At;
  return SCEVParameterRewriter::rewrite(SE->getSCEV(AtPhi->getPointerOperand()),
                                        *SE, Map);
}

/// Finds loads of what is at the positions that a round may take, where these
/// are taken.
bool ElementKeeper::findTaken() {
  SmallVector<std::pair<LoadInst *, const SCEV *>, 8> Known;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load && Load->isSimple() && Load->getType() == AtPhi->getType())
        Known.push_back({Load, SE->getSCEV(Load->getPointerOperand())});
  return all_of(R.Taken, [&](const Use *U) {
    const SCEV *Address = getAddress(SE->getSCEV(*U));
    auto It = find_if(Known, [&](const auto &X) {
      return (X.second == Address || DLOPT_PLANTED(OtherElementTaken)) &&
             DT.dominates(X.first, getPlaceOf(*U));
    });
    if (It != Known.end())
      Taken[U] = It->first;
    return It != Known.end();
  });
}

/// Whether each round in which the loop may end has made \p Choice.
bool ElementKeeper::isKnownBehind(const Instruction &Choice) const {
  return DT.dominates(&Choice, L.getExitingBlock()->getTerminator());
}

/// Finds phis that are where the search started if it was not made, and else
/// what it found.
void ElementKeeper::findJoined(const FirstRound &First) {
  if (!First.isKnownIn(*Behind.Fork, DT))
    return;
  for (PHINode &Q : Behind.Join->phis()) {
    Value *Other = Q.getIncomingValueForBlock(Behind.Fork);
    if (Q.getType() != R.Phi->getType() || Other != R.getStart(L))
      continue;
    Value *Found =
        Q.getIncomingValue(Q.getIncomingBlock(0) == Behind.Fork ? 1 : 0);
    for (Instruction *Choice : R.Choices)
      if (isKnownBehind(*Choice) && SE->getSCEV(Found) == SE->getSCEV(Choice))
        Joined[&Q] = Choice;
  }
}

/// Finds what is read at the remembered position behind the loop, before
/// anything might write it.
void ElementKeeper::findReadsBehind(const FirstRound &First) {
  if (First.getReads().size() != 1)
    return;
  Behind = getSequel(L);
  BatchAAResults BAA(*AA);
  SmallVector<Instruction *, 4> Writes;
  SmallVector<std::pair<const SCEV *, Instruction *>, 4> Known;
  auto AddKnown = [&](Instruction *At) {
    Known.push_back({getAddress(SE->getSCEV(At)), At});
  };
  for (Instruction *Choice : R.Choices)
    if (isKnownBehind(*Choice))
      AddKnown(Choice);
  for (BasicBlock *BB : Behind.Blocks) {
    if (BB == Behind.Join) {
      findJoined(First);
      // The loop may not have run.
      Known.clear();
      for_each(make_first_range(Joined), AddKnown);
    }
    for (Instruction &I : *BB) {
      if (!isGuaranteedToTransferExecutionToSuccessor(&I))
        return;
      if (I.mayWriteToMemory())
        Writes.push_back(&I);
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple() || Load->getType() != AtPhi->getType())
        continue;
      const SCEV *Address = SE->getSCEV(Load->getPointerOperand());
      auto It = find_if(Known, [&](auto &X) { return X.first == Address; });
      if (It != Known.end() && isUnwritten(*Load) &&
          none_of(Writes, [&](Instruction *W) {
            return isModSet(BAA.getModRefInfo(W, MemoryLocation::get(Load)));
          }))
        ReadsBehind.push_back({Load, It->second});
    }
  }
}

/// Whether \p Y computes of \p At what \p X does of the position in a round,
/// and is poison where X is. Flags of address computations do not count. \p
/// Same: what is known to be, or looked at already.
bool ElementKeeper::isSameBehind(ValuePair Pair, const Instruction *At,
                                 SmallDenseSet<ValuePair, 8> &Same) const {
  auto [X, Y] = Pair;
  if (!Same.insert(Pair).second)
    return true;
  auto *Exit = dyn_cast<PHINode>(Y);
  if (Exit && Exit->getNumIncomingValues() == 1)
    return isSameBehind({X, Exit->getIncomingValue(0)}, At, Same);
  if (X == R.Phi)
    return Y == At;
  auto *I = dyn_cast<Instruction>(X);
  if (!I || !L.contains(I))
    return X == Y;
  auto *J = dyn_cast<Instruction>(Y);
  return J && !isa<PHINode>(I) &&
         (isa<GetElementPtrInst>(I) ||
          I->getRawSubclassOptionalData() == J->getRawSubclassOptionalData()) &&
         I->isSameOperationAs(J, Instruction::CompareIgnoringAlignment) &&
         all_of(zip_equal(I->operands(), J->operands()), [&](auto Ops) {
           return isSameBehind({std::get<0>(Ops), std::get<1>(Ops)}, At, Same);
         });
}

/// Whether what is read behind the loop where that has no round is read as in
/// the loop: an index may not overflow in rounds alone.
bool ElementKeeper::isReadWithoutRounds() {
  auto IsJoined = [&](const auto &X) { return Joined.contains(X.second); };
  bool AnyJoined = any_of(ReadsBehind, IsJoined);
  return any_of(ReadsBehind, [&](const auto &X) {
    return IsJoined(X) == AnyJoined && isSameBehind(AtPhi, X.first, X.second);
  });
}

/// What is at the position that the search starts from: read where the first
/// round would, if there is one.
Value *ElementKeeper::readStart(FirstRound &First) {
  BasicBlock *Preheader = L.getLoopPreheader(), *Header = L.getHeader();
  Instruction *End = Preheader->getTerminator();
  auto *Br = cast<CondBrInst>(L.getExitingBlock()->getTerminator());
  if (any_of(ReadsBehind, [&](auto &X) { return Joined.contains(X.second); }))
    First.moveTo(Behind.Fork->getTerminator());
  if (!ReadsBehind.empty()) {
    auto *Read = cast<LoadInst>(First.copy(AtPhi));
    First.runWithoutRounds();
    for (auto &[Load, At] : ReadsBehind)
      Read->setAlignment(std::min(Read->getAlign(), Load->getAlign()));
    return Read;
  }
  if (Br->getParent() != Header || AtPhi->getParent() == Header ||
      DLOPT_PLANTED(StartReadUntested))
    return First.copy(AtPhi);
  Value *Test = First.copy(Br->getCondition());
  bool RunsIfTrue = L.contains(Br->getSuccessor(0));
  if (isImpliedByDomCondition(Test, End, Header->getDataLayout()) == RunsIfTrue)
    return First.copy(AtPhi);
  Instruction *Runs =
      RunsIfTrue ? SplitBlockAndInsertIfThen(Test, End, /*Unreachable=*/false)
                 : SplitBlockAndInsertIfElse(Test, End, /*Unreachable=*/false);
  First.moveTo(Runs);
  Value *Read = First.copy(AtPhi);
  IRBuilder<> B(End->getParent(), End->getParent()->begin());
  PHINode *Start = B.CreatePHI(Read->getType(), 2, "first");
  Start->addIncoming(Read, Runs->getParent());
  Start->addIncoming(Constant::getNullValue(Read->getType()), Preheader);
  return Start;
}

Value *ElementKeeper::getElement(const Use &U) {
  if (LoadInst *Load = Taken.lookup(&U))
    return Load;
  return Elements.lookup(cast<Instruction>(U));
}

void ElementKeeper::addElements(Value *Start) {
  Type *Ty = Start->getType();
  for (Instruction *I : R.Choices) {
    Instruction *New;
    if (auto *P = dyn_cast<PHINode>(I))
      New = PHINode::Create(Ty, P->getNumIncomingValues(), "element",
                            I->getIterator());
    else
      New =
          SelectInst::Create(I->getOperand(0), PoisonValue::get(Ty),
                             PoisonValue::get(Ty), "element", I->getIterator());
    New->setDebugLoc(I->getDebugLoc());
    Elements[I] = New;
  }
  for (Instruction *I : R.Choices) {
    auto *New = cast<Instruction>(Elements[I]);
    if (auto *P = dyn_cast<PHINode>(I)) {
      for (Use &U : P->incoming_values()) {
        BasicBlock *From = P->getIncomingBlock(U);
        bool Enters = P == R.Phi && !L.contains(From);
        cast<PHINode>(New)->addIncoming(Enters ? Start : getElement(U), From);
      }
    } else {
      for (unsigned Arm : {1, 2})
        New->setOperand(Arm, getElement(I->getOperandUse(Arm)));
    }
  }
}

/// What is at the position \p At behind the loop.
Value *ElementKeeper::getElementBehind(Instruction *At, Value *Start) {
  bool IsJoined = Joined.contains(At);
  Instruction *Choice = IsJoined ? Joined[At] : At;
  BasicBlock *Exit = Behind.Blocks.front();
  IRBuilder<> B(Exit, Exit->begin());
  PHINode *Found = B.CreatePHI(Start->getType(), 1, "found");
  Found->addIncoming(Elements[Choice], L.getExitingBlock());
  if (!IsJoined)
    return Found;
  B.SetInsertPoint(Behind.Join, Behind.Join->begin());
  PHINode *Q = B.CreatePHI(Start->getType(), 2, "found");
  for (BasicBlock *From : predecessors(Behind.Join))
    Q->addIncoming(From == Behind.Fork ? Start : Found, From);
  return Q;
}

bool ElementKeeper::run(ScalarEvolution &Evolution, AAResults &Aliases) {
  SE = &Evolution;
  AA = &Aliases;
  Scopes.emplace(L);
  Position = dyn_cast<SCEVUnknown>(SE->getSCEV(R.Phi));
  if (!Position || !isSettled(SE->getSCEV(AtPhi->getPointerOperand())) ||
      !isUnwritten(*AtPhi) || !findTaken())
    return false;
  FirstRound First(L, L.getLoopPreheader()->getTerminator());
  if (!First.canCopy(AtPhi) ||
      !First.canCopy(cast<CondBrInst>(L.getExitingBlock()->getTerminator())
                         ->getCondition()))
    return false;
  // The test may read what the round writes in front of it.
  if (!DLOPT_PLANTED(TestReadTooEarly) &&
      !all_of(First.getReads(),
              [&](const LoadInst *Load) { return isUnwritten(*Load); }))
    return false;
  erase_if(Loads, [&](const auto &X) {
    return SE->getSCEV(X.first->getPointerOperand()) !=
               getAddress(SE->getSCEV(X.second)) ||
           !isUnwritten(*X.first);
  });
  findReadsBehind(First);
  if (!isReadWithoutRounds())
    ReadsBehind.clear();
  Value *Start = readStart(First);
  addElements(Start);
  SmallSetVector<LoadInst *, 4> Done;
  for (auto &[Load, Choice] : Loads)
    if (Done.insert(Load))
      Load->replaceAllUsesWith(Elements[Choice]);
  for (auto &[Load, At] : ReadsBehind) {
    Load->replaceAllUsesWith(getElementBehind(At, Start));
    Done.insert(Load);
  }
  for (LoadInst *Load : Done)
    RecursivelyDeleteTriviallyDeadInstructions(Load);
  return true;
}

/// One position, in any loop, whose element was not remembered.
static bool rememberOne(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!L->getLoopPreheader() || !L->getLoopLatch())
      continue;
    for (PHINode &P : L->getHeader()->phis()) {
      auto R = P.getType()->isIntegerTy() ? Remembered::get(P, *L, LI)
                                          : std::nullopt;
      if (!R)
        continue;
      ElementKeeper Keeper(*L, DT, std::move(*R));
      if (Keeper.mayApply() &&
          Keeper.run(FAM.getResult<ScalarEvolutionAnalysis>(F),
                     FAM.getResult<AAManager>(F)))
        return true;
    }
  }
  return false;
}

bool rememberElements(Function &F, FunctionAnalysisManager &FAM) {
  constexpr unsigned Most = 8;
  unsigned Count = 0;
  while (Count != Most && rememberOne(F, FAM)) {
    FAM.invalidate(F, PreservedAnalyses::none());
    ++Count;
  }
  return Count != 0;
}

} // namespace dlopt
