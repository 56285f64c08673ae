//===- Programs.cpp - Names of kernels by what they compute ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interprets the rows of Programs.def. A formula fits if for some choice of
/// what its letters stand for it is, in normal form, what the kernel computes.
///
//===----------------------------------------------------------------------===//
#include "Evaluator.h"
#include "Pattern.h"
#include "dlopt/Names.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace dlopt;

namespace {

enum class Over : uint8_t {
  Any,
  Rows,
  Batch,
  Groups,
  Instances,
  Windows,
  Channels,
  Update,
  Same,
  Reversed,
  Swapped,
  Permuted,
  Gathered
};

struct Program {
  StringLiteral Name;
  Over Axes;
  std::vector<Pattern> Formulas;
  bool IsStep;
};

const std::vector<Program> &getPrograms() {
  static const std::vector<Program> Programs = {
#define DLOPT_PROGRAM(NAME, OVER, FORMULA)                                     \
  {NAME, Over::OVER, Pattern::parse(FORMULA), false},
#define DLOPT_STEP(NAME, OVER, FORMULA)                                        \
  {NAME, Over::OVER, Pattern::parse(FORMULA), true},
#include "dlopt/Programs.def"
  };
  return Programs;
}

/// What a letter may stand for: an array, or an expression of some.
struct Candidate {
  enum Kind : uint8_t { Array, Composed, Condition } K;
  ExprId Value;
  std::set<uint32_t> Loads; ///< atoms
};

/// Tries formulas on one expression.
class Matcher {
public:
  Matcher(Kernel &K, Algebra &A, ExprId E, const Formula &Target,
          const std::set<ExprId> &Scalars);
  bool fits(const Program &P);

private:
  bool fits(const Pattern &F);
  bool bindArrays(const Pattern &F, size_t Next, std::set<uint32_t> &Left);
  bool bindNumbers(const Pattern &F, size_t Next);
  bool mayStandFor(char Letter, const Candidate &C) const;
  bool hasAxes(Over Axes) const;
  bool hasOrder(Over Axes) const;
  bool hasWindow(ArrayRef<AxisId> Order) const;
  std::set<uint32_t> getLoads(ExprId In) const;
  std::optional<ExprId> getSummand(uint32_t Id);
  void findComposed();
  bool isOfPower(ExprId Exponent) const;
  std::optional<AxisId> getOutermost(const Poly &Index) const;
  bool isFarther(const Poly &Index, AxisId X, AxisId Y) const;
  SmallVector<AxisId, 4> getOrder(const Poly &Index) const;
  const SymbolicAtom *getArray(char Letter) const;

  Kernel &K;
  Algebra &A;
  ExprId E;
  const Formula &Target;
  std::vector<Candidate> Candidates;
  std::set<uint32_t> Loads;
  AxisSet AllDeps = 0;
  std::set<AxisSet> Rows; ///< what reductions run over
  AxisSet AllRows = 0;
  std::vector<ExprId> Numbers;
  std::set<std::string> Functions; ///< that E calls
  Over Axes = Over::Any;
  Binding B;
};

} // namespace

Matcher::Matcher(Kernel &K, Algebra &A, ExprId E, const Formula &Target,
                 const std::set<ExprId> &Scalars)
    : K(K), A(A), E(E), Target(Target) {
  std::vector<uint32_t> Atoms;
  A.forEachAtom(E, [&](uint32_t Id) { Atoms.push_back(Id); });
  for (uint32_t Id : Atoms) {
    const SymbolicAtom &X = A.atom(Id);
    if (X.K == SymbolicAtom::Load) {
      Candidates.push_back({Candidate::Array, A.ofAtom(Id), {Id}});
      Loads.insert(Id);
      AllDeps |= X.Deps;
    } else if (X.K == SymbolicAtom::Reduction) {
      Rows.insert(X.Axes);
      AllRows |= X.Axes;
    } else if (X.K == SymbolicAtom::Greater || X.K == SymbolicAtom::Equal) {
      Candidate C{Candidate::Condition, A.ofAtom(Id), getLoads(C.Value)};
      Candidates.push_back(C);
      C.Value = A.negate(C.Value);
      Candidates.push_back(C);
    } else if (X.K == SymbolicAtom::Call) {
      Functions.insert(X.Name);
    }
  }
  Rows.insert(AllRows);
  constexpr size_t MaxNumbers = 8;
  for (ExprId N : Scalars) {
    std::optional<double> C = A.getConstant(N);
    // 0.1 is 1 - 0.9.
    bool IsRest =
        C && *C > 1e-4 && *C < 0.5 && Scalars.count(A.constant(1 - *C));
    if (C != 1.0 && !IsRest && Numbers.size() < MaxNumbers)
      Numbers.push_back(N);
  }
  findComposed();
}

std::set<uint32_t> Matcher::getLoads(ExprId In) const {
  std::set<uint32_t> Loads;
  A.forEachAtom(In, [&](uint32_t Id) {
    if (A.atom(Id).K == SymbolicAtom::Load)
      Loads.insert(Id);
  });
  return Loads;
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
    if (HasExp && !A.getAtom(X))
      Candidates.push_back({Candidate::Composed, X, getLoads(*Summand)});
  }
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// Whether steps along \p X are longer than along \p Y.
bool Matcher::isFarther(const Poly &Index, AxisId X, AxisId Y) const {
  std::optional<Poly> StepX = Index.coefficient(K.getAxisAtom(X));
  std::optional<Poly> StepY = Index.coefficient(K.getAxisAtom(Y));
  if (!StepX || !StepY || *StepX == *StepY)
    return false;
  std::optional<int64_t> CX = StepX->getConstant(), CY = StepY->getConstant();
  if (CX && CY)
    return *CX > *CY;
  if (CX || CY)
    return CY.has_value();
  return StepX->divideExactly(*StepY).has_value();
}

/// The axes of \p Index, longest steps first.
SmallVector<AxisId, 4> Matcher::getOrder(const Poly &Index) const {
  SmallVector<AxisId, 4> Order;
  AxisSet Deps = A.depsOf(Index);
  for (AxisId Ax = 0; Ax < K.Axes.size(); ++Ax)
    if (Deps >> Ax & 1)
      Order.insert(
          find_if(Order, [&](AxisId Of) { return isFarther(Index, Ax, Of); }),
          Ax);
  return Order;
}

const SymbolicAtom *Matcher::getArray(char Letter) const {
  auto At = B.Letters.find(Letter);
  const SymbolicAtom *X =
      At == B.Letters.end() ? nullptr : A.getAtom(At->second);
  return X && X->K == SymbolicAtom::Load ? X : nullptr;
}

/// Of a step in memory.
static bool isNegative(const Poly &P) {
  return !P.terms().empty() &&
         all_of(P.terms(), [](const auto &T) { return T.second < 0; });
}

/// Same, Reversed, Swapped, Permuted, Gathered.
bool Matcher::hasOrder(Over Axes) const {
  const SymbolicAtom *X = getArray('x');
  if (!X)
    return false;
  bool IsLoaded = K.anyNestedAtom(
      X->Index, [](const Atom &Of) { return Of.K == Atom::Load; });
  if (IsLoaded || Axes == Over::Gathered)
    return IsLoaded && Axes == Over::Gathered;
  SmallVector<AxisId, 4> From = getOrder(X->Index), To = getOrder(Target.Index);
  erase_if(To, [&](AxisId Ax) { return !is_contained(From, Ax); });
  if (From.size() != To.size())
    return false;
  // What is divided has no step.
  auto HasStep = [&](const Poly &Index, AxisId Ax) {
    return Index.uses(K.getAxisAtom(Ax));
  };
  if (!all_of(From, [&](AxisId Ax) {
        return HasStep(X->Index, Ax) && HasStep(Target.Index, Ax);
      }))
    return false;
  bool Reverses = any_of(From, [&](AxisId Ax) {
    AtomId Id = K.getAxisAtom(Ax);
    std::optional<Poly> X1 = X->Index.coefficient(Id);
    std::optional<Poly> T1 = Target.Index.coefficient(Id);
    return X1 && T1 && isNegative(*X1) != isNegative(*T1);
  });
  unsigned Moved = 0;
  for (auto [I, J] : zip(From, To))
    Moved += I != J;
  if (Reverses || Axes == Over::Reversed)
    return Axes == Over::Reversed && Reverses && !Moved;
  return Axes == Over::Same      ? Moved == 0
         : Axes == Over::Swapped ? Moved == 2
                                 : Moved > 2;
}

/// Whether the row lies in windows: axes of it on both sides of others, or as
/// the raiser has found.
bool Matcher::hasWindow(ArrayRef<AxisId> Order) const {
  unsigned Changes = 0;
  bool Before = false;
  for (AxisId Ax : Order) {
    bool InRow = B.Row >> Ax & 1;
    if (InRow && K.Axes[Ax].R == Role::Window)
      return true;
    Changes += InRow && !Before;
    Before = InRow;
  }
  return Changes > 1 && !(B.Row >> Order[0] & 1);
}

bool Matcher::hasAxes(Over Axes) const {
  if (Axes == Over::Any)
    return true;
  if (Axes >= Over::Same)
    return hasOrder(Axes);
  const SymbolicAtom *X = getArray('x');
  if (Axes == Over::Update)
    return true;
  AxisSet Of = 0;
  bool HasOthers = false, AllSame = true, Mixed = false;
  for (char Letter : StringRef(Axes == Over::Channels ? "gbmvr" : "gb"))
    if (const SymbolicAtom *Y = getArray(Letter)) {
      AllSame &= !HasOthers || Y->Deps == Of;
      Mixed |= (Y->Deps & B.Row) && (Y->Deps & ~B.Row);
      Of |= Y->Deps;
      HasOthers = true;
    }
  if (!X && Axes == Over::Windows)
    X = getArray('m');
  if (!X)
    return false;
  SmallVector<AxisId, 4> Order = getOrder(X->Index);
  if (Order.empty())
    return false;
  bool Outermost = B.Row >> Order[0] & 1;
  bool Whole = !(X->Deps & ~B.Row);
  switch (Axes) {
  case Over::Channels:
    return AllSame && Of && !(Of >> Order[0] & 1);
  case Over::Windows:
    return hasWindow(Order);
  case Over::Rows:
    return (!Outermost || Whole) && !(Of & ~B.Row);
  case Over::Batch:
    return Outermost && !Whole && !(Of & B.Row);
  case Over::Groups:
    return !Outermost && Mixed;
  default: // Instances
    return !Outermost && HasOthers && Of && !(Of & B.Row);
  }
}

//===----------------------------------------------------------------------===//
// Letters
//===----------------------------------------------------------------------===//

static bool isArrayLetter(char C) {
  return StringRef("xyzdgbmvrkw").contains(C);
}

bool Matcher::mayStandFor(char Letter, const Candidate &C) const {
  if (C.K != Candidate::Array)
    return Letter == (C.K == Candidate::Composed ? 'x' : 'w');
  if (Letter == 'w')
    return false;
  const SymbolicAtom &X = *A.getAtom(C.Value);
  if (Letter == 'x' && Axes == Over::Update &&
      (X.Ref != Target.Buf || X.Index != Target.Index))
    return false;
  if (Letter == 'k') {
    const SymbolicAtom *Row = getArray('x');
    return Row && Row->Ref == X.Ref && !(X.Deps & B.Row);
  }
  return !StringRef("xyzd").contains(Letter) || X.Deps == AllDeps;
}

/// 'e' is the epsilon of invroot.
constexpr StringLiteral NumberLetters = "stpqe";

bool Matcher::bindNumbers(const Pattern &F, size_t Next) {
  if (A.hasFailed())
    return false;
  if (Next == NumberLetters.size())
    return F.evaluate(A, B) == E && hasAxes(Axes);
  char Letter = NumberLetters[Next];
  if (!F.uses(Letter, B.Root))
    return bindNumbers(F, Next + 1);
  for (ExprId N : Numbers) {
    // Different letters are different numbers.
    if (any_of(B.Letters, [&](const auto &Of) { return Of.second == N; }))
      continue;
    B.Letters[Letter] = N;
    if (bindNumbers(F, Next + 1))
      return true;
  }
  B.Letters.erase(Letter);
  return false;
}

bool Matcher::bindArrays(const Pattern &F, size_t Next,
                         std::set<uint32_t> &Left) {
  while (Next < F.letters().size() && !isArrayLetter(F.letters()[Next]))
    ++Next;
  if (Next == F.letters().size())
    return Left.empty() && bindNumbers(F, 0);
  char Letter = F.letters()[Next];
  for (const Candidate &C : Candidates) {
    if (!mayStandFor(Letter, C) ||
        (C.K == Candidate::Composed && !F.hasExponentials()) ||
        !all_of(C.Loads, [&](uint32_t Id) { return Left.count(Id); }))
      continue;
    for (uint32_t Id : C.Loads)
      Left.erase(Id);
    B.Letters[Letter] = C.Value;
    if (bindArrays(F, Next + 1, Left))
      return true;
    Left.insert(C.Loads.begin(), C.Loads.end());
    B.Letters.erase(Letter);
  }
  return false;
}

bool Matcher::fits(const Pattern &F) {
  if (F.hasReductions() != (AllRows != 0))
    return false;
  size_t NumArrays = count_if(F.letters(), isArrayLetter);
  // A condition and what is composed may have any number.
  if ((NumArrays != Loads.size() && !F.composes()) || !F.mayYield(Functions))
    return false;
  constexpr size_t MaxChoices = 150;
  size_t Choices = 1, Left = Numbers.size();
  for (char Letter : F.letters())
    if (NumberLetters.contains(Letter))
      Choices *= Left ? Left-- : 0;
  if (Choices > MaxChoices)
    return false;
  for (AxisSet Row : Rows)
    for (unsigned Root = 0; Root < (F.hasRoots() ? Pattern::NumRoots : 1);
         ++Root) {
      B = Binding();
      B.Row = Row;
      B.Outside = AllRows & ~Row;
      B.Root = Root;
      std::set<uint32_t> Left = Loads;
      if (bindArrays(F, 0, Left))
        return true;
    }
  return false;
}

bool Matcher::fits(const Program &P) {
  Axes = P.Axes;
  return any_of(P.Formulas, [&](const Pattern &F) { return fits(F); });
}

/// What an element has gained, if it is added to; else all of it.
static ExprId withoutOld(Algebra &A, const Formula &F) {
  ExprId Old = A.load(F.Buf, F.Index), Factor, Rest;
  if (A.splitLinear(F.Value, Old, Factor, Rest) && A.getConstant(Factor) == 1.0)
    return Rest;
  return F.Value;
}

/// The first row that fits \p F, or how many there are.
static size_t findRow(Kernel &K, Algebra &A, const Formula &F,
                      const std::set<ExprId> &Scalars) {
  size_t Best = getPrograms().size();
  SmallVector<ExprId, 2> Values = {F.Value};
  if (ExprId Gain = withoutOld(A, F); Gain != F.Value)
    Values.push_back(Gain);
  for (auto [N, Value] : enumerate(Values)) {
    Matcher M(K, A, Value, F, Scalars);
    for (size_t I = 0; I < Best && !A.hasFailed(); ++I)
      if (!(N && getPrograms()[I].IsStep) && M.fits(getPrograms()[I]))
        Best = I;
  }
  return Best;
}

/// The first row that fits one of the largest results, and that one's type.
static std::string findProgram(Kernel &K) {
  Algebra A(K);
  Evaluator Eval(K, A);
  std::vector<Formula> Results;
  if (!Eval.run(Results))
    return "";
  int Largest = 0;
  for (const Formula &F : Results)
    Largest = std::max(Largest, popcount(F.Deps));
  const size_t None = getPrograms().size();
  size_t Best = None;
  ScalarType Ty = ScalarType::F32;
  bool All = true;
  for (const Formula &F : Results)
    if (popcount(F.Deps) == Largest) {
      size_t Row = findRow(K, A, F, Eval.scalars());
      All &= Row != None;
      if (Row < Best)
        Ty = K.Buffers[F.Buf].Ty;
      Best = std::min(Best, Row);
    }
  if (Best == None || (getPrograms()[Best].IsStep && !All))
    return "";
  return (getPrograms()[Best].Name + " " + getName(Ty)).str();
}

std::string dlopt::nameKernel(const Kernel &K) {
  StringRef Kind = StringRef(K.Kind).rsplit(' ').first;
  if (!is_contained({"map", "reduce", "generic"}, Kind))
    return K.Kind;
  Kernel Own;
  copyKernel(K, Own);
  std::string Name = findProgram(Own);
  return Name.empty() ? K.Kind : Name;
}
