//===- Recurrences.cpp - What a loop waits for ----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A round of a loop takes the cycles of its longest recurrence (from a header
/// phi to what the latch gives it), or those that its instructions take if
/// nothing waits (Lam, Software pipelining, PLDI 1988: the recurrence and the
/// resource bound).
///
//===----------------------------------------------------------------------===//
#include "Recurrences.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

/// Larger loops are not looked at, nor more recurrences of one than go through
/// so many instructions together.
static constexpr size_t MostInstructions = 4096, MostSteps = 1 << 16;
/// Instructions that a core starts in a cycle. All that Targets.def has
/// latencies of start four at least.
static constexpr unsigned IssueWidth = 4;

static bool isIssued(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return !isa<PHINode, GetElementPtrInst, BitCastInst, FreezeInst>(I) &&
         !I.isTerminator() && !(Call && Call->isAssumeLikeIntrinsic());
}

static bool isArithmetic(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (Call)
    return Call->getIntrinsicID() == Intrinsic::fma ||
           Call->getIntrinsicID() == Intrinsic::fmuladd;
  return I.getOpcode() == Instruction::FAdd ||
         I.getOpcode() == Instruction::FSub ||
         I.getOpcode() == Instruction::FMul;
}

LoopRecurrences::LoopRecurrences(Loop &L, const LoopInfo &LI,
                                 const SumFinder &Finder, const TargetModel &T,
                                 const TargetTransformInfo &TTI)
    : L(L), T(T), TTI(TTI) {
  size_t Size = 0;
  for (const BasicBlock *BB : L.blocks())
    Size += BB->size();
  if (Size > MostInstructions)
    return;
  LoopBlocksRPO Blocks(&L);
  Blocks.perform(&LI);
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      Order.push_back(&I);
      std::optional<Sum> S = Finder.get(I);
      if (!S)
        continue;
      if (S->Default != SumForm::Apart)
        Fused.insert(S->Addends[S->Default == SumForm::FusesSecond].Product);
      Sums.try_emplace(&I, *S);
    }
}

const Sum *LoopRecurrences::getSum(const Instruction *I) const {
  auto It = Sums.find(I);
  return It == Sums.end() ? nullptr : &It->second;
}

//===----------------------------------------------------------------------===//
// Cycles
//===----------------------------------------------------------------------===//

static std::optional<unsigned>
getArrival(const DenseMap<const Value *, unsigned> &At, const Value *V) {
  auto It = At.find(V);
  if (It == At.end())
    return std::nullopt;
  return It->second;
}

/// The later of two, of which one or none may depend on the phi.
static std::optional<unsigned> getLater(std::optional<unsigned> A,
                                        std::optional<unsigned> B) {
  return std::max(A, B);
}

static std::optional<unsigned> addCycles(std::optional<unsigned> A,
                                         unsigned Cycles) {
  if (A)
    *A += Cycles;
  return A;
}

/// The cycles that a round takes if it waits for nothing.
unsigned LoopRecurrences::getBusy(const RecurrencePlan &P) const {
  uint64_t Issued = 0, Work = 0;
  for (const Instruction *I : Order) {
    if (!isIssued(*I) || Fused.contains(I))
      continue;
    ++Issued;
    if (!isArithmetic(*I))
      continue;
    TypeSize Bits = I->getType()->getPrimitiveSizeInBits();
    Work += divideCeil(Bits.getKnownMinValue(), std::max(T.VectorBits, 128u));
  }
  // Products that become instructions of their own; a chain has sums of a few
  // addends each.
  uint64_t More = divideCeil(P.Chain.size(), 2);
  for (const auto &[I, Form] : P.Forms)
    More += Form == SumForm::Apart;
  return static_cast<unsigned>(
      std::max(divideCeil(Issued + More, uint64_t(IssueWidth)),
               divideCeil(Work + More, uint64_t(T.FMAPerCycle))));
}

LoopRecurrences::Cycles LoopRecurrences::getProduct(const Arrivals &At,
                                                    const Addend &A,
                                                    unsigned Latency) const {
  return addCycles(getLater(getArrival(At, A.X), getArrival(At, A.Y)), Latency);
}

LoopRecurrences::Cycles LoopRecurrences::getFinish(const Arrivals &At,
                                                   const Sum &S,
                                                   SumForm Form) const {
  auto GetAlone = [&](const Addend &A) {
    return A.V ? getArrival(At, A.V) : getProduct(At, A, T.MulLatency);
  };
  if (Form == SumForm::Apart)
    return addCycles(getLater(GetAlone(S.Addends[0]), GetAlone(S.Addends[1])),
                     T.AddLatency);
  bool Second = Form == SumForm::FusesSecond;
  return getLater(getProduct(At, S.Addends[Second], T.FMALatency),
                  addCycles(GetAlone(S.Addends[!Second]), T.ChainLatency));
}

LoopRecurrences::Cycles LoopRecurrences::getFinish(const Arrivals &At,
                                                   const Instruction &I) const {
  Cycles Latest;
  if (match(&I, m_Intrinsic<Intrinsic::fma>()))
    return getLater(addCycles(getLater(getArrival(At, I.getOperand(0)),
                                       getArrival(At, I.getOperand(1))),
                              T.FMALatency),
                    addCycles(getArrival(At, I.getOperand(2)), T.ChainLatency));
  for (const Value *Op : I.operands())
    Latest = getLater(Latest, getArrival(At, Op));
  if (!Latest || isa<PHINode>(I))
    return Latest;
  unsigned Latency = 1;
  switch (I.getOpcode()) {
  case Instruction::FMul:
    Latency = T.MulLatency;
    break;
  case Instruction::FAdd:
  case Instruction::FSub:
    Latency = T.AddLatency;
    break;
  case Instruction::FNeg:
    break;
  default: {
    InstructionCost Cost =
        TTI.getInstructionCost(&I, TargetTransformInfo::TCK_Latency);
    if (Cost.isValid() && Cost.getValue() > 0)
      Latency = static_cast<unsigned>(std::min<int64_t>(getCycles(Cost), 256));
  }
  }
  return addCycles(Latest, Latency);
}

//===----------------------------------------------------------------------===//
// Other forms
//===----------------------------------------------------------------------===//

std::optional<Decay> LoopRecurrences::findDecay(const Arrivals &At,
                                                const Sum &S) const {
  if (!mayReassociate(*S.I))
    return std::nullopt;
  for (const Addend &Product : S.Addends) {
    const Addend &H = &Product == S.Addends ? S.Addends[1] : S.Addends[0];
    if (!Product.CanFuse || !H.V || H.Negated || !getArrival(At, H.V) ||
        (Product.Product && !mayReassociate(*Product.Product)))
      continue;
    for (auto [A, D] :
         {std::pair(Product.X, Product.Y), std::pair(Product.Y, Product.X)}) {
      auto *Difference = dyn_cast<Instruction>(D);
      Value *X;
      if (!Difference || !mayReassociate(*Difference) ||
          !Difference->hasOneUse() || getArrival(At, A))
        continue;
      bool Is = Product.Negated != DLOPT_PLANTED(DifferenceSwapped)
                    ? match(D, m_FSub(m_Specific(H.V), m_Value(X)))
                    : match(D, m_FSub(m_Value(X), m_Specific(H.V)));
      if (Is && !getArrival(At, X))
        return Decay{H.V, A, X};
    }
  }
  return std::nullopt;
}

/// When \p S is finished in the best form, which goes to \p P.
LoopRecurrences::Cycles LoopRecurrences::improve(const Arrivals &At,
                                                 const Sum &S, bool AnyApart,
                                                 RecurrencePlan &P) const {
  Cycles Best = getFinish(At, S, S.Default);
  if (!Best)
    return Best;
  auto Try = [&](SumForm Form, bool Permitted) {
    Cycles Now = getFinish(At, S, Form);
    if (!Permitted || Form == S.Default || !(Now < Best))
      return;
    Best = Now;
    P.Forms[S.I] = Form;
  };
  Try(SumForm::FusesFirst, S.Addends[0].CanFuse);
  Try(SumForm::FusesSecond, S.Addends[1].CanFuse);
  Try(SumForm::Apart, S.CanBeApart || AnyApart);
  if (std::optional<Decay> D = findDecay(At, S))
    if (Cycles Now = addCycles(getArrival(At, D->H), T.FMALatency);
        Now < Best) {
      Best = Now;
      P.Forms.erase(S.I);
      P.Decays[S.I] = *D;
    }
  return Best;
}

/// What \p Latch, a value of the loop, is computed from within a round.
static SmallPtrSet<const Value *, 32> getBehind(const Loop &L, Value *Latch) {
  SmallPtrSet<const Value *, 32> Seen = {Latch};
  SmallVector<const Value *, 32> Work = {Latch};
  while (!Work.empty()) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !L.contains(I) ||
        (isa<PHINode>(I) && I->getParent() == L.getHeader()))
      continue;
    for (const Value *Op : I->operands())
      if (Seen.insert(Op).second)
        Work.push_back(Op);
  }
  return Seen;
}

/// The cycles from \p Phi to what it is in the next round; by \p P, to which
/// the forms go that take less, if it is given.
/// \p AnyApart: llvm.fmuladd may be computed by two instructions.
LoopRecurrences::Cycles LoopRecurrences::getCycle(PHINode &Phi,
                                                  RecurrencePlan *P,
                                                  bool AnyApart) const {
  Value *Latch = Phi.getIncomingValueForBlock(L.getLoopLatch());
  auto Behind = getBehind(L, Latch);
  Arrivals At;
  At[&Phi] = 0;
  for (Instruction *I : Order) {
    if ((isa<PHINode>(I) && I->getParent() == L.getHeader()) ||
        !Behind.contains(I))
      continue;
    const Sum *S = getSum(I);
    Cycles Finish = !S  ? getFinish(At, *I)
                    : P ? improve(At, *S, AnyApart, *P)
                        : getFinish(At, *S, S->Default);
    if (Finish)
      At[I] = *Finish;
  }
  return Latch == &Phi ? std::nullopt : getArrival(At, Latch);
}

/// The only user of \p V in \p L.
static Instruction *getOnlyUser(const Loop &L, const Value &V) {
  Instruction *Only = nullptr;
  for (const Use &U : V.uses()) {
    auto *I = cast<Instruction>(U.getUser());
    if (!L.contains(I))
      continue;
    if (Only)
      return nullptr;
    Only = I;
  }
  return Only;
}

void LoopRecurrences::findChain(RecurrencePlan &P) const {
  const Value *Latch = P.Phi->getIncomingValueForBlock(L.getLoopLatch());
  SmallVector<Instruction *, 8> Chain;
  for (Value *V = P.Phi; V != Latch; V = Chain.back()) {
    // Behind the loop the phi is what it was; what is in between is not.
    Instruction *I = getOnlyUser(L, *V);
    const Sum *S = I ? getSum(I) : nullptr;
    if (!S || (V != P.Phi && !V->hasOneUse()) || !mayReassociate(*I) ||
        (!Chain.empty() && Chain.back()->getParent() != I->getParent()))
      return;
    const Addend &First = S->Addends[0], &Second = S->Addends[1];
    const Addend &Before = First.V == V ? First : Second;
    const Addend &Added = First.V == V ? Second : First;
    if (Before.V != V || Before.Negated || Added.V == V || Added.X == V ||
        Added.Y == V)
      return;
    Chain.push_back(I);
  }
  if (Chain.size() > 1)
    P.Chain = std::move(Chain);
}

void LoopRecurrences::choose(RecurrencePlan &P) const {
  unsigned Busy = getBusy(P);
  if (P.Before <= Busy) {
    P.Why = Reason::DoesNotWait;
    return;
  }
  auto Improves = [&](const RecurrencePlan &By) {
    return std::max(By.After, getBusy(By)) < std::max(P.Before, Busy);
  };
  RecurrencePlan Chained = P, Formed = P;
  findChain(Chained);
  if (!Chained.Chain.empty())
    Chained.After = T.AddLatency;
  Formed.After = getCycle(*P.Phi, &Formed, /*AnyApart=*/false).value_or(0);
  if (Improves(Chained) && Chained.After <= Formed.After) {
    P = std::move(Chained);
    return;
  }
  if (Improves(Formed)) {
    P = std::move(Formed);
    return;
  }
  RecurrencePlan Free = P;
  Free.After = getCycle(*P.Phi, &Free, /*AnyApart=*/true).value_or(0);
  P.Why = Improves(Free) ? Reason::FusedByDefault : Reason::FastestForm;
}

/// A recurrence that is over before another one needs no plan.
static void dropUseless(MutableArrayRef<RecurrencePlan> Plans) {
  for (RecurrencePlan &P : Plans)
    if (P.Why == Reason::Ok && any_of(Plans, [&](const RecurrencePlan &Other) {
          return &Other != &P && Other.After >= P.Before;
        })) {
      RecurrencePlan Left;
      Left.Phi = P.Phi;
      Left.Before = Left.After = P.Before;
      Left.Why = Reason::DoesNotWait;
      P = std::move(Left);
    }
}

SmallVector<RecurrencePlan, 4> LoopRecurrences::plan() const {
  SmallVector<RecurrencePlan, 4> Plans;
  if (Order.empty())
    return Plans;
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (!Phi.getType()->isFPOrFPVectorTy() ||
        Plans.size() >= MostSteps / Order.size())
      continue;
    RecurrencePlan P;
    P.Phi = &Phi;
    Cycles Before = getCycle(Phi, nullptr, /*AnyApart=*/false);
    if (!Before)
      continue;
    P.Before = P.After = *Before;
    if (T.AddLatency)
      choose(P);
    else
      P.Why = Reason::UnknownLatencies;
    Plans.push_back(std::move(P));
  }
  dropUseless(Plans);
  return Plans;
}
