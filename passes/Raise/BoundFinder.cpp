//===- BoundFinder.cpp - What bounds of loops are the greatest of ---------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a number is the greatest of is no matter of how it is written: of a
/// choice between two numbers it has to be proved, from what the condition says
/// and the ranges of axes, that it takes the greater one.
///
/// Windows with rows that are apart begin at the first one that is inside,
/// `while (y < 0) y += dilation;`, and go on in such steps. As a rule these are
/// 1, which is a need where it is not known: then a window begins at 0.
///
//===----------------------------------------------------------------------===//
#include "BoundFinder.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

/// Bounds the time: a proof asks for each pair.
static constexpr unsigned MaxBounds = 4, MaxConditions = 8;

/// Whether sums and differences of such numbers are what they are as integers.
static bool hasSmallNumbers(const Poly &P) {
  return all_of(P.terms(),
                [](const Poly::Term &T) { return isInt<34>(T.second); });
}

/// \p P less as often \p By as lets an axis cancel; nullopt if there is none,
/// or, of what is only known not to be negative, that were less than never.
static std::optional<Poly> cancel(const Poly &P, const Constraint &By) {
  if (!hasSmallNumbers(P) || !hasSmallNumbers(By.P))
    return std::nullopt;
  for (const Poly::Term &Of : By.P.terms()) {
    const auto *It = find_if(P.terms(), [&](const Poly::Term &T) {
      return T.first == Of.first && T.second % Of.second == 0;
    });
    if (Of.first.empty() || It == P.terms().end())
      continue;
    int64_t Times = It->second / Of.second;
    if (isInt<16>(Times) && (Times > 0 || By.IsEquality))
      return P - By.P * Poly(Times);
  }
  return std::nullopt;
}

/// Whether \p P is not negative where \p If holds, in rounds of \p Axes.
static bool isProved(const Kernel &K, const Poly &P, ArrayRef<Constraint> If,
                     ArrayRef<AxisId> Axes) {
  if (getRange(K, P, Axes).Lo >= 0)
    return true;
  for (auto [I, C] : enumerate(If)) {
    std::optional<Poly> Left = cancel(P, C);
    if (Left && isProved(K, *Left, If.drop_front(I + 1), Axes))
      return true;
  }
  return false;
}

/// Whether \p Step is 1, or a number of the nest that may be needed to be.
bool IndexBuilder::requireOne(Value *Step, const Loop *Where,
                              SmallVectorImpl<AtomId> &Ones) {
  std::optional<Poly> P = buildExact(Step, /*Signed=*/true, Where);
  if (!P || P->getConstant())
    return P && P->getConstant() == 1;
  std::optional<AtomId> A = P->getAtom();
  if (!A || isPlaceholder(*A) || S.K.Atoms[*A].K != Atom::Param ||
      S.K.Params[S.K.Atoms[*A].Ref].Depth)
    return false;
  if (!DLOPT_PLANTED(DilationAssumed))
    S.addInRange(*P, 1, 1);
  Ones.push_back(*A);
  return true;
}

/// Whether \p L is a number of its type where \p If holds, so that nothing has
/// wrapped.
bool BoundFinder::isExact(const Linear &L, unsigned Bits,
                          const Conditions &If) {
  Range T = getTypeRange(Bits, Signed);
  Range R = getRange(S.K, L.P, Axes);
  if (L.Exact || R.within(T.Lo, T.Hi))
    return true;
  // Of a type without a sign the upper half of 64 bits is not looked at.
  int64_t Lo = Bits == 64 && Signed ? INT64_MIN : static_cast<int64_t>(T.Lo);
  int64_t Hi = T.Hi > INT64_MAX ? INT64_MAX : static_cast<int64_t>(T.Hi);
  if (Lo != INT64_MIN && isProved(S.K, L.P - Poly(Lo), If, Axes))
    Lo = INT64_MIN;
  if (Hi != INT64_MAX && isProved(S.K, Poly(Hi) - L.P, If, Axes))
    Hi = INT64_MAX;
  if (R.Hi < Lo || R.Lo > Hi)
    return false;
  S.addInRange(L.P, Lo, Hi);
  return true;
}

bool BoundFinder::findNumber(Value *V, const Conditions &If, Bounds &Out) {
  std::optional<Linear> L = IB.build(V, Signed, Where);
  if (!L || L->P.anyAtom([&](AtomId A) { return A >= S.K.Atoms.size(); }) ||
      S.K.anyNestedAtom(L->P,
                        [](const Atom &A) { return A.K == Atom::Load; }) ||
      !hasSmallNumbers(L->P) ||
      !isExact(*L, V->getType()->getIntegerBitWidth(), If))
    return false;
  Out.push_back(L->P);
  return true;
}

bool BoundFinder::findChoice(const Choice &C, bool Greatest,
                             const Conditions &If, Bounds &Out) {
  Conditions Under[2] = {If, If};
  Bounds Parts[2];
  for (bool IsElse : {false, true}) {
    if (auto Cs = IB.buildConstraints(C.Cond, IsElse, Where))
      Under[IsElse].append(Cs->begin(), Cs->end());
    if (Under[IsElse].size() > MaxConditions ||
        !find(C.Of[IsElse], Greatest, Under[IsElse], Parts[IsElse]))
      return false;
  }
  // What is not chosen must not be beyond what is.
  for (bool IsElse : {false, true})
    for (const Poly &Other : Parts[!IsElse])
      if (none_of(Parts[IsElse], [&](const Poly &P) {
            return isProved(S.K, Greatest ? P - Other : Other - P,
                            Under[IsElse], Axes);
          }))
        return false;
  for (const Bounds &Part : Parts)
    for (const Poly &P : Part)
      if (!is_contained(Out, P))
        Out.push_back(P);
  return true;
}

/// A select, or where two sides of a branch meet.
std::optional<BoundFinder::Choice>
BoundFinder::getChoice(Instruction *I) const {
  if (auto *Select = dyn_cast<SelectInst>(I))
    return Choice{Select->getCondition(),
                  {Select->getTrueValue(), Select->getFalseValue()}};
  auto *P = dyn_cast<PHINode>(I);
  const Loop *Home = S.loopOf(I);
  if (!P || P->getNumIncomingValues() != 2 || !Home->contains(Where) ||
      P->getParent() == Home->getHeader())
    return std::nullopt;
  BasicBlock *From = S.Ctx.DT.getNode(P->getParent())->getIDom()->getBlock();
  auto *Br = dyn_cast<CondBrInst>(From->getTerminator());
  if (!Br || S.Ctx.LI.getLoopFor(From) != Home ||
      Br->getSuccessor(0) == Br->getSuccessor(1))
    return std::nullopt;
  Choice C{Br->getCondition(), {nullptr, nullptr}};
  for (bool IsElse : {false, true}) {
    BasicBlockEdge Side(From, Br->getSuccessor(IsElse));
    for (unsigned K : {0, 1})
      if (S.Ctx.DT.dominates(Side, P->getOperandUse(K)))
        C.Of[IsElse] = C.Of[IsElse] ? nullptr : P->getIncomingValue(K);
  }
  return C.Of[0] && C.Of[1] ? std::optional(C) : std::nullopt;
}

/// A sum, and a difference, with what is one number.
bool BoundFinder::findSum(BinaryOperator *B, bool Greatest,
                          const Conditions &If, Bounds &Out) {
  bool IsSub = B->getOpcode() == Instruction::Sub;
  auto *O = dyn_cast<OverflowingBinaryOperator>(B);
  if ((!IsSub && B->getOpcode() != Instruction::Add) ||
      !(Signed ? O->hasNoSignedWrap() : O->hasNoUnsignedWrap()))
    return false;
  for (unsigned Number : {1, 0}) {
    Bounds One, Parts;
    bool Found = IB.tentatively([&] {
      return findNumber(B->getOperand(Number), If, One) &&
             find(B->getOperand(1 - Number), (IsSub && !Number) != Greatest, If,
                  Parts);
    });
    if (!Found)
      continue;
    for (const Poly &P : Parts)
      Out.push_back(!IsSub ? P + One[0] : Number ? P - One[0] : One[0] - P);
    return true;
  }
  return false;
}

/// The greater one of a difference and 0.
bool BoundFinder::findRest(Value *Of, Value *Less, const Conditions &If,
                           Bounds &Out) {
  Bounds A, B;
  if (!findNumber(Of, If, A) || !findNumber(Less, If, B))
    return false;
  Out.append({A[0] - B[0], Poly()});
  return Out.size() <= MaxBounds;
}

/// What has been a number in between.
bool BoundFinder::findWhole(const WholeNumber &W, bool Greatest,
                            const Conditions &If, Bounds &Out) {
  Bounds Parts;
  if (!find(W.Of, Greatest, If, Parts))
    return false;
  for (Poly &P : Parts) {
    Range R = getRange(S.K, P, Axes);
    if (R.Hi < W.Lo || R.Lo > W.Hi)
      return false;
    if (!R.within(W.Lo, W.Hi))
      S.addInRange(P, W.Lo, W.Hi);
    Out.push_back(std::move(P));
  }
  return Out.size() <= MaxBounds;
}

/// Where `while (x < 0) x += step;` is left: at the greater one of 0 and where
/// it began, if the step is 1.
bool BoundFinder::findLeft(PHINode *P, const Conditions &If, Bounds &Out) {
  auto *X = dyn_cast<PHINode>(P->getIncomingValue(0));
  const Loop *From = X ? S.loopOf(X) : nullptr;
  auto It = From ? S.Controls.find(From) : S.Controls.end();
  if (It == S.Controls.end() || From == &S.Nest ||
      It->second.Exit != ExitKind::Header ||
      X->getParent() != From->getHeader())
    return false;
  const LoopControl &C = It->second;
  auto *Br = cast<CondBrInst>(C.Exiting->getTerminator());
  auto *Test = dyn_cast<ICmpInst>(Br->getCondition());
  Value *Step = nullptr;
  if (!Test || Test->getOperand(0) != X ||
      !From->getParentLoop()->contains(Where) || !Signed ||
      !match(X->getIncomingValueForBlock(C.Latch),
             m_c_Add(m_Specific(X), m_Value(Step))))
    return false;
  CmpInst::Predicate Pred = From->contains(Br->getSuccessor(0))
                                ? Test->getPredicate()
                                : Test->getInversePredicate();
  Bounds End;
  if (Pred != CmpInst::ICMP_SLT || !IB.requireOne(Step, Where, Ones) ||
      !findNumber(Test->getOperand(1), If, End) ||
      !find(X->getIncomingValueForBlock(C.Preheader), /*Greatest=*/true, If,
            Out))
    return false;
  Out.push_back(End[0]);
  return Out.size() <= MaxBounds;
}

bool BoundFinder::find(Value *V, bool Greatest, const Conditions &If,
                       Bounds &Out) {
  if (++Depth > 32 || !V->getType()->isIntegerTy() ||
      V->getType()->getIntegerBitWidth() > 64)
    return false;
  if (auto *P = dyn_cast<PHINode>(V);
      P && Greatest && P->getNumIncomingValues() == 1 && S.isInside(P))
    if (Bounds Found; IB.tentatively([&] { return findLeft(P, If, Found); })) {
      Out.append(Found);
      return Out.size() <= MaxBounds;
    }
  if (IB.tentatively([&] { return findNumber(V, If, Out); }))
    return Out.size() <= MaxBounds;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !S.isInside(I))
    return false;
  auto Find = [&](Value *Part) { return find(Part, Greatest, If, Out); };
  Value *X = nullptr, *Y = nullptr;
  // Without a sign what is taken off from a number leaves nothing of it.
  if (match(I, m_Intrinsic<Intrinsic::usub_sat>(m_Value(X), m_Value(Y))))
    return !Signed && Greatest && findRest(X, Y, If, Out);
  // Also selects, whose condition may speak of what is no one number.
  auto IsOneOf = [&](auto &&Max, auto &&Min) {
    return Greatest ? match(I, Max) : match(I, Min);
  };
  if (Signed ? IsOneOf(m_SMax(m_Value(X), m_Value(Y)),
                       m_SMin(m_Value(X), m_Value(Y)))
             : IsOneOf(m_UMax(m_Value(X), m_Value(Y)),
                       m_UMin(m_Value(X), m_Value(Y))))
    return Find(X) && Find(Y);
  if (isa<MinMaxIntrinsic>(I))
    return false;
  if (std::optional<Choice> C = getChoice(I))
    return findChoice(*C, Greatest, If, Out) && Out.size() <= MaxBounds;
  if (std::optional<WholeNumber> W = getWholeNumber(I))
    return W->Signed == Signed && findWhole(*W, Greatest, If, Out);
  if (match(I, m_SExt(m_Value(X))) && Signed)
    return Find(X);
  if (match(I, m_NNegZExt(m_Value(X))) && Signed)
    return Find(X);
  if (match(I, m_ZExt(m_Value(Y))) && !Signed)
    return Find(Y);
  auto *B = dyn_cast<BinaryOperator>(I);
  return B && findSum(B, Greatest, If, Out) && Out.size() <= MaxBounds;
}

bool BoundFinder::findDistance(Value *V, Bounds &Starts, Bounds &Ends,
                               Value *&From, bool &IsNegated) {
  auto *B = dyn_cast<BinaryOperator>(V);
  if (!B || !S.isInside(B) ||
      (B->getOpcode() != Instruction::Sub &&
       B->getOpcode() != Instruction::Add))
    return false;
  IsNegated = B->getOpcode() == Instruction::Add;
  for (unsigned Start : {1, 0}) {
    Bounds Parts;
    From = B->getOperand(Start);
    Ends.clear();
    bool Found = (Start || IsNegated) && IB.tentatively([&] {
      return find(From, /*Greatest=*/!IsNegated, {}, Parts) &&
             Parts.size() > 1 &&
             find(B->getOperand(1 - Start), /*Greatest=*/false, {}, Ends);
    });
    if (!Found)
      continue;
    for (const Poly &P : Parts)
      Starts.push_back(IsNegated ? Poly() - P : P);
    Range T = getTypeRange(V->getType()->getIntegerBitWidth(), true);
    for (const Poly &A : Starts)
      for (const Poly &E : Ends)
        if (!B->hasNoSignedWrap())
          S.addInRange(E - A, static_cast<int64_t>(T.Lo),
                       static_cast<int64_t>(T.Hi));
    return true;
  }
  return false;
}
