//===- Odometers.cpp - Coordinates that are counted with a carry ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One loop over all elements that counts their coordinates as an odometer
/// does, and moves by strides:
///
///   for (i < n) { ... x[p] ...; p += 1;
///     if (++c == cols) { c = 0; p += ld - cols; if (++r == rows) r = 0; } }
///   ->
///   c = i % cols, r = i / cols % rows, p = i + i / cols * (ld - cols)
///
/// which is a nest once quotients have axes of their own (SplitAxes.cpp).
///
/// Rounds are told apart by the tests of counters. Of the rounds before round
/// i, all are i; if N of them come to the test c + 1 == m of a counter that is
/// N % m, N / m of them find it to hold. What a phi becomes in each kind of
/// round is a step, so it is the sum of steps times rounds; or it starts again
/// whenever the counter does, and is so much as the counter says.
///
/// Whether m is at least 1 and fits the counter is a need: it then never wraps.
///
//===----------------------------------------------------------------------===//
#include "Index.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

/// Whether \p Cond holds in the kind of rounds that is looked at; if that is
/// not known, it is Undecided.
std::optional<bool> IndexBuilder::decide(Value *Cond) {
  if (!Decided)
    return std::nullopt;
  for (const auto &[Known, Holds] : *Decided)
    if (Known == Cond)
      return Holds;
  Value *A = nullptr, *B = nullptr;
  if (match(Cond, m_Not(m_Value(A)))) {
    std::optional<bool> Holds = decide(A);
    return Holds ? std::optional(!*Holds) : std::nullopt;
  }
  bool IsAnd = match(Cond, m_LogicalAnd(m_Value(A), m_Value(B)));
  if (IsAnd || match(Cond, m_LogicalOr(m_Value(A), m_Value(B)))) {
    std::optional<bool> First = decide(A);
    return First == IsAnd ? decide(B) : First;
  }
  if (std::optional<bool> Holds = decideEquality(Cond))
    return Holds;
  if (!Undecided)
    Undecided = Cond;
  return std::nullopt;
}

/// Whether \p Cond compares what a counter has just become with a number, if
/// the kind of rounds says what that is: `if (!c)`, behind where it starts
/// again.
std::optional<bool> IndexBuilder::decideEquality(Value *Cond) {
  auto *Cmp = dyn_cast<ICmpInst>(Cond);
  const Loop *L = Cmp ? S.loopOf(Cmp) : nullptr;
  if (!Cmp || !Cmp->isEquality() || L != DecidedIn)
    return std::nullopt;
  std::optional<bool> Equal;
  tentatively([&] {
    std::optional<Linear> A = build(Cmp->getOperand(0), true, L);
    std::optional<Linear> B = A ? build(Cmp->getOperand(1), true, L) : A;
    if (!B)
      return false;
    Poly Difference = A->P - B->P;
    if (Difference.anyAtom([&](AtomId Id) { return isPlaceholder(Id); }))
      return false;
    // Both are known modulo 2^bits.
    Range R = getRange(S.K, Difference, S.axesOf(L));
    __int128 Wrap = __int128(1)
                    << Cmp->getOperand(0)->getType()->getIntegerBitWidth();
    if (Difference.isZero())
      Equal = true;
    else if (R.within(1, Wrap - 1) || R.within(1 - Wrap, -1))
      Equal = false;
    return Equal.has_value();
  });
  return Equal ? std::optional(*Equal ==
                               (Cmp->getPredicate() == CmpInst::ICMP_EQ))
               : std::nullopt;
}

/// What \p P, behind a branch of \p L, is in the rounds that go from \p At,
/// where \p From led to; null if that is not known.
Value *IndexBuilder::findIncoming(PHINode *P, const Loop &L, BasicBlock *From,
                                  BasicBlock *At, unsigned Most) {
  for (; Most; --Most) {
    if (At == P->getParent())
      return From ? P->getIncomingValueForBlock(From) : nullptr;
    if (At == L.getHeader() || !L.contains(At))
      return nullptr;
    const Loop *Inner = S.Ctx.LI.getLoopFor(At);
    if (Inner != &L) {
      while (Inner->getParentLoop() != &L)
        Inner = Inner->getParentLoop();
      const LoopControl &C = S.Controls.find(Inner)->second;
      From = C.Exiting;
      At = C.ExitBlock;
      continue;
    }
    From = At;
    if (auto *Br = dyn_cast<UncondBrInst>(At->getTerminator())) {
      At = Br->getSuccessor();
      continue;
    }
    auto *Br = dyn_cast<CondBrInst>(At->getTerminator());
    if (!Br)
      return nullptr;
    if (std::optional<bool> Holds = decide(Br->getCondition())) {
      At = Br->getSuccessor(*Holds ? 0 : 1);
      continue;
    }
    Value *A = findIncoming(P, L, From, Br->getSuccessor(0), Most / 2);
    Value *B = findIncoming(P, L, From, Br->getSuccessor(1), Most / 2);
    return A == B ? A : nullptr;
  }
  return nullptr;
}

/// What \p V, a select or a phi behind a branch, is in the kind of rounds that
/// is looked at; null if that is not known.
Value *IndexBuilder::findDecided(Instruction *V) {
  const Loop *L = S.loopOf(V);
  if (!Decided || L != DecidedIn)
    return nullptr;
  if (auto *Choice = dyn_cast<SelectInst>(V)) {
    std::optional<bool> Holds = decide(Choice->getCondition());
    if (!Holds)
      return nullptr;
    return *Holds ? Choice->getTrueValue() : Choice->getFalseValue();
  }
  auto *P = dyn_cast<PHINode>(V);
  if (!P || P->getParent() == L->getHeader())
    return nullptr;
  BasicBlock *Fork = S.Ctx.DT.getNode(P->getParent())->getIDom()->getBlock();
  constexpr unsigned MostBlocks = 64;
  return findIncoming(P, *L, nullptr, Fork, MostBlocks);
}

/// Whether \p Cond asks if a counter of \p L wraps that has been tested \p
/// Count times, one that is 0 at first: \p P itself, whose form is not known
/// yet, or another one.
std::optional<IndexBuilder::Carry> IndexBuilder::matchCarry(Value *Cond,
                                                            PHINode *P,
                                                            const Poly &Count,
                                                            const Loop *L) {
  auto *Cmp = dyn_cast<ICmpInst>(Cond);
  if (!Cmp || S.loopOf(Cmp) != L)
    return std::nullopt;
  CmpPredicate Pred = Cmp->getPredicate();
  bool Signed = !Cmp->isUnsigned();
  Value *Sides[] = {Cmp->getOperand(0), Cmp->getOperand(1)};
  for (unsigned I : {0, 1}) {
    if (I)
      Pred = CmpInst::getSwappedPredicate(Pred);
    std::optional<Linear> Counter = build(Sides[I], Signed, L);
    std::optional<Poly> Bound = buildExact(Sides[1 - I], Signed, L);
    if (!Counter || !Bound || dependsOnLoops(*Bound, L) ||
        Bound->anyAtom([&](AtomId A) { return isPlaceholder(A); }))
      continue;
    Carry C;
    // Ahead: the counter is compared when it has already been moved on.
    int64_t Ahead = Counter->P.getConstantTerm();
    if (Ahead != 0 && Ahead != 1)
      continue;
    bool IsStrict = Pred == CmpInst::ICMP_SLT || Pred == CmpInst::ICMP_ULT ||
                    Pred == CmpInst::ICMP_SGE || Pred == CmpInst::ICMP_UGE;
    C.IfTrue = Pred == CmpInst::ICMP_EQ || Pred == CmpInst::ICMP_SGE ||
               Pred == CmpInst::ICMP_UGE || Pred == CmpInst::ICMP_SGT ||
               Pred == CmpInst::ICMP_UGT;
    bool IsEquality = Cmp->isEquality();
    C.Modulus = *Bound + Poly((IsStrict || IsEquality ? 1 : 2) - Ahead);
    Poly Term = Counter->P - Poly(Ahead);
    AtomId Hole = Unknowns[{P, Signed}];
    C.OfItself = Term == Poly::atom(Hole);
    if (!C.OfItself && Term != Poly::atom(S.K.getModAtom(Count, C.Modulus)))
      continue;
    Range T = getTypeRange(Cmp->getOperand(0)->getType()->getIntegerBitWidth(),
                           /*Signed=*/true);
    if (!getRange(S.K, C.Modulus, S.axesOf(L)).within(1, T.Hi))
      S.addInRange(C.Modulus, 1, static_cast<int64_t>(T.Hi));
    return C;
  }
  return std::nullopt;
}

/// Adds to \p F what \p P becomes in the \p Count rounds so far of the kind
/// that Decided says.
bool IndexBuilder::addRounds(PHINode *P, bool Signed, const Poly &Count,
                             Odometer &F) {
  constexpr unsigned MostTests = 8;
  const Loop *L = S.loopOf(P);
  Value *Next = P->getIncomingValueForBlock(L->getLoopLatch());
  Undecided = nullptr;
  Odometer::Rounds R;
  R.Count = Count;
  bool IsKnown = tentatively([&] {
    if (!P->getType()->isPointerTy()) {
      std::optional<Linear> V = build(Next, Signed, L);
      if (V)
        R.Becomes = *V;
      return V.has_value();
    }
    std::optional<PointerForm> V = buildPointer(Next, L);
    if (!V || (V->Base != P && V->Base != F.Base))
      return false;
    R.Becomes = {V->Bytes, true};
    return true;
  });
  if (IsKnown) {
    F.Kinds.push_back(std::move(R));
    return true;
  }
  Value *Cond = Undecided;
  if (!Cond || Decided->size() == MostTests)
    return false;
  std::optional<Carry> C;
  {
    SaveAndRestore<decltype(Decided)> Any(Decided, nullptr);
    C = matchCarry(Cond, P, Count, L);
  }
  if (!C)
    return false;
  Poly Wraps = Poly::atom(S.K.getFloorDivAtom(Count, C->Modulus));
  Decided->push_back({Cond, C->IfTrue});
  size_t First = F.Kinds.size();
  bool Ok = addRounds(P, Signed, Wraps, F);
  size_t Then = F.Kinds.size();
  if (Ok) {
    Decided->back().second = !C->IfTrue;
    Ok = addRounds(P, Signed, Count - Wraps, F);
  }
  Decided->pop_back();
  if (!Ok)
    return false;
  // Whether it starts again whenever this counter does.
  AtomId Hole = Unknowns[{P, Signed}];
  auto Restarts = [&](const auto &K) { return !K.Becomes.P.uses(Hole); };
  auto Wrapped = ArrayRef(F.Kinds).slice(First, Then - First);
  if (none_of(Wrapped, Restarts))
    return !C->OfItself;
  if (F.Modulus || F.Kinds.size() != Then + 1 ||
      !all_of(Wrapped, [&](const auto &K) { return K.Becomes.P == F.Start.P; }))
    return false;
  F.Modulus = C->Modulus;
  F.Tested = Count;
  F.IsCounter = C->OfItself;
  F.Moves = F.Kinds.back().Becomes;
  F.Kinds.truncate(First);
  return true;
}

/// Finds the form of a phi of an odometer: see above.
bool IndexBuilder::closeOdometer(PHINode *P, bool Signed, PhiForm &F) {
  const Loop *L = S.loopOf(P);
  const LoopControl &C = S.Controls.find(L)->second;
  const Loop *Parent = L == &S.Nest ? nullptr : L->getParentLoop();
  Value *Start = P->getIncomingValueForBlock(C.Preheader);
  if (C.Clamped)
    return false;
  Odometer O;
  if (P->getType()->isPointerTy()) {
    std::optional<PointerForm> A = buildPointer(Start, Parent);
    if (!A)
      return false;
    O.Base = A->Base;
    O.Start = {A->Bytes, true};
  } else {
    std::optional<Linear> A = build(Start, Signed, Parent);
    if (!A)
      return false;
    O.Start = *A;
  }
  SmallVector<std::pair<Value *, bool>, 4> Tests;
  SaveAndRestore<decltype(Decided)> Some(Decided, &Tests);
  SaveAndRestore<decltype(DecidedIn)> In(DecidedIn, L);
  SaveAndRestore<decltype(Undecided)> None(Undecided, nullptr);
  if (!addRounds(P, Signed, Poly::atom(S.K.getAxisAtom(C.Ax)), O))
    return false;
  std::optional<Linear> Form =
      O.Modulus ? closeRestarting(P, Signed, O) : closeMoving(P, Signed, O);
  if (!Form)
    return false;
  F.Base = O.Base;
  (Signed ? F.Signed : F.Unsigned) = *Form;
  return true;
}

/// By how much \p To is more than what stands for the phi; nullopt: that is not
/// one number in the loop.
std::optional<Poly> IndexBuilder::getStep(PHINode *P, bool Signed,
                                          const Poly &To) {
  Poly Step = To - Poly::atom(Unknowns[{P, Signed}]);
  if (Step.anyAtom([&](AtomId A) { return isPlaceholder(A); }) ||
      dependsOnLoops(Step, S.loopOf(P)))
    return std::nullopt;
  return Step;
}

/// The sum of all steps.
std::optional<Linear> IndexBuilder::closeMoving(PHINode *P, bool Signed,
                                                const Odometer &O) {
  Linear Form = O.Start;
  for (const Odometer::Rounds &R : O.Kinds) {
    std::optional<Poly> Step = getStep(P, Signed, R.Becomes.P);
    std::optional<Poly> Moved =
        Step ? within(multiplyWithin(*Step, R.Count)) : std::nullopt;
    if (!Moved)
      return std::nullopt;
    Form.P += *Moved;
    Form.Exact &= R.Becomes.Exact;
  }
  return Form;
}

/// Start + step * (tests % modulus), if other rounds change nothing.
std::optional<Linear> IndexBuilder::closeRestarting(PHINode *P, bool Signed,
                                                    const Odometer &O) {
  Poly Hole = Poly::atom(Unknowns[{P, Signed}]);
  std::optional<Poly> Step = getStep(P, Signed, O.Moves.P);
  if (!Step || (!all_of(O.Kinds, [&](const Odometer::Rounds &R) {
        return R.Becomes.P == Hole;
      }) && !DLOPT_PLANTED(OdometerMovesOn)))
    return std::nullopt;
  if (O.IsCounter && (*Step != Poly(1) || !O.Start.P.isZero()))
    return std::nullopt;
  std::optional<Poly> Moved = within(
      multiplyWithin(*Step, Poly::atom(S.K.getModAtom(O.Tested, *O.Modulus))));
  if (!Moved)
    return std::nullopt;
  // A counter stays below its modulus, which fits.
  return Linear{O.Start.P + *Moved,
                O.IsCounter || (O.Start.Exact && O.Moves.Exact)};
}
