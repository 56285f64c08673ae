//===- AlgebraRewriting.cpp - Expressions in other places, or decided -----===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

bool Algebra::splitLinear(ExprId E, ExprId C, ExprId &A, ExprId &B) {
  uint32_t Of = terms(C)[0].Factors[0].Atom;
  Terms Linear, Rest;
  for (const Term &T : terms(E)) {
    auto At = find_if(T.Factors, [&](const Factor &F) { return F.Atom == Of; });
    if (At == T.Factors.end()) {
      Rest.push_back(T);
      continue;
    }
    if (At->Power != 1)
      return false;
    Linear.push_back(T);
    erase_if(Linear.back().Factors,
             [&](const Factor &F) { return F.Atom == Of; });
  }
  A = intern(std::move(Linear));
  B = intern(std::move(Rest));
  bool Inside = false;
  for (ExprId Part : {A, B})
    forEachAtom(Part, [&](uint32_t Id) { Inside |= Id == Of; });
  return !Inside;
}

ExprId Algebra::remake(const SymbolicAtom &A, ArrayRef<ExprId> Args) {
  switch (A.K) {
  case SymbolicAtom::Sum:
    return Args[0];
  case SymbolicAtom::Call:
    return A.Name == "exp"   ? exp(Args[0])
           : A.Name == "log" ? log(Args[0])
                             : call(A.Name, Args);
  case SymbolicAtom::Greater:
    return positive(sub(Args[0], constant(A.Bound)));
  case SymbolicAtom::Equal:
    return isZero(sub(Args[0], constant(A.Bound)));
  case SymbolicAtom::Max: {
    ExprId R = Args[0];
    for (ExprId Arg : drop_begin(Args))
      R = max(R, Arg);
    return R;
  }
  case SymbolicAtom::Reduction:
    return A.How == Reduce::Scan ? scan(A.Ref, Args[0])
                                 : reduce(A.How, A.Axes, Args[0]);
  default:
    return unknown(A.Deps);
  }
}

ExprId Algebra::substituteAtom(const SymbolicAtom &A, AxisId Ax,
                               const Poly &By) {
  AtomId From = K.getAxisAtom(Ax);
  if (A.K == SymbolicAtom::Reduction && A.How == Reduce::Scan && A.Ref == Ax)
    return unknown(A.Deps);
  SmallVector<ExprId, 2> Args;
  for (ExprId Arg : A.Args)
    Args.push_back(substitute(Arg, Ax, By));
  switch (A.K) {
  case SymbolicAtom::Load:
  case SymbolicAtom::Integer: {
    Poly Index = A.Index.substitute(From, By);
    // Inside divisions and loads it stays.
    if (K.dependsOn(A.Index.without(From), Ax))
      return unknown(A.Deps);
    return A.K == SymbolicAtom::Load ? load(A.Ref, Index) : integer(Index);
  }
  default:
    return remake(A, Args);
  }
}

ExprId Algebra::substitute(ExprId E, AxisId Ax, const Poly &By) {
  AxisSet Of = AxisSet(1) << Ax;
  if (!(deps(E) & Of))
    return E;
  if (Failed)
    return fail();
  ExprId Sum = constant(0);
  for (const Term &T : Terms(terms(E))) {
    ExprId Product = constant(T.Coef);
    for (const Factor &F : T.Factors) {
      ExprId Base = ofAtom(F.Atom);
      if (atom(F.Atom).Deps & Of)
        Base = substituteAtom(atom(F.Atom), Ax, By);
      else if (atom(F.Atom).K == SymbolicAtom::Sum)
        Base = atom(F.Atom).Args[0];
      Product = mul(Product, pow(Base, F.Power));
    }
    Sum = add(Sum, Product);
  }
  return Sum;
}

void Algebra::visitAtoms(ExprId E, SmallDenseSet<uint32_t, 16> &Seen,
                         function_ref<void(uint32_t)> Visit) const {
  for (const Term &T : terms(E))
    for (const Factor &F : T.Factors)
      if (Seen.insert(F.Atom).second) {
        Visit(F.Atom);
        for (ExprId Arg : atom(F.Atom).Args)
          visitAtoms(Arg, Seen, Visit);
      }
}

void Algebra::forEachAtom(ExprId E, function_ref<void(uint32_t)> Visit) const {
  SmallDenseSet<uint32_t, 16> Seen;
  visitAtoms(E, Seen, Visit);
}

bool Algebra::isUniform(uint32_t Id) const {
  const SymbolicAtom &X = atom(Id);
  if (X.Deps || X.K == SymbolicAtom::Load || X.K == SymbolicAtom::Unknown ||
      X.K == SymbolicAtom::Carried || X.K == SymbolicAtom::Reduction)
    return false;
  return all_of(X.Args, [&](ExprId Arg) {
    return all_of(terms(Arg), [&](const Term &T) {
      return all_of(T.Factors,
                    [&](const Factor &F) { return isUniform(F.Atom); });
    });
  });
}

bool Algebra::isOfIndices(ExprId E) const {
  bool Only = true;
  forEachAtom(E, [&](uint32_t Of) {
    Only &=
        atom(Of).K == SymbolicAtom::Integer || atom(Of).K == SymbolicAtom::Max;
  });
  return Only && deps(E);
}

static bool isIndexCondition(const Algebra &A, uint32_t Id) {
  const SymbolicAtom &C = A.atom(Id);
  return (C.K == SymbolicAtom::Greater || C.K == SymbolicAtom::Equal) &&
         A.isOfIndices(C.Args[0]);
}

/// Whether the atom \p Of is in \p In.
static bool hasAtom(const Algebra &A, ExprId In, uint32_t Of) {
  bool Found = false;
  A.forEachAtom(In, [&](uint32_t Id) { Found |= Id == Of; });
  return Found;
}

ExprId Algebra::mapFactors(ExprId E, function_ref<ExprId(uint32_t)> Base) {
  ExprId Sum = constant(0);
  for (const Term &T : Terms(terms(E))) {
    ExprId Product = constant(T.Coef);
    for (const Factor &F : T.Factors)
      Product = mul(Product, pow(Base(F.Atom), F.Power));
    Sum = add(Sum, Product);
  }
  return Sum;
}

ExprId Algebra::mapArguments(uint32_t Id, uint32_t Of,
                             function_ref<ExprId(ExprId)> Map) {
  const SymbolicAtom X = atom(Id);
  if (!any_of(X.Args, [&](ExprId Arg) { return hasAtom(*this, Arg, Of); }))
    return X.K == SymbolicAtom::Sum ? X.Args[0] : ofAtom(Id);
  SmallVector<ExprId, 2> Args;
  for (ExprId Arg : X.Args)
    Args.push_back(Map(Arg));
  return remake(X, Args);
}

ExprId Algebra::assume(ExprId E, uint32_t Of, bool Holds) {
  if (Failed || !hasAtom(*this, E, Of))
    return E;
  return mapFactors(decide(E, Of, Holds), [&](uint32_t Id) {
    return mapArguments(Id, Of,
                        [&](ExprId Arg) { return assume(Arg, Of, Holds); });
  });
}

ExprId Algebra::replace(ExprId E, uint32_t Of, ExprId By) {
  if (Failed || !hasAtom(*this, E, Of))
    return E;
  return mapFactors(E, [&](uint32_t Id) {
    return Id == Of ? By : mapArguments(Id, Of, [&](ExprId Arg) {
      return replace(Arg, Of, By);
    });
  });
}

ExprId Algebra::withoutPadding(ExprId E) {
  constexpr unsigned MaxConditions = 16;
  std::set<uint32_t> Kept;
  for (unsigned I = 0; I != MaxConditions && !Failed; ++I) {
    std::optional<uint32_t> Condition;
    forEachAtom(E, [&](uint32_t Id) {
      if (!Condition && !Kept.count(Id) && isIndexCondition(*this, Id))
        Condition = Id;
    });
    if (!Condition)
      break;
    if (std::optional<ExprId> More = decideByLoads(E, *Condition, std::nullopt))
      E = *More;
    else
      Kept.insert(*Condition);
  }
  return withoutClamps(E);
}

unsigned Algebra::countAtoms(ExprId E) const {
  unsigned N = 0;
  forEachAtom(E, [&](uint32_t) { ++N; });
  return N;
}

ExprId Algebra::withoutClamps(ExprId E) {
  ExprId AtEnds = replaceClamps(E, true);
  if (AtEnds == E)
    return E;
  // How many elements a window has that is not cut off is how many rounds its
  // loops have, and is nothing then beside a sum over these.
  ExprId Whole = replaceClamps(E, false);
  return countAtoms(Whole) < countAtoms(AtEnds) ? Whole : AtEnds;
}

ExprId Algebra::replaceClamps(ExprId E, bool ByEnds) {
  // What an index is cut off at has none of the axes.
  auto GetArg = [&](const SymbolicAtom &X, bool IsEnd) {
    std::optional<ExprId> Found;
    if (X.K == SymbolicAtom::Max)
      for (ExprId Arg : X.Args)
        if (!deps(Arg) == IsEnd)
          Found = Arg;
    return Found;
  };
  constexpr unsigned MaxClamps = 16;
  for (unsigned I = 0; I != MaxClamps && !Failed; ++I) {
    // The innermost ones first.
    std::optional<uint32_t> Clamp;
    forEachAtom(E, [&](uint32_t Id) {
      if (isOfIndices(ofAtom(Id)) && GetArg(atom(Id), true))
        Clamp = Id;
    });
    std::optional<ExprId> By =
        Clamp ? GetArg(atom(*Clamp), ByEnds) : std::nullopt;
    if (!By)
      break;
    E = replace(E, *Clamp, *By);
  }
  return E;
}

std::optional<ExprId> Algebra::getMaximand(ExprId E, ExprId C) {
  if (E == C)
    return scale(infinity(), -1);
  if (const SymbolicAtom *M = getAtom(E); M && M->K == SymbolicAtom::Max) {
    if (!is_contained(M->Args, C))
      return std::nullopt;
    std::optional<ExprId> Each;
    for (ExprId Arg : SmallVector<ExprId, 2>(M->Args))
      if (Arg != C)
        Each = Each ? max(*Each, Arg) : Arg;
    return Each;
  }
  // Where a condition holds that says nothing about what is carried.
  if (std::optional<uint32_t> Condition = findCondition(E)) {
    std::optional<ExprId> If = getMaximand(decide(E, *Condition, true), C);
    std::optional<ExprId> Else = getMaximand(decide(E, *Condition, false), C);
    if (If && Else)
      return select(ofAtom(*Condition), *If, *Else);
    return std::nullopt;
  }
  // e > c ? e : c, behind another condition.
  std::optional<uint32_t> Found;
  for (const Term &T : terms(E))
    for (const Factor &F : T.Factors)
      if (atom(F.Atom).K == SymbolicAtom::Greater)
        Found = F.Atom;
  if (!Found)
    return std::nullopt;
  ExprId Above = decide(E, *Found, true), Below = decide(E, *Found, false);
  if (Above == C)
    std::swap(Above, Below);
  else if (Below != C)
    return std::nullopt;
  ExprId Difference = sub(Above, C);
  if (E != add(C, mul(positive(Difference), Difference)))
    return std::nullopt;
  return Above;
}

int Algebra::getSignOfVariance(ExprId E) {
  if (terms(E).size() != 2)
    return 0;
  // A mean of squares and a square of a mean, and what both are times.
  auto TakeMean = [&](Factors &Of, double Power) -> const SymbolicAtom * {
    for (Factor &F : Of) {
      const SymbolicAtom &X = atom(F.Atom);
      if (F.Power != Power || X.K != SymbolicAtom::Reduction ||
          X.How != Reduce::Mean)
        continue;
      Of.erase(&F);
      return &X;
    }
    return nullptr;
  };
  for (unsigned First : {0, 1}) {
    Term Squares = terms(E)[First], Square = terms(E)[1 - First];
    const SymbolicAtom *Of = TakeMean(Squares.Factors, 1);
    const SymbolicAtom *Mean = TakeMean(Square.Factors, 2);
    if (Of && Mean && Of->Axes == Mean->Axes && Squares.Coef == -Square.Coef &&
        Squares.Factors == Square.Factors &&
        all_of(Squares.Factors, [&](auto &F) { return isNonNegative(F); }) &&
        Of->Args[0] == pow(Mean->Args[0], 2))
      return Squares.Coef > 0 ? 1 : -1;
  }
  return 0;
}
