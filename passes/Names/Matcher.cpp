//===- Matcher.cpp - What letters of formulas stand for -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Matcher.h"
#include "Skeleton.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <map>

using namespace llvm;
using namespace dlopt;

Matcher::Matcher(Kernel &K, Algebra &A, ExprId E, const Formula &Target,
                 const std::set<ExprId> &Scalars, ValueKind Is)
    : K(K), A(A), E(E), Target(Target), Has(A, E), Is(Is), Samples(A) {
  Overwrites = findOverwrites();
  Scatters = K.anyNestedAtom(Target.Index, [&](const Atom &Of) {
    return Of.K == Atom::Load && A.depsOf(Of.Source.offset());
  });
  std::vector<uint32_t> Atoms;
  A.forEachAtom(E, [&](uint32_t Id) { Atoms.push_back(Id); });
  for (uint32_t Id : Atoms)
    if (const SymbolicAtom &X = A.atom(Id);
        X.K == SymbolicAtom::Load && X.Deps) {
      Loads.push_back(Id);
      AllDeps |= X.Deps;
    }
  NumFull =
      count_if(Loads, [&](uint32_t Id) { return A.atom(Id).Deps == AllDeps; });
  EqualSamples.emplace(A, EqualElements::InRound, AllDeps);
  ConstantSamples.emplace(A, EqualElements::All, AllDeps);
  for (uint32_t Id : Atoms) {
    const SymbolicAtom &X = A.atom(Id);
    if (X.K == SymbolicAtom::Load) {
      addArray(Id);
    } else if (X.K == SymbolicAtom::Reduction) {
      Rows.insert(X.How == Reduce::Scan ? AxisSet(1) << X.Ref : X.Axes);
      AllRows |= X.Axes;
    } else if (X.K == SymbolicAtom::Greater || X.K == SymbolicAtom::Equal) {
      addCondition(A.ofAtom(Id));
    } else if (X.K == SymbolicAtom::Call) {
      bool IsAngle = X.Name == "cos" || X.Name == "sin";
      if (IsAngle && !getLoads(X.Args[0]))
        Candidates.push_back({LetterCandidate::Indices, X.Args[0], 0});
      if (A.isUniform(Id))
        Numbers.push_back(A.ofAtom(Id));
    }
  }
  Rows.insert(AllRows);
  bool IsIndex = Loads.empty() && A.deps(E);
  for (uint32_t Id : Atoms)
    IsIndex &= A.atom(Id).K == SymbolicAtom::Integer;
  if (IsIndex)
    Candidates.push_back({LetterCandidate::Indices, E, 0});
  else
    addIndices();
  constexpr size_t MaxNumbers = 8;
  for (ExprId N : Scalars) {
    std::optional<double> C = A.getConstant(N);
    // 0.1 is 1 - 0.9.
    bool IsRest =
        C && *C > 1e-4 && *C < 0.5 && Scalars.count(A.constant(1 - *C));
    if (C != 1.0 && !IsRest && Numbers.size() < MaxNumbers)
      Numbers.push_back(N);
  }
  addFactors();
  addUniform();
  findComposed();
  findMoments();
  if (Is.HasBorders)
    findBorders();
}

void Matcher::addArray(uint32_t Id) {
  const SymbolicAtom &X = A.atom(Id);
  ExprId Value = A.ofAtom(Id);
  Candidates.push_back({LetterCandidate::Array, Value, getLoads(Value), X.Deps,
                        X.Ref == Target.Buf && X.Index == Target.Index});
  // The same for all elements: a number, but perhaps one of an array.
  if (!X.Deps)
    Numbers.push_back(Value);
}

/// Arrays beside the result whose elements are made anew of what they were.
void Matcher::findMoments() {
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &To : L.Assigns)
      for (uint32_t Id : Loads)
        if (const SymbolicAtom &X = A.atom(Id); X.Ref == To.Target.Buf &&
                                                X.Index == To.Target.offset() &&
                                                X.Ref != Target.Buf)
          Moments.insert(X.Ref);
  });
}

/// Functions of indices that arrays are added to: terms with a single index
/// that have their other factors in common.
void Matcher::addIndices() {
  std::map<SmallVector<Factor, 4>, ExprId> Sums;
  for (const Term &T : Terms(A.terms(E))) {
    SmallVector<Factor, 4> Rest(T.Factors);
    auto *At = find_if(Rest, [&](const Factor &F) {
      return F.Power == 1 && A.atom(F.Atom).K == SymbolicAtom::Integer;
    });
    if (At == Rest.end())
      continue;
    ExprId Index = A.scale(A.ofAtom(At->Atom), T.Coef);
    Rest.erase(At);
    auto [Sum, IsNew] = Sums.try_emplace(std::move(Rest), Index);
    if (!IsNew)
      Sum->second = A.add(Sum->second, Index);
  }
  for (const auto &[Rest, Sum] : Sums)
    if (A.deps(Sum) && A.terms(Sum).size() > 1) {
      double Unit = std::abs(A.terms(Sum)[0].Coef);
      Candidates.push_back(
          {LetterCandidate::Indices, A.scale(Sum, 1 / Unit), 0});
    }
}

/// What a sum has so many of is a number, as 2 is of x + x, and so are sizes
/// that it is divided by.
void Matcher::addFactors() {
  constexpr size_t MaxTerms = 2;
  const Terms &Of = A.terms(E);
  for (const Term &T : Of)
    for (const Factor &F : T.Factors)
      if (ExprId N = A.ofAtom(F.Atom);
          Of.size() <= MaxTerms && A.isUniform(F.Atom) && F.Power == -1 &&
          A.atom(F.Atom).K == SymbolicAtom::Integer &&
          !is_contained(Numbers, N))
        Numbers.push_back(N);
  for (const Term &T : Of)
    if (ExprId N = A.constant(T.Coef);
        Of.size() <= MaxTerms && T.Coef > 1 && T.Coef == std::round(T.Coef) &&
        !T.Factors.empty() && !is_contained(Numbers, N))
      Numbers.push_back(N);
}

/// What is computed of numbers alone and stored in many elements is a number.
void Matcher::addUniform() {
  bool IsNumber = Target.Deps && !A.deps(E) && !A.getConstant(E);
  A.forEachAtom(E, [&](uint32_t Id) {
    SymbolicAtom::Kind Kind = A.atom(Id).K;
    IsNumber &= Kind == SymbolicAtom::Integer || Kind == SymbolicAtom::Param ||
                Kind == SymbolicAtom::Sum || Kind == SymbolicAtom::Call;
  });
  if (IsNumber && !is_contained(Numbers, E))
    Numbers.push_back(E);
}

void Matcher::addCondition(ExprId Condition) {
  uint64_t Of = getLoads(Condition);
  Candidates.push_back({LetterCandidate::Condition, Condition, Of});
  Candidates.push_back({LetterCandidate::Condition, A.negate(Condition), Of});
}

uint64_t Matcher::getLoads(ExprId In) const {
  uint64_t Set = 0;
  A.forEachAtom(In, [&](uint32_t Id) {
    auto At = find(Loads, Id);
    if (At != Loads.end())
      Set |= uint64_t(1) << (At - Loads.begin());
  });
  return Set;
}

/// What sums over one row add up.
std::optional<ExprId> Matcher::getSummand(uint32_t Id) {
  const SymbolicAtom &X = A.atom(Id);
  auto IsMean = [](const SymbolicAtom &Of) {
    return Of.K == SymbolicAtom::Reduction && Of.How == Reduce::Mean;
  };
  if (IsMean(X))
    return X.Args[0];
  if (X.K != SymbolicAtom::Sum)
    return std::nullopt;
  ExprId Sum = A.constant(0);
  for (const Term &T : A.terms(X.Args[0])) {
    if (T.Factors.size() != 1 || !IsMean(A.atom(T.Factors[0].Atom)))
      return std::nullopt;
    ExprId Part = A.atom(T.Factors[0].Atom).Args[0];
    Sum = A.add(Sum, A.scale(Part, T.Coef));
  }
  return Sum;
}

/// Whether \p Exponent has the logarithm of an element, so that the exponential
/// of it is a power.
bool Matcher::isOfPower(ExprId Exponent) const {
  bool Result = false;
  A.forEachAtom(Exponent, [&](uint32_t Id) {
    const SymbolicAtom &Log = A.atom(Id);
    if (Log.K != SymbolicAtom::Call || Log.Name != "log")
      return;
    bool HasSum = false;
    A.forEachAtom(Log.Args[0], [&](uint32_t Inner) {
      HasSum |= A.atom(Inner).K == SymbolicAtom::Sum;
    });
    Result |= !HasSum;
  });
  return Result;
}

/// A sum of products of exponentials is one of exp(x) for some x.
void Matcher::findComposed() {
  std::vector<uint32_t> Atoms;
  A.forEachAtom(E, [&](uint32_t Id) { Atoms.push_back(Id); });
  for (uint32_t Id : Atoms) {
    std::optional<ExprId> Summand = getSummand(Id);
    if (!Summand)
      continue;
    ExprId X = A.log(*Summand);
    bool HasExp = false;
    A.forEachAtom(*Summand, [&](uint32_t Inner) {
      const SymbolicAtom &Y = A.atom(Inner);
      HasExp |=
          Y.K == SymbolicAtom::Call && Y.Name == "exp" && !isOfPower(Y.Args[0]);
    });
    if (HasExp && !A.getAtom(X) && !isOfPower(X))
      Candidates.push_back({LetterCandidate::Composed, X, getLoads(*Summand)});
  }
  HasComposed = any_of(Candidates, [](const LetterCandidate &C) {
    return C.K == LetterCandidate::Composed;
  });
}

//===----------------------------------------------------------------------===//
// Letters
//===----------------------------------------------------------------------===//

static bool isIn(char Letter, LetterSet Set) { return getLetter(Letter) & Set; }

bool Matcher::mayStandFor(char Letter, const LetterCandidate &C) const {
  switch (C.K) {
  case LetterCandidate::Composed:
    return Letter == 'x';
  case LetterCandidate::Condition:
    return Letter == (C.Loads ? 'w' : 'c');
  case LetterCandidate::Indices:
    return Letter == 'a';
  case LetterCandidate::Array:
    break;
  }
  // A number is not an array as well.
  if (isIn(Letter, OtherLetters) || (!C.Deps && B.Letters.has(C.Value)))
    return false;
  if (Letter == 'x' && !C.IsTarget &&
      (Axes == Over::Rotated || (Axes == Over::Update && Moments.empty())))
    return false;
  if (Letter == 'k') {
    const SymbolicAtom *Row = getArray('x');
    return Row && isOfRow(*A.getAtom(C.Value), *Row);
  }
  return !isIn(Letter, FullLetters) || C.Deps == AllDeps;
}

/// Whether \p X is an element of the row of \p Row.
bool Matcher::isOfRow(const SymbolicAtom &X, const SymbolicAtom &Row) const {
  if (Row.Ref != X.Ref || (X.Deps & B.Row))
    return false;
  Poly Start = Row.Index;
  for (AxisId Ax = 0; B.Row >> Ax; ++Ax)
    if (B.Row >> Ax & 1)
      Start = Start.substitute(K.getAxisAtom(Ax), Poly());
  // Which one is not known, or the same in all rows.
  Poly Between = X.Index - Start;
  for (const auto &[Factors, Coef] : Between.terms())
    if (any_of(Factors, [&](AtomId Id) { return K.Atoms[Id].K == Atom::Axis; }))
      return false;
  return true;
}

/// All ways to choose numbers for \p Letters.
void Matcher::chooseNumbers(const Pattern &F, StringRef Letters,
                            std::vector<NumberChoice> &Choices) {
  while (!Letters.empty() && !F.uses(Letters[0], B.Root))
    Letters = Letters.drop_front();
  if (Letters.empty()) {
    if (!mayYieldWithNumbers(F))
      return;
    NumberChoice &Choice = Choices.emplace_back();
    for (char Letter : NumberLetters)
      Choice.push_back(B.Letters.get(Letter).value_or(0));
    return;
  }
  bool IsParameter = Letters[0] == 'n' || Letters[0] == 'l';
  for (ExprId N : Numbers) {
    // Different letters are different numbers, and no rate is negative.
    std::optional<double> Constant = A.getConstant(N);
    if ((IsParameter && Constant) || B.Letters.has(N) ||
        (Axes == Over::Update && Constant == -1.0))
      continue;
    B.Letters.set(Letters[0], N);
    chooseNumbers(F, Letters.drop_front(), Choices);
    B.Letters.erase(Letters[0]);
  }
}

/// Whether \p F with the numbers that are chosen can be E for some arrays: it
/// is the same for all choices of these, if they are equal. Where not all are,
/// those of all axes have to be as many here as there.
bool Matcher::mayYieldWithNumbers(const Pattern &F) {
  if ((F.letterSet() & (OtherLetters | getLetter('k'))) ||
      (F.composes() && HasComposed))
    return true;
  bool AreAllFull = NumFull == Loads.size();
  unsigned Full = llvm::popcount(F.letterSet() & FullLetters);
  if (Full > NumFull)
    return false;
  if (AreAllFull || Full == NumFull)
    return F.mayBeOfEqual(E, *EqualSamples, B, AreAllFull);
  return F.hasDifferences() || F.mayBeOfEqual(E, *ConstantSamples, B, false);
}

/// Numbers for F's letters in the order of NumberLetters, as far as can be told
/// without arrays.
ArrayRef<Matcher::NumberChoice> Matcher::getNumberChoices(const Pattern &F) {
  auto [At, IsNew] = KnownNumbers.try_emplace({F.id(), B.Row, B.Root});
  if (IsNew)
    chooseNumbers(F, NumberLetters, At->second);
  return At->second;
}

/// Whether \p F is E but for numbers: with constants for them, with parameters,
/// of which is not known which is the greater one, or with constants for the
/// first two.
bool Matcher::yields(const Pattern &F) {
  constexpr double Constants[] = {0.37, 0.73, 0.91, 0.83, 0.61, 0.53, 0.0137};
  constexpr ParamId NoParam = 1u << 30;
  if (!hasAxes(Axes) || (F.uses('e', B.Root) && !hasOnlyEpsilons(A, E)))
    return false;
  // Weights decay, or stay, or grow.
  auto GetGrowth = [&](ExprId Value) {
    ExprId Factor, Rest;
    ExprId Old = B.Letters.get('x').value_or(A.load(Target.Buf, Target.Index));
    return A.splitLinear(Value, Old, Factor, Rest) ? compareToOne(A, Factor)
                                                   : 0;
  };
  for (size_t NumConstants : {NumberLetters.size(), size_t(2), size_t(0)}) {
    for (auto [I, Letter] : enumerate(NumberLetters))
      B.Letters.set(Letter, I < NumConstants ? A.constant(Constants[I])
                                             : A.param(NoParam + I));
    ExprId Own = F.evaluate(A, B);
    bool Same = haveSameSkeleton(A, Own, E) &&
                (Axes != Over::Update || GetGrowth(Own) == GetGrowth(E));
    for (char Letter : NumberLetters)
      B.Letters.erase(Letter);
    if (Same || A.hasFailed())
      return Same;
  }
  return false;
}

bool Matcher::bindArrays(const Pattern &F, size_t Next, uint64_t Left) {
  while (Next < F.letters().size() &&
         !isIn(F.letters()[Next], ArrayLetters | OtherLetters))
    ++Next;
  if (Next == F.letters().size()) {
    if (Left || A.hasFailed())
      return false;
    if (AnyNumbers)
      return yields(F);
    return hasAxes(Axes) && F.mayBe(E, Samples, B) && F.evaluate(A, B) == E;
  }
  char Letter = F.letters()[Next];
  for (const LetterCandidate &C : Candidates) {
    if ((C.Loads & ~Left) || !mayStandFor(Letter, C) ||
        (C.K == LetterCandidate::Composed && !F.hasExponentials()))
      continue;
    B.Letters.set(Letter, C.Value);
    if (bindArrays(F, Next + 1, Left & ~C.Loads))
      return true;
    B.Letters.erase(Letter);
  }
  return false;
}

/// With what is in B: the row and the root.
bool Matcher::fitsRow(const Pattern &F) {
  uint64_t All = maskTrailingOnes<uint64_t>(Loads.size());
  if (AnyNumbers)
    return bindArrays(F, 0, All);
  for (const NumberChoice &Choice : getNumberChoices(F)) {
    for (auto [Letter, N] : zip(NumberLetters, Choice))
      if (F.uses(Letter, B.Root))
        B.Letters.set(Letter, N);
    if (bindArrays(F, 0, All))
      return true;
    for (char Letter : NumberLetters)
      B.Letters.erase(Letter);
  }
  return false;
}

/// The formulas of a text that may be E by what they consist of; several rows
/// share a text.
ArrayRef<const Pattern *> Matcher::getFormulas(StringRef Text) {
  auto [At, IsNew] = KnownFormulas.try_emplace(Text.data());
  if (IsNew)
    for (const Pattern &F : Pattern::parse(Text)) {
      // A condition and what is composed may have any number.
      bool HasArrays = F.countArrays() == Loads.size() || F.composes();
      if (HasArrays && F.hasReductions() == (AllRows != 0) && F.mayYield(Has))
        At->second.push_back(&F);
    }
  return At->second;
}

bool Matcher::fits(const Pattern &F) {
  constexpr size_t MaxChoices = 150;
  size_t Choices = 1, Left = Numbers.size();
  for (char Letter : NumberLetters)
    if (F.letterSet() & getLetter(Letter))
      Choices *= Left ? Left-- : 0;
  if (!AnyNumbers && (!Choices || Choices > MaxChoices))
    return false;
  for (AxisSet Row : Rows)
    for (unsigned Root = 0; Root < (F.hasRoots() ? Pattern::NumRoots : 1);
         ++Root) {
      // The last forms have a maximum.
      if (A.hasFailed() || (Root > 2 && !Has.HasCases))
        continue;
      B = Binding();
      B.Row = Row;
      B.Outside = AllRows & ~Row;
      B.Root = Root;
      if (fitsRow(F))
        return true;
    }
  return false;
}

bool Matcher::fits(const Program &P) {
  bool IsAdded = P.Axes >= Over::Scattered1 && P.Axes <= Over::Folded;
  constexpr size_t MaxLoads = 64; // bits
  bool IsScattered = P.Axes >= Over::AddedTo && P.Axes <= Over::Unpooled;
  if (Loads.size() > MaxLoads || (Scatters && P.IsStep && !IsScattered) ||
      (Overwrites && !(Is.IsGain && IsAdded)) ||
      !P.Has.mayYield(Has, Loads.size(), AllRows))
    return false;
  Axes = P.Axes;
  AnyNumbers = P.AnyNumbers;
  return any_of(getFormulas(P.Formula),
                [&](const Pattern *F) { return fits(*F); });
}
