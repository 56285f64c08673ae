//===- StoreRanges.cpp - Tests that stores miss what was read -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StoreRanges.h"
#include "dlopt/Compat.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace dlopt;

/// Comparisons of a guard: a nest that needs more is not one that waits for a
/// bound or two.
static constexpr unsigned MaxTests = 32;

StoreRanges::StoreRanges(NestCopy &C, NestMemory &Memory,
                         ArrayRef<HoistedField> Fields,
                         FunctionAnalysisManager &FAM)
    : C(C), Memory(Memory), Fields(Fields.begin(), Fields.end()), FAM(FAM),
      B(C.function().getContext(),
        InstSimplifyFolder(C.function().getDataLayout())) {}

//===----------------------------------------------------------------------===//
// What is written
//===----------------------------------------------------------------------===//

/// Where \p I begins to access memory, and how many bytes that are.
static Value *getAccessed(const Instruction &I, ScalarEvolution &SE,
                          const SCEV *&Size) {
  Type *I64 = Type::getInt64Ty(I.getContext());
  if (const Value *Ptr = getLoadStorePointerOperand(&I)) {
    TypeSize Bytes = I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
    if (Bytes.isScalable())
      return nullptr;
    Size = SE.getConstant(I64, Bytes.getFixedValue());
    return const_cast<Value *>(Ptr);
  }
  auto *Block = dyn_cast<MemIntrinsic>(&I);
  if (!Block)
    return nullptr;
  Size = SE.getNoopOrZeroExtend(SE.getSCEV(Block->getLength()), I64);
  return Block->getDest();
}

/// Joins \p R with a range that moves along with it, next to it.
bool StoreRanges::join(const Range &R) {
  constexpr int64_t MaxGap = 256;
  for (Range &Other : Ranges) {
    if (Other.Steps != R.Steps)
      continue;
    auto *Distance =
        dyn_cast<SCEVConstant>(SE->getMinusSCEV(R.Start, Other.Start));
    auto *Mine = dyn_cast<SCEVConstant>(R.Size);
    auto *Theirs = dyn_cast<SCEVConstant>(Other.Size);
    if (!Distance || !Mine || !Theirs ||
        Distance->getAPInt().getSignificantBits() > 32)
      continue;
    int64_t At = Distance->getAPInt().getSExtValue();
    int64_t Size = Mine->getAPInt().getSExtValue();
    int64_t End = Theirs->getAPInt().getSExtValue();
    if (At > End + MaxGap || At + Size < -MaxGap)
      continue;
    if (At < 0)
      Other.Start = R.Start;
    Other.Size = SE->getConstant(
        R.Size->getType(), std::max(At + Size, End) - std::min<int64_t>(At, 0));
    Other.Fields |= R.Fields;
    append_range(Other.Accesses, R.Accesses);
    return true;
  }
  return false;
}

StoreRanges::Backedges StoreRanges::getBackedges(const Loop &L) const {
  const SCEV *Count = SE->getBackedgeTakenCount(&L);
  uint64_t Bits = SE->getTypeSizeInBits(Count->getType());
  if (Bits > 64)
    return {};
  if (SE->isLoopInvariant(Count, Nest))
    return {Count};
  auto *Rec = dyn_cast<SCEVAddRecExpr>(Count);
  if (!Rec || !Rec->isAffine() || !Nest->contains(Rec->getLoop()))
    return {};
  const SCEV *Step = Rec->getStepRecurrence(*SE);
  const SCEV *Outer = SE->getBackedgeTakenCount(Rec->getLoop());
  if ((!Step->isOne() && !Step->isAllOnesValue()) ||
      !SE->isLoopInvariant(Rec->getStart(), Nest) ||
      !SE->isLoopInvariant(Outer, Nest) ||
      SE->getTypeSizeInBits(Outer->getType()) > Bits)
    return {};
  Outer = SE->getNoopOrZeroExtend(Outer, Count->getType());
  return {Rec->getStart(), Rec->evaluateAtIteration(Outer, *SE), Step->isOne()};
}

Verdict StoreRanges::addAccess(Instruction &I, const BitVector &Hit) {
  const Instruction *Original = C.getOriginal(&I);
  for (Range &R : Ranges)
    if (is_contained(R.Accesses, &I))
      return {};
  Range R;
  R.Accesses.push_back(&I);
  R.Fields = Hit;
  Value *Ptr = getAccessed(I, *SE, R.Size);
  if (!Ptr || !SE->isLoopInvariant(R.Size, Nest))
    return {Reason::NonAffineAccess, Original, ""};
  R.Start = SE->getSCEV(Ptr);
  while (auto *Rec = dyn_cast<SCEVAddRecExpr>(R.Start)) {
    const SCEV *Bytes = Rec->getStepRecurrence(*SE);
    if (!Rec->isAffine() || !SE->isLoopInvariant(Bytes, Nest))
      return {Reason::NonAffineAccess, Original, ""};
    if (!getBackedges(*Rec->getLoop()).First)
      return {Reason::UnknownTripCount, Original, ""};
    R.Steps.push_back({Bytes, Rec->getLoop()});
    R.Start = Rec->getStart();
  }
  if (!SE->isLoopInvariant(R.Start, Nest))
    return {Reason::NonAffineAccess, Original, ""};
  if (!join(R))
    Ranges.push_back(std::move(R));
  return {};
}

/// Writes that may change what was read in front of the nest.
Verdict StoreRanges::addWrites() {
  for (BasicBlock *BB : Nest->blocks())
    for (Instruction &I : *BB) {
      const auto *It = find(Memory.writes(), C.getOriginal(&I));
      if (It == Memory.writes().end())
        continue;
      BitVector Hit(Fields.size());
      for (auto [Id, Field] : enumerate(Fields))
        if (Field.Writes[It - Memory.writes().begin()] &&
            !(DLOPT_PLANTED(FieldUntested) && Id > 0))
          Hit.set(Id);
      if (Hit.none())
        continue;
      if (Verdict V = addAccess(I, Hit); !V.ok())
        return V;
    }
  return {};
}

/// All that may conflict in \p Inner, a loop of the copy.
Verdict StoreRanges::addConflicts(const Loop &Inner) {
  SmallVector<Instruction *, 8> Accesses;
  for (BasicBlock *BB : Inner.blocks())
    for (Instruction &I : *BB)
      if (isa<LoadInst, StoreInst>(I) && C.getOriginal(&I)) {
        if (Verdict V = addAccess(I, BitVector(Fields.size())); !V.ok())
          return V;
        Accesses.push_back(&I);
      }
  auto RangeOf = [&](const Instruction *I) {
    return static_cast<unsigned>(
        find_if(Ranges,
                [&](const Range &R) { return is_contained(R.Accesses, I); }) -
        Ranges.begin());
  };
  for (auto It = Accesses.begin(); It != Accesses.end(); ++It)
    for (Instruction *Y : make_range(std::next(It), Accesses.end())) {
      Instruction *X = *It;
      // Of one sum, by what the source says: two that it reads one after the
      // other have become one pointer in the copy, and stay two sums.
      const Instruction *OfX = C.getOriginal(X), *OfY = C.getOriginal(Y);
      if (DLOPT_PLANTED(SumsOfOneAddress))
        OfX = X, OfY = Y;
      if (getLoadStorePointerOperand(OfX) == getLoadStorePointerOperand(OfY) ||
          !Memory.mayConflict(*C.getOriginal(X), *C.getOriginal(Y)))
        continue;
      auto Ids = std::minmax(RangeOf(X), RangeOf(Y));
      // One array: no test separates its elements.
      if (Ids.first == Ids.second ||
          SE->getPointerBase(Ranges[Ids.first].Start) ==
              SE->getPointerBase(Ranges[Ids.second].Start))
        return {Reason::MayAlias, C.getOriginal(Y), ""};
      Pairs.insert(Ids);
    }
  return {};
}

Verdict StoreRanges::check() {
  Function &F = C.function();
  FAM.invalidate(F, PreservedAnalyses::none());
  SE = &FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  Nest = LI.getLoopFor(C.header());
  Ranges.clear();
  Pairs.clear();
  for (Loop *L : Nest->getLoopsInPreorder())
    if (isa<SCEVCouldNotCompute>(SE->getBackedgeTakenCount(L)))
      return {Reason::UnknownTripCount,
              C.getOriginal(L->getLoopLatch()->getTerminator()), ""};
  if (Verdict V = addWrites(); !V.ok())
    return V;
  SmallPtrSet<const Loop *, 2> Done;
  for (const Accumulator &A : Memory.accumulators()) {
    auto *Header = cast<BasicBlock>(C.get(A.Inner->getHeader()));
    if (!Done.insert(A.Inner).second)
      continue;
    if (Verdict V = addConflicts(*LI.getLoopFor(Header)); !V.ok())
      return V;
  }
  size_t Tests = Pairs.size();
  for (const Range &R : Ranges)
    Tests += R.Fields.count();
  if (Tests > MaxTests)
    return {Reason::OverBudget,
            C.getOriginal(Nest->getHeader()->getTerminator()), ""};
  return {};
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

void StoreRanges::freezeInputs(const Instruction &At, AssumptionCache &AC,
                               const DominatorTree &DT) {
  SmallSetVector<Argument *, 8> Inputs;
  auto Add = [&](Value *V) {
    if (auto *A = dyn_cast<Argument>(V))
      Inputs.insert(A);
  };
  auto AddLeaves = [&](const SCEV *S) {
    SCEVExprContains(S, [&](const SCEV *Leaf) {
      if (auto *U = dyn_cast<SCEVUnknown>(Leaf))
        Add(U->getValue());
      return false;
    });
  };
  for (const Range &R : Ranges) {
    AddLeaves(R.Start);
    AddLeaves(R.Size);
    for (const Step &S : R.Steps) {
      AddLeaves(S.Bytes);
      AddLeaves(SE->getBackedgeTakenCount(S.L));
    }
  }
  for (const HoistedField &Field : Fields)
    Add(Field.Ptr);
  for (BasicBlock &BB : C.function())
    if (!Nest->contains(&BB))
      for (Instruction &I : BB)
        for (Value *V : I.operands())
          Add(V);
  BasicBlock &Entry = C.function().getEntryBlock();
  for (Argument *A : Inputs) {
    Value *Actual = C.getActual(A);
    if ((!A->getType()->isIntOrIntVectorTy() &&
         !A->getType()->isPtrOrPtrVectorTy()) ||
        (Actual && isGuaranteedNotToBeUndefOrPoison(Actual, &AC, &At, &DT)))
      continue;
    auto *Frozen = new FreezeInst(A, A->getName() + ".fr", Entry.begin());
    Frozen->setDebugLoc(C.getLoc());
    A->replaceUsesWithIf(Frozen, [&](Use &U) { return U.getUser() != Frozen; });
    for (HoistedField &Field : Fields)
      if (Field.Ptr == A)
        Field.Ptr = Frozen;
  }
}

Value *StoreRanges::expand(const SCEV *S) {
  Instruction *At = C.guard()->getTerminator();
  if (!Expander->isSafeToExpandAt(S, At))
    return nullptr;
  Value *V = Expander->expandCodeFor(S, S->getType(), At->getIterator());
  // What no loop computes promises nothing.
  for (Instruction *I : Expander->getAllInsertedInstructions())
    I->dropPoisonGeneratingAnnotations();
  return V;
}

Value *StoreRanges::emitAddress(const SCEV *S) {
  Value *Base = expand(SE->getPointerBase(S));
  Value *Offset = expand(SE->removePointerBase(S));
  if (!Base || !Offset)
    return nullptr;
  return B.CreateAdd(B.CreatePtrToInt(Base, B.getInt64Ty()),
                     B.CreateSExtOrTrunc(Offset, B.getInt64Ty()));
}

/// \p X op \p Y, which is \p Most at the most; more than 64 bits are an
/// overflow.
Value *StoreRanges::emitChecked(bool IsProduct, Value *X, Value *Y,
                                const APInt &Most) {
  if (Most.isIntN(64))
    return IsProduct ? B.CreateMul(X, Y) : B.CreateAdd(X, Y);
  Value *Both = B.CreateBinaryIntrinsic(
      IsProduct ? Intrinsic::umul_with_overflow : Intrinsic::uadd_with_overflow,
      X, Y);
  Value *Flag = B.CreateExtractValue(Both, 1);
  Overflow = Overflow ? B.CreateOr(Overflow, Flag) : Flag;
  return B.CreateExtractValue(Both, 0);
}

/// The most that \p L goes back in any iteration of the nest, which is \p Most
/// at the most. By one more or less in each, that is at one of both ends,
/// unless it wraps in between.
Value *StoreRanges::emitBackedges(const Loop &L, APInt &Most) {
  Backedges E = getBackedges(L);
  bool AtLast = E.Last && E.IsUp != DLOPT_PLANTED(TriangleShort);
  const SCEV *Longest = AtLast ? E.Last : E.First;
  Most = SE->getUnsignedRangeMax(Longest);
  Value *Count = expand(Longest);
  if (!Count || !E.Last)
    return Count;
  Value *Least = expand(AtLast ? E.First : E.Last);
  if (!Least)
    return nullptr;
  if (!DLOPT_PLANTED(TriangleShort)) {
    Value *Wraps = B.CreateICmpULT(Count, Least);
    Overflow = Overflow ? B.CreateOr(Overflow, Wraps) : Wraps;
  }
  return Count;
}

/// How far a step goes, in bytes; \p Start moves to the lowest address.
Value *StoreRanges::emitLength(const Step &S, Value *&Start, APInt &Most) {
  APInt MostCount;
  Value *Count = emitBackedges(*S.L, MostCount), *Bytes = expand(S.Bytes);
  if (!Count || !Bytes)
    return nullptr;
  Count = B.CreateZExt(Count, B.getInt64Ty());
  if (DLOPT_PLANTED(RangeShort))
    Count = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Count, B.getInt64(1));
  bool MayBeDown = !SE->isKnownNonNegative(S.Bytes);
  Value *IsDown = B.CreateICmpSLT(Bytes, B.getInt64(0));
  Value *Size =
      MayBeDown ? B.CreateSelect(IsDown, B.CreateNeg(Bytes), Bytes) : Bytes;
  // The magnitude of the least number is one more than the greatest number.
  ConstantRange Sizes = SE->getSignedRange(S.Bytes);
  APInt Largest =
      APIntOps::umax(Sizes.getSignedMin().abs(), Sizes.getSignedMax().abs());
  Most = MostCount.zext(128) * Largest.zext(128);
  Value *Length = emitChecked(/*IsProduct=*/true, Count, Size, Most);
  if (MayBeDown)
    Start = B.CreateSub(Start, B.CreateSelect(IsDown, Length, B.getInt64(0)));
  return Length;
}

StoreRanges::Bytes StoreRanges::emitRange(const Range &R) {
  Bytes Result = {emitAddress(R.Start), expand(R.Size)};
  if (!Result.Start || !Result.Count)
    return {};
  APInt Total = SE->getUnsignedRangeMax(R.Size).zext(192);
  for (const Step &S : R.Steps) {
    APInt Most(128, 0);
    Value *Length = emitLength(S, Result.Start, Most);
    if (!Length)
      return {};
    Total += Most.zext(192);
    Result.Count =
        emitChecked(/*IsProduct=*/false, Result.Count, Length, Total);
  }
  return Result;
}

void StoreRanges::testDisjoint(const Bytes &X, const Bytes &Y) {
  if (!X.Start || !Y.Start) {
    Holds = B.getFalse();
    return;
  }
  for (auto [P, Q] : {std::pair(X, Y), std::pair(Y, X)}) {
    Value *Test = B.CreateICmpUGE(B.CreateSub(P.Start, Q.Start), Q.Count);
    Holds = Holds ? B.CreateAnd(Holds, Test) : Test;
  }
}

/// Fields of an object that lie close together are one range: one test.
void StoreRanges::emitFieldTests(const Range &R, const Bytes &Mine) {
  constexpr int64_t MaxGap = 64;
  struct Cluster {
    const SCEV *First;
    int64_t Size;
  };
  SmallVector<Cluster, 4> Clusters;
  const SCEV *Written = SE->getPointerBase(R.Start);
  for (unsigned Id : R.Fields.set_bits()) {
    const SCEV *S = SE->getSCEV(Fields[Id].Ptr);
    auto Size = static_cast<int64_t>(Fields[Id].Size);
    auto Join = [&](Cluster &Cl) {
      auto *D = dyn_cast<SCEVConstant>(SE->getMinusSCEV(S, Cl.First));
      // What is between may be what is written.
      if (!D || D->getAPInt().getSignificantBits() > 32 ||
          SE->getPointerBase(S) == Written)
        return false;
      int64_t At = D->getAPInt().getSExtValue();
      if (At > Cl.Size + MaxGap || At + Size < -MaxGap)
        return false;
      if (At < 0)
        Cl.First = S;
      Cl.Size = std::max(Cl.Size, At + Size) - std::min<int64_t>(At, 0);
      return true;
    };
    if (none_of(Clusters, Join))
      Clusters.push_back({S, Size});
  }
  for (const Cluster &Cl : Clusters)
    testDisjoint(Mine, {emitAddress(Cl.First), B.getInt64(Cl.Size)});
}

bool StoreRanges::emit() {
  B.SetInsertPoint(C.guard()->getTerminator());
  B.SetCurrentDebugLocation(C.getLoc());
  Expander = makeExpander<SCEVExpander>(*SE, "dl");
  SmallVector<Bytes, 4> All;
  for (const Range &R : Ranges)
    All.push_back(emitRange(R));
  for (auto [R, Mine] : zip(Ranges, All))
    emitFieldTests(R, Mine);
  for (auto [First, Second] : Pairs)
    testDisjoint(All[First], All[Second]);
  Expander->clear();
  if (!Holds)
    Holds = B.getTrue();
  if (Overflow)
    Holds = B.CreateAnd(Holds, B.CreateNot(Overflow));
  if (match(Holds, PatternMatch::m_Zero()))
    return false;
  BasicBlock *Last = C.guard();
  C.addTest(Holds);
  Last->getTerminator()->setMetadata(
      GuardTag, MDNode::get(C.function().getContext(), {}));
  return true;
}

void StoreRanges::annotate() {
  LLVMContext &Context = C.function().getContext();
  MDBuilder MDB(Context);
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain("dl.guard");
  B.SetInsertPoint(C.guard()->getTerminator());
  SmallVector<MDNode *, 4> Scopes(Ranges.size(), nullptr);
  auto Add = [&](const Range &R, unsigned Kind, MDNode *Scope) {
    for (Instruction *I : R.Accesses)
      I->setMetadata(Kind, MDNode::concatenate(I->getMetadata(Kind),
                                               MDNode::get(Context, {Scope})));
  };
  for (auto [First, Second] : Pairs) {
    if (!Scopes[First]) {
      Scopes[First] = MDB.createAnonymousAliasScope(Domain, "dl.range");
      B.CreateNoAliasScopeDeclaration(MDNode::get(Context, {Scopes[First]}));
      Add(Ranges[First], LLVMContext::MD_alias_scope, Scopes[First]);
    }
    Add(Ranges[Second], LLVMContext::MD_noalias, Scopes[First]);
  }
}
