//===- Algebra.cpp - Expressions: sums, products, powers ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

/// Relative difference of numbers that stand for the same: people round
/// constants, and 1/768 and 1 - 0.999 are others in single precision.
constexpr double Tolerance = 1e-4;
/// What is left of numbers that cancel.
constexpr double Rest = 1e-6;

static bool isInteger(double V) { return V == std::round(V); }
static bool isEven(double V) { return isInteger(V / 2); }
static bool isNear(double A, double B, double Tolerance) {
  return std::fabs(A - B) <= Tolerance * std::fabs(B);
}

double Algebra::snap(double V) {
  if (isInteger(V))
    return V;
  if (double R = std::round(V); R != 0 && isNear(V, R, Rest))
    return R;
  auto At = Numbers.lower_bound(V);
  if (At != Numbers.end() && isNear(V, *At, Tolerance))
    return *At;
  if (At != Numbers.begin() && isNear(V, *std::prev(At), Tolerance))
    return *std::prev(At);
  Numbers.insert(V);
  return V;
}

//===----------------------------------------------------------------------===//
// Atoms and sums of terms
//===----------------------------------------------------------------------===//

AxisSet Algebra::depsOf(const Poly &P) const {
  AxisSet Deps = 0;
  for (AxisId A = 0; A < K.Axes.size(); ++A)
    if (K.dependsOn(P, A))
      Deps |= AxisSet(1) << A;
  return Deps;
}

AxisSet Algebra::deps(ExprId E) const {
  AxisSet Deps = 0;
  for (const Term &T : terms(E))
    for (const Factor &F : T.Factors)
      Deps |= atom(F.Atom).Deps;
  return Deps;
}

uint32_t Algebra::carries(ExprId E) const {
  uint32_t Carries = 0;
  for (const Term &T : terms(E))
    for (const Factor &F : T.Factors)
      Carries = std::max(Carries, atom(F.Atom).Carries);
  return Carries;
}

/// Of one kernel.
constexpr size_t MaxAtoms = 4000;

uint32_t Algebra::intern(SymbolicAtom A) {
  switch (A.K) {
  case SymbolicAtom::Load:
  case SymbolicAtom::Integer:
    A.Deps = depsOf(A.Index);
    break;
  case SymbolicAtom::Carried:
    A.Carries = A.Ref + 1;
    break;
  default:
    break;
  }
  for (ExprId Arg : A.Args) {
    A.Deps |= deps(Arg);
    A.Carries = std::max(A.Carries, carries(Arg));
  }
  A.Deps &= ~A.Axes;
  Failed |= Atoms.size() > MaxAtoms;
  auto [At, New] = AtomIds.try_emplace(std::move(A), Atoms.size());
  if (New)
    Atoms.push_back(&At->first);
  return At->second;
}

ExprId Algebra::fail() {
  Failed = true;
  return intern(Terms());
}

void Algebra::limit(unsigned Of) { Limit = std::min(MaxSteps, Steps + Of); }

bool Algebra::forgive() {
  if (Steps >= MaxSteps || Atoms.size() > MaxAtoms)
    return false;
  Failed = false;
  Depth = 0;
  return true;
}

size_t Algebra::TermsHash::operator()(const Terms &Of) const {
  uint64_t Hash = Of.size();
  auto Mix = [&](uint64_t V) {
    Hash = (Hash ^ V) * 0x9e3779b97f4a7c15;
    Hash ^= Hash >> 29;
  };
  for (const Term &T : Of) {
    Mix(bit_cast<uint64_t>(T.Coef));
    for (const Factor &F : T.Factors) {
      Mix(F.Atom);
      Mix(bit_cast<uint64_t>(F.Power));
    }
  }
  return Hash;
}

/// Sorts and adds up; terms that cancel but for rounding are gone.
ExprId Algebra::intern(Terms T) {
  constexpr size_t MaxTerms = 160;
  llvm::sort(
      T, [](const Term &A, const Term &B) { return A.Factors < B.Factors; });
  Terms Sum;
  for (auto At = T.begin(); At != T.end();) {
    double Coef = 0, Largest = 0;
    auto Group = At;
    for (; At != T.end() && At->Factors == Group->Factors; ++At) {
      Coef += At->Coef;
      Largest = std::max(Largest, std::fabs(At->Coef));
    }
    if (std::fabs(Coef) <= Rest * Largest)
      continue;
    Sum.push_back(std::move(*Group));
    Sum.back().Coef = snap(Coef);
    Failed |= !std::isfinite(Coef);
  }
  if (Sum.size() > MaxTerms) {
    Failed = true;
    Sum.clear();
  }
  auto [At, New] = ExprIds.try_emplace(std::move(Sum), Exprs.size());
  if (New)
    Exprs.push_back(&At->first);
  return At->second;
}

ExprId Algebra::ofTerm(Factors F, double Coef) {
  Terms T(1);
  T[0].Factors = std::move(F);
  T[0].Coef = Coef;
  return intern(std::move(T));
}

ExprId Algebra::ofAtom(uint32_t A) { return ofTerm({{A, 1}}, 1); }
ExprId Algebra::of(SymbolicAtom A) { return ofAtom(intern(std::move(A))); }

const SymbolicAtom *Algebra::getAtom(ExprId E) const {
  const Terms &T = terms(E);
  if (T.size() != 1 || T[0].Coef != 1 || T[0].Factors.size() != 1 ||
      T[0].Factors[0].Power != 1)
    return nullptr;
  return &atom(T[0].Factors[0].Atom);
}

std::optional<double> Algebra::getConstant(ExprId E) const {
  const Terms &T = terms(E);
  if (T.empty())
    return 0;
  if (T.size() == 1 && T[0].Factors.empty())
    return T[0].Coef;
  return std::nullopt;
}

ExprId Algebra::constant(double V) {
  // What masks put in place of minus infinity.
  constexpr double Huge = 1e8;
  if (std::isnan(V))
    return unknown(0);
  if (std::fabs(V) >= Huge)
    return scale(infinity(), V < 0 ? -1 : 1);
  return ofTerm({}, V);
}

ExprId Algebra::infinity() {
  SymbolicAtom A;
  A.K = SymbolicAtom::Infinity;
  return of(std::move(A));
}

ExprId Algebra::param(ParamId P) {
  SymbolicAtom A;
  A.K = SymbolicAtom::Param;
  A.Ref = P;
  return of(std::move(A));
}

ExprId Algebra::load(BufferId B, const Poly &Offset) {
  SymbolicAtom A;
  A.K = SymbolicAtom::Load;
  A.Ref = B;
  A.Index = Offset;
  return of(std::move(A));
}

ExprId Algebra::carried(AxisSet Deps) {
  SymbolicAtom A;
  A.K = SymbolicAtom::Carried;
  A.Ref = NumCarried++;
  A.Deps = Deps;
  return of(std::move(A));
}

ExprId Algebra::unknown(AxisSet Deps) {
  SymbolicAtom A;
  A.Ref = NumUnknown++;
  A.Deps = Deps;
  return of(std::move(A));
}

ExprId Algebra::integer(const Poly &P) {
  ExprId Sum = intern(Terms());
  for (const auto &[M, Coef] : P.terms()) {
    ExprId Product = ofTerm({}, static_cast<double>(Coef));
    for (AtomId Id : M) {
      const Atom &Of = K.Atoms[Id];
      SymbolicAtom A;
      A.K = SymbolicAtom::Integer;
      A.Index = Poly::atom(Id);
      Product = mul(Product, Of.K == Atom::Load
                                 ? load(Of.Source.Buf, Of.Source.offset())
                                 : of(std::move(A)));
    }
    Sum = add(Sum, Product);
  }
  return Sum;
}

ExprId Algebra::add(ExprId A, ExprId B) {
  Terms T = terms(A);
  llvm::append_range(T, terms(B));
  return intern(std::move(T));
}

ExprId Algebra::scale(ExprId A, double By) {
  Terms T = terms(A);
  for (Term &Part : T)
    Part.Coef *= By;
  return By == 0 ? intern(Terms()) : intern(std::move(T));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static bool isCondition(const SymbolicAtom &A) {
  return A.K == SymbolicAtom::Greater || A.K == SymbolicAtom::Equal;
}

Term Algebra::multiply(const Term &A, const Term &B) {
  Term R;
  R.Coef = A.Coef * B.Coef;
  const Factor *I = A.Factors.begin(), *J = B.Factors.begin();
  while (I != A.Factors.end() || J != B.Factors.end()) {
    Factor F;
    if (J == B.Factors.end() || (I != A.Factors.end() && I->Atom < J->Atom))
      F = *I++;
    else if (I == A.Factors.end() || J->Atom < I->Atom)
      F = *J++;
    else {
      F = {I->Atom, snap(I->Power + J->Power)};
      ++I, ++J;
      // A condition is its own square.
      if (isCondition(atom(F.Atom)))
        F.Power = 1;
    }
    if (F.Power != 0)
      R.Factors.push_back(F);
  }
  // x > 1 and x > 6 is x > 6.
  erase_if(R.Factors, [&](const Factor &F) {
    const SymbolicAtom &X = atom(F.Atom);
    return X.K == SymbolicAtom::Greater && any_of(R.Factors, [&](auto &G) {
             const SymbolicAtom &Y = atom(G.Atom);
             return Y.K == X.K && Y.Args == X.Args && Y.Bound > X.Bound;
           });
  });
  return R;
}

/// Powers of sums that expand, and a / (a + b) as 1 - b / (a + b).
std::optional<ExprId> Algebra::rewrite(const Term &T) {
  for (const Factor &F : T.Factors) {
    const SymbolicAtom &A = atom(F.Atom);
    if (A.K != SymbolicAtom::Sum || !isInteger(F.Power))
      continue;
    Term Rest = T;
    erase_if(Rest.Factors, [&](const Factor &G) { return G.Atom == F.Atom; });
    if (F.Power > 0)
      return mul(ofTerm(Rest.Factors, Rest.Coef), pow(A.Args[0], F.Power));
    const Term &Lead = terms(A.Args[0]).back();
    bool Divides = all_of(Lead.Factors, [&](const Factor &L) {
      auto At = find_if(Rest.Factors,
                        [&](const Factor &G) { return G.Atom == L.Atom; });
      return At != Rest.Factors.end() && L.Power > 0 && At->Power >= L.Power;
    });
    if (!Divides || Lead.Factors.empty())
      continue;
    Term Inverse = Lead;
    for (Factor &L : Inverse.Factors)
      L.Power = -L.Power;
    Inverse.Coef = 1 / Lead.Coef;
    Term Quotient = multiply(Rest, Inverse);
    ExprId Others = sub(A.Args[0], ofTerm(Lead.Factors, Lead.Coef));
    ExprId Q = ofTerm(Quotient.Factors, Quotient.Coef);
    ExprId Once =
        F.Power == -1 ? constant(1) : ofTerm({{F.Atom, F.Power + 1}}, 1);
    ExprId Left = mul(Others, ofTerm({{F.Atom, F.Power}}, 1));
    return mul(Q, sub(Once, Left));
  }
  return std::nullopt;
}

ExprId Algebra::mul(ExprId A, ExprId B) {
  constexpr unsigned MaxDepth = 60;
  if (Failed || Depth > MaxDepth || ++Steps > Limit)
    return fail();
  ++Depth;
  Terms Plain;
  SmallVector<Term, 4> Later;
  for (const Term &X : terms(A))
    for (const Term &Y : terms(B)) {
      if (++Steps > Limit)
        Failed = true;
      Term T = multiply(X, Y);
      bool HasSum = any_of(T.Factors, [&](const Factor &F) {
        return atom(F.Atom).K == SymbolicAtom::Sum && isInteger(F.Power);
      });
      if (HasSum)
        Later.push_back(std::move(T));
      else
        Plain.push_back(std::move(T));
    }
  ExprId Sum = intern(std::move(Plain));
  for (const Term &T : Later) {
    if (Failed)
      break;
    std::optional<ExprId> E = rewrite(T);
    Sum = add(Sum, E ? *E : ofTerm(T.Factors, T.Coef));
  }
  --Depth;
  return Sum;
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// Exponentials, conditions, and numbers of iterations.
bool Algebra::isPositive(uint32_t A) const {
  const SymbolicAtom &X = atom(A);
  return (X.K == SymbolicAtom::Call && X.Name == "exp") ||
         X.K == SymbolicAtom::Integer || isCondition(X);
}

bool Algebra::isAbsolute(ExprId E) {
  std::optional<uint32_t> C = findCondition(E);
  if (!C || atom(*C).K != SymbolicAtom::Greater || atom(*C).Bound != 0)
    return false;
  ExprId Of = atom(*C).Args[0], Above = decide(E, *C, true);
  if (terms(Above).empty())
    return false;
  double Scale = terms(Above).back().Coef / terms(Of).back().Coef;
  return Scale > 0 && Above == scale(Of, Scale) &&
         decide(E, *C, false) == scale(Above, -1);
}

bool Algebra::isNonNegative(const Factor &F) {
  const SymbolicAtom &X = atom(F.Atom);
  return isEven(F.Power) || !isInteger(F.Power) || isPositive(F.Atom) ||
         (X.K == SymbolicAtom::Reduction && X.How != Reduce::ArgMax &&
          getSign(X.Args[0]) > 0);
}

int Algebra::getSign(ExprId E) {
  if (isAbsolute(E))
    return 1;
  if (int Sign = getSignOfVariance(E))
    return Sign;
  int Sign = 0;
  for (const Term &T : terms(E)) {
    int Own = T.Coef > 0 ? 1 : -1;
    if ((Sign && Sign != Own) ||
        !all_of(T.Factors, [&](auto &F) { return isNonNegative(F); }))
      return 0;
    Sign = Own;
  }
  return Sign;
}

ExprId Algebra::powTerm(const Term &T, double By) {
  if (T.Coef < 0 && !isInteger(By)) {
    SymbolicAtom A;
    A.K = SymbolicAtom::Call;
    A.Name = "pow";
    A.Args = {ofTerm(T.Factors, T.Coef), constant(By)};
    return of(std::move(A));
  }
  ExprId R = constant(std::pow(T.Coef, By));
  for (const Factor &F : T.Factors) {
    double Power = snap(F.Power * By);
    if (isCondition(atom(F.Atom)))
      Power = By > 0 ? 1 : Power;
    // sqrt(x * x) is abs(x).
    bool Folds = isEven(F.Power) && !isEven(Power) && !isInteger(By);
    if (Folds && !isPositive(F.Atom))
      R = mul(R, pow(abs(ofAtom(F.Atom)), Power));
    else
      R = mul(R, ofTerm({{F.Atom, Power}}, 1));
  }
  return R;
}

ExprId Algebra::takeContent(ExprId E, Term &Content) {
  Content = terms(E)[0];
  for (const Term &T : terms(E)) {
    // The lowest power of each atom, which is 0 where it does not occur.
    Factors Common;
    for (const Factor &F : concat<const Factor>(Content.Factors, T.Factors)) {
      auto In = [&](const Factors &Fs) {
        auto At =
            find_if(Fs, [&](const Factor &G) { return G.Atom == F.Atom; });
        return At == Fs.end() ? 0 : At->Power;
      };
      double Power = std::min(In(Content.Factors), In(T.Factors));
      if (Power != 0 && !is_contained(Common, Factor{F.Atom, Power}))
        Common.push_back({F.Atom, Power});
    }
    llvm::sort(Common);
    Content.Factors = std::move(Common);
  }
  erase_if(Content.Factors,
           [&](const Factor &F) { return isCondition(atom(F.Atom)); });
  Content.Coef = std::fabs(terms(E).back().Coef);
  Factors Inverse = Content.Factors;
  for (Factor &F : Inverse)
    F.Power = -F.Power;
  return mul(E, ofTerm(std::move(Inverse), 1 / Content.Coef));
}

ExprId Algebra::powSum(ExprId E, double By) {
  constexpr double MaxExpanded = 4;
  if (isInteger(By) && By > 0 && By <= MaxExpanded) {
    ExprId R = E;
    for (int I = 1; I < By; ++I)
      R = mul(R, E);
    return R;
  }
  Term Content;
  ExprId Base = takeContent(E, Content);
  if (terms(Base).size() < 2)
    return mul(powTerm(Content, By), pow(Base, By));
  double Sign = 1;
  if (isInteger(By) && terms(Base).back().Coef < 0) {
    Base = scale(Base, -1);
    Sign = isEven(By) ? 1 : -1;
  }
  SymbolicAtom A;
  A.K = SymbolicAtom::Sum;
  A.Args = {Base};
  ExprId Power = ofTerm({{intern(std::move(A)), By}}, Sign);
  return mul(powTerm(Content, By), Power);
}

ExprId Algebra::pow(ExprId E, double By) {
  By = snap(By);
  if (Failed)
    return fail();
  if (By == 0)
    return constant(1);
  if (By == 1)
    return E;
  if (terms(E).empty())
    return By > 0 ? E : infinity();
  if (auto R =
          splitCases(E, [&](ArrayRef<ExprId> In) { return pow(In[0], By); }))
    return *R;
  if (terms(E).size() == 1)
    return powTerm(terms(E)[0], By);
  return powSum(E, By);
}
