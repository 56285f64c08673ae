//===- ClampedLoops.cpp - Loops over a part of a window -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Borders as bounds: `for (y = max(0, pad - i); y < min(3, h + pad - i); y++)`
/// has the rounds from the greatest of some numbers to the smallest of others.
/// A pair of them is as far apart for all points, here 0 and 3, so that the
/// loop is an axis of that length, and the other bounds are conditions on it,
/// y >= pad - i and y < h + pad - i, as if the source tested the border inside.
///
/// What a number is the greatest of is no matter of how it is written: of a
/// choice between two numbers it has to be proved, from what the condition says
/// and the ranges of axes, that it takes the greater one.
///
/// Windows with rows that are apart begin at the first one that is inside,
/// `while (y < 0) y += dilation;`, and go on in such steps. As a rule these are
/// 1, which is a need where it is not known: then a window begins at 0.
///
/// Rounds may also be counted, for (k = 0; k < length; k++) of a length that is
/// max(0, smallest end - greatest start). Then, and for pointers that go on
/// beside the loop, the axis has its first round where the greatest start is,
/// which is no polynomial: it stands as an unread value in what counts, and
/// cancels where that began with the window, too.
///
//===----------------------------------------------------------------------===//
#include "Index.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

static constexpr int64_t MinI64 = std::numeric_limits<int64_t>::min();
static constexpr int64_t MaxI64 = std::numeric_limits<int64_t>::max();

/// Numbers of which something is the greatest or the smallest.
using Bounds = SmallVector<Poly, 4>;
using Conditions = SmallVector<Constraint, 4>;

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

namespace dlopt {

/// Takes the bound of a loop apart.
class BoundFinder {
public:
  /// \p Ones: to which numbers are added that are 1 under needs.
  BoundFinder(IndexBuilder &IB, NestState &S, const Loop *Where, bool Signed,
              SmallVectorImpl<AtomId> &Ones)
      : IB(IB), S(S), Where(Where), Signed(Signed), Ones(Ones),
        Axes(S.axesOf(Where)) {}

  /// \p V is the greatest (the smallest) of \p Out where \p If holds. False: it
  /// is not known to be.
  bool find(Value *V, bool Greatest, const Conditions &If, Bounds &Out);

  /// \p V is how far it is from the greatest of \p Starts, which \p From is (or
  /// minus \p From), to the smallest of \p Ends.
  bool findDistance(Value *V, Bounds &Starts, Bounds &Ends, Value *&From,
                    bool &IsNegated);

private:
  /// One of two numbers.
  struct Choice {
    Value *Cond;
    Value *Of[2]; ///< where it holds, and where it does not
  };
  std::optional<Choice> getChoice(Instruction *I) const;
  bool findChoice(const Choice &C, bool Greatest, const Conditions &If,
                  Bounds &Out);
  bool findSum(BinaryOperator *B, bool Greatest, const Conditions &If,
               Bounds &Out);
  bool findRest(Value *Of, Value *Less, const Conditions &If, Bounds &Out);
  bool findWhole(const WholeNumber &W, bool Greatest, const Conditions &If,
                 Bounds &Out);
  bool findLeft(PHINode *P, const Conditions &If, Bounds &Out);
  bool findNumber(Value *V, const Conditions &If, Bounds &Out);
  bool isExact(const Linear &L, unsigned Bits, const Conditions &If);

  IndexBuilder &IB;
  NestState &S;
  const Loop *Where;
  bool Signed;
  SmallVectorImpl<AtomId> &Ones;
  SmallVector<AxisId, 6> Axes;
  unsigned Depth = 0;
};

} // namespace dlopt

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
  int64_t Lo = Bits == 64 && Signed ? MinI64 : static_cast<int64_t>(T.Lo);
  int64_t Hi = T.Hi > MaxI64 ? MaxI64 : static_cast<int64_t>(T.Hi);
  if (Lo != MinI64 && isProved(S.K, L.P - Poly(Lo), If, Axes))
    Lo = MinI64;
  if (Hi != MaxI64 && isProved(S.K, Poly(Hi) - L.P, If, Axes))
    Hi = MaxI64;
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
  auto *Br = dyn_cast<BranchInst>(From->getTerminator());
  if (!Br || !Br->isConditional() || S.Ctx.LI.getLoopFor(From) != Home ||
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
  auto *Br = cast<BranchInst>(C.Exiting->getTerminator());
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

/// Whether a window of \p Length that begins at \p Start moves on with axes.
/// One that is said to begin so much in front of its end has another one in
/// itself: the image is read backwards, and the window does not move.
static bool isMoving(const Kernel &K, const Poly &Start, const Poly &Length) {
  auto IsAxis = [&](AtomId A) { return K.Atoms[A].K == Atom::Axis; };
  bool Rises = any_of(Start.terms(), [&](const Poly::Term &T) {
    return T.second > 0 && any_of(T.first, IsAxis);
  });
  return Rises && !Length.anyAtom([&](AtomId A) { return Start.uses(A); });
}

/// Of the pairs of \p Starts and \p Ends that are as far apart everywhere the
/// one that is nearest, as far as that is known, or else that of a window.
static std::optional<std::pair<unsigned, unsigned>>
choosePair(const Kernel &K, ArrayRef<Poly> Starts, ArrayRef<Poly> Ends) {
  // A length that is not known is rather that of a window than of an image.
  constexpr int64_t Unknown = 64;
  auto Rank = [&](const Poly &Start, const Poly &Length) {
    return isMoving(K, Start, Length) ? 0 : K.isFixed(Start) ? 1 : 2;
  };
  std::optional<std::pair<unsigned, unsigned>> Best;
  std::pair<int64_t, int> BestKey;
  for (auto [I, Start] : enumerate(Starts))
    for (auto [J, End] : enumerate(Ends)) {
      Poly Length = End - Start;
      if (!K.isFixed(Length) || Length.getConstant().value_or(1) < 1)
        continue;
      std::pair<int64_t, int> Key = {Length.getConstant().value_or(Unknown),
                                     Rank(Start, Length)};
      if (!Best || Key < BestKey) {
        Best = {I, J};
        BestKey = Key;
      }
    }
  return Best;
}

/// Which rounds \p L has: from the greatest of some numbers on, or to the
/// smallest of others, in an axis that has as many rounds everywhere.
bool IndexBuilder::setExtentAndConditions(Loop &L, ICmpInst *C,
                                          bool ContinueIfTrue) {
  LoopControl &Control = S.Controls.find(&L)->second;
  CmpInst::Predicate Pred =
      ContinueIfTrue ? C->getPredicate() : C->getInversePredicate();
  Value *Index = C->getOperand(0), *Bound = C->getOperand(1);
  if (ICmpInst::isGT(Pred) || ICmpInst::isGE(Pred)) {
    std::swap(Index, Bound);
    Pred = CmpInst::getSwappedPredicate(Pred);
  }
  auto *Phi = dyn_cast<PHINode>(Index);
  if (&L == &S.Nest || Control.Exit != ExitKind::Header || !Phi ||
      Phi->getParent() != L.getHeader() || Phi->getNumIncomingValues() != 2 ||
      !Phi->getType()->isIntegerTy() || Control.Clamped ||
      !S.K.Axes[Control.Ax].Extents.empty())
    return false;
  // Up to and with the greatest number there is a loop would not end.
  auto *Next =
      dyn_cast<BinaryOperator>(Phi->getIncomingValueForBlock(Control.Latch));
  Value *Step = nullptr;
  if (!Next || !match(Next, m_c_Add(m_Specific(Phi), m_Value(Step))) ||
      (isa<ConstantInt>(Step) && !match(Step, m_One())))
    return false;
  if (isa<ConstantInt>(Step) && setExtentToDistance(L, Phi, Pred, Bound))
    return true;
  if (!ICmpInst::isRelational(Pred) ||
      (ICmpInst::isLE(Pred) &&
       !(ICmpInst::isSigned(Pred) ? Next->hasNoSignedWrap()
                                  : Next->hasNoUnsignedWrap())))
    return false;
  const Loop *Parent = L.getParentLoop();
  bool Signed = CmpInst::isSigned(Pred);
  Value *Start = Phi->getIncomingValueForBlock(Control.Preheader);
  SaveAndRestore<bool> Require(RequireSides, true);
  return tentatively([&] {
    Bounds Starts, Ends;
    SmallVector<AtomId, 2> Ones;
    BoundFinder Finder(*this, S, Parent, Signed, Ones);
    if (!requireOne(Step, Parent, Ones) ||
        !Finder.find(Start, /*Greatest=*/true, {}, Starts) ||
        Starts.size() < 2 || !Finder.find(Bound, /*Greatest=*/false, {}, Ends))
      return false;
    for (Poly &End : Ends)
      End += Poly(ICmpInst::isLE(Pred));
    for (AtomId One : Ones)
      for (Bounds *Of : {&Starts, &Ends})
        for (Poly &P : *Of)
          P = P.substitute(One, Poly(1));
    if (!setRounds(L, Phi, Signed, Starts, Ends))
      return false;
    Control.FirstRound = Poly::atom(getUnread(Start)) - Control.Start;
    return true;
  });
}

/// Rounds of a window that count from 0 up to how many there are: the axis is
/// that of the window.
bool IndexBuilder::setExtentToDistance(Loop &L, PHINode *Phi,
                                       CmpInst::Predicate Pred, Value *Bound) {
  LoopControl &Control = S.Controls.find(&L)->second;
  if (!match(Phi->getIncomingValueForBlock(Control.Preheader), m_Zero()))
    return false;
  SmallVector<Value *, 3> Lengths = {Bound};
  Value *X = nullptr;
  while (match(Lengths.back(), m_NNegZExt(m_Value(X))) ||
         match(Lengths.back(), m_SExt(m_Value(X))))
    Lengths.push_back(X);
  // Not less than none, or the comparison says so.
  bool IsLength = match(Lengths.back(), m_c_SMax(m_Value(X), m_Zero())) &&
                  all_of(Lengths, [&](Value *V) { return S.isInside(V); });
  bool FromZero = Pred == CmpInst::ICMP_SLT;
  if (!(IsLength && (Pred == CmpInst::ICMP_ULT || Pred == CmpInst::ICMP_NE)) &&
      !FromZero)
    return false;
  SaveAndRestore<bool> Require(RequireSides, true);
  return tentatively([&] {
    Bounds Starts, Ends;
    Value *From = nullptr;
    bool IsNegated = false;
    SmallVector<AtomId, 2> Ones;
    BoundFinder Finder(*this, S, L.getParentLoop(), /*Signed=*/true, Ones);
    if (!Finder.findDistance(IsLength ? X : Lengths.back(), Starts, Ends, From,
                             IsNegated) ||
        !setRounds(L, Phi, /*Signed=*/true, Starts, Ends))
      return false;
    Poly First = Poly::atom(getUnread(From));
    Control.FirstRound = (IsNegated ? Poly() - First : First) - Control.Start;
    Control.Start = Poly() - Control.FirstRound;
    Control.InBothReadings = true;
    if (IsLength) {
      AtomId Length = getUnread(Bound);
      for (Value *V : Lengths)
        Unread[V] = Length;
      Control.Rounds = Poly::atom(Length);
    }
    return true;
  });
}

/// \p Phi counts in \p L from the greatest of \p Starts to the smallest of
/// \p Ends, which it does not reach.
bool IndexBuilder::setRounds(Loop &L, PHINode *Phi, bool Signed,
                             ArrayRef<Poly> Starts, ArrayRef<Poly> Ends) {
  auto IsUnknown = [&](const Poly &P) {
    return dependsOnLoops(P, &L) ||
           P.anyAtom([&](AtomId A) { return isPlaceholder(A); });
  };
  if (any_of(Starts, IsUnknown) || any_of(Ends, IsUnknown))
    return false;
  auto Pair = choosePair(S.K, Starts, Ends);
  if (!Pair)
    return false;
  LoopControl &C = S.Controls.find(&L)->second;
  SmallVector<AxisId, 6> Outer = S.axesOf(L.getParentLoop());
  SmallVector<AxisId, 6> Axes = S.axesOf(&L);
  auto Fits = [&](const Poly &P, ArrayRef<AxisId> Around) {
    if (!getRange(S.K, P, Around).within(MinI64, MaxI64))
      S.addInRange(P, MinI64, MaxI64);
  };
  const Poly &First = Starts[Pair->first];
  Poly Rounds = Ends[Pair->second] - First;
  Fits(Rounds, Outer);
  S.K.Axes[C.Ax].Extents.push_back(Rounds);
  Poly At = First + Poly::atom(S.K.getAxisAtom(C.Ax));
  Conditions Within;
  for (auto [I, Start] : enumerate(Starts))
    if (I != Pair->first)
      Within.push_back({At - Start, false});
  for (auto [I, End] : enumerate(Ends))
    if (I != Pair->second)
      Within.push_back({End - At - Poly(1), false});
  for (const Constraint &X : Within)
    Fits(X.P, Axes);
  // In its rounds the index is between a start and an end, in either reading if
  // one of these is on this side of where the readings part.
  Range T = getTypeRange(Phi->getType()->getIntegerBitWidth(), true);
  auto InBoth = [&](const Poly &P) {
    Range R = getRange(S.K, P, Outer);
    return Signed ? R.Lo >= 0 : R.Hi <= T.Hi;
  };
  C.Clamped = Phi;
  C.Start = First;
  C.IsSigned = Signed;
  C.InBothReadings = any_of(Signed ? Starts : Ends, InBoth);
  C.Within = std::move(Within);
  forgetForms();
  return true;
}
