//===- Pattern.cpp - Formulas of the table of programs --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PatternEvaluator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <map>
#include <mutex>

using namespace llvm;
using namespace dlopt;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

constexpr unsigned ExpCall = 1;

/// A bit for a function that expressions call: what formulas build of others
/// has none, what no formula has is the last one.
static unsigned getCalled(StringRef Name) {
  return StringSwitch<unsigned>(Name)
      .Case("exp", ExpCall)
      .Case("log", 2)
      .Case("erf", 4)
      .Case("sin", 8)
      .Case("cos", 16)
      .Case("round", 32)
      .Case("trunc", 64)
      .Case("ashr", 128)
      .Default(256);
}
/// What formulas must have if they call it, and what of that letters may have.
constexpr unsigned AllCalls = 255, FreeCalls = 3;

Pattern::Function Pattern::getFunction(StringRef Name) {
  return StringSwitch<Function>(Name)
      .Case("sum", Sum)
      .Case("mean", Mean)
      .Case("var", Var)
      .Case("top", Top)
      .Case("bottom", Bottom)
      .Case("product", Product)
      .Case("argmax", ArgMax)
      .Case("argmin", ArgMin)
      .Case("cumsum", CumSum)
      .Case("count", Count)
      .Case("batch", Batch)
      .Case("rows", Rows)
      .Case("invroot", InvRoot)
      .Case("exp", Exp)
      .Case("log", Log)
      .Case("sqrt", Sqrt)
      .Case("abs", Abs)
      .Case("max", Max)
      .Case("min", Min)
      .Case("sigmoid", Sigmoid)
      .Case("tanh", Tanh)
      .Case("select", Select)
      .Case("infinity", Infinity)
      .Default(Other);
}

namespace dlopt {

/// Recursive descent over one formula without braces and spaces.
class PatternParser {
public:
  PatternParser(StringRef Text, Pattern &P) : Text(Text), P(P) {}
  void run() {
    P.Nodes.reserve(Text.size());
    parseComparison();
  }

private:
  bool consume(char C) {
    if (Text.empty() || Text.front() != C)
      return false;
    Text = Text.drop_front();
    return true;
  }
  unsigned add(Pattern::Node N) {
    P.Nodes.push_back(std::move(N));
    return P.Nodes.size() - 1;
  }
  unsigned add(char Op, unsigned A, unsigned B) {
    Pattern::Node N;
    N.Op = Op;
    N.Args = {A, B};
    return add(std::move(N));
  }
  unsigned number(double V) {
    Pattern::Node N;
    N.Op = 'n';
    N.Value = V;
    return add(std::move(N));
  }
  unsigned power(unsigned Base, double By) {
    Pattern::Node N;
    N.Op = '^';
    N.Value = By;
    N.Args = {Base};
    return add(std::move(N));
  }
  unsigned negate(unsigned A) { return add('*', number(-1), A); }

  unsigned parseComparison() {
    unsigned A = parseSum();
    for (char Op : {'>', '='})
      if (consume(Op)) {
        P.HasCases = true;
        return add(Op, A, parseSum());
      }
    return A;
  }
  unsigned parseSum() {
    unsigned A = parseProduct();
    while (true) {
      if (consume('+'))
        A = add('+', A, parseProduct());
      else if (consume('-'))
        A = add('+', A, negate(parseProduct()));
      else
        return A;
    }
  }
  unsigned parseProduct() {
    unsigned A = parseFactor();
    while (true) {
      if (consume('*'))
        A = add('*', A, parseFactor());
      else if (consume('/'))
        A = add('*', A, power(parseFactor(), -1));
      else
        return A;
    }
  }
  unsigned parseFactor() {
    if (consume('-'))
      return negate(parseFactor());
    unsigned A = parsePrimary();
    if (!consume('^'))
      return A;
    double Sign = consume('-') ? -1 : 1, By = takeNumber();
    P.HasFractions |= By != std::round(By);
    return power(A, Sign * By);
  }
  double takeNumber() {
    // Both numbers are exact, so that their quotient is rounded once.
    double Digits = 0, Unit = 1;
    bool IsBehindPoint = false;
    for (; !Text.empty() && (isDigit(Text.front()) || Text.front() == '.');
         Text = Text.drop_front())
      if (Text.front() == '.') {
        IsBehindPoint = true;
      } else {
        Digits = 10 * Digits + (Text.front() - '0');
        Unit *= IsBehindPoint ? 10 : 1;
      }
    return Digits / Unit;
  }
  unsigned parsePrimary() {
    if (consume('(')) {
      unsigned A = parseComparison();
      consume(')');
      return A;
    }
    StringRef Name =
        Text.take_while([](char C) { return isAlpha(C) || C == '_'; });
    if (Name.empty())
      return number(takeNumber());
    Text = Text.drop_front(Name.size());
    return parseName(Name);
  }
  unsigned parseName(StringRef Name) {
    Pattern::Node N;
    N.Name = Name.str();
    N.Op = Name.size() == 1 ? 'l' : 'f';
    if (consume('(')) {
      do
        N.Args.push_back(parseComparison());
      while (consume(','));
      consume(')');
    }
    if (N.Op == 'l') {
      if (!(P.Set & getLetter(Name[0])))
        P.Letters += Name[0];
      P.Set |= getLetter(Name[0]);
    } else {
      N.Callee = Pattern::getFunction(Name);
      P.Called |= 1u << N.Callee;
      // The root of a square is none.
      P.MustHaveRoots |=
          (N.Callee == Pattern::InvRoot || N.Callee == Pattern::Sqrt) &&
          P.Nodes[N.Args[0]].Op != '^';
      if (N.Callee == Pattern::Tanh || N.Callee == Pattern::Sigmoid)
        P.Calls |= ExpCall;
      else if (is_contained({Pattern::Exp, Pattern::Log, Pattern::Other},
                            N.Callee))
        P.Calls |= getCalled(Name);
    }
    return add(std::move(N));
  }

  StringRef Text;
  Pattern &P;
};

} // namespace dlopt

/// Replaces the last braces by each of what is between their bars.
static void expand(const std::string &Text, std::vector<std::string> &Out) {
  size_t Begin = Text.rfind('{');
  if (Begin == std::string::npos) {
    Out.push_back(Text);
    return;
  }
  size_t End = Text.find('}', Begin);
  SmallVector<StringRef, 4> Parts;
  StringRef(Text).slice(Begin + 1, End).split(Parts, '|');
  if (Parts.size() == 1)
    Parts.push_back("");
  for (StringRef Part : Parts)
    expand(Text.substr(0, Begin) + Part.str() + Text.substr(End + 1), Out);
}

ArrayRef<Pattern> Pattern::parse(StringRef Text) {
  static std::mutex Mutex;
  static std::map<std::string, std::vector<Pattern>, std::less<>> Known;
  static unsigned NumIds = 0;
  std::lock_guard<std::mutex> Lock(Mutex);
  auto At = Known.find(Text);
  if (At != Known.end())
    return At->second;
  std::vector<std::string> Texts;
  std::string Dense = Text.str();
  llvm::erase(Dense, ' ');
  expand(Dense, Texts);
  std::vector<Pattern> &Patterns = Known[Text.str()];
  Patterns.resize(Texts.size());
  for (auto [Of, P] : zip(Texts, Patterns)) {
    PatternParser(Of, P).run();
    P.findFeatures();
    P.Id = NumIds++;
  }
  return Patterns;
}

/// Calls \p Visit for the names in \p Text, with whether all formulas that it
/// stands for have them.
static void forEachName(StringRef Text,
                        function_ref<void(StringRef, bool)> Visit) {
  unsigned Depth = 0;
  while (!Text.empty()) {
    Depth += Text.front() == '{';
    Depth -= Text.front() == '}';
    StringRef Name = Text.take_while(isAlpha);
    if (!Name.empty())
      Visit(Name, !Depth);
    Text = Text.drop_front(std::max<size_t>(Name.size(), 1));
  }
}

Pattern::Outline::Outline(StringRef Text) {
  LetterSet Always = 0, Some = 0;
  unsigned Called = 0;
  forEachName(Text, [&](StringRef Name, bool IsAlways) {
    if (Name.size() == 1) {
      Some |= getLetter(Name[0]);
      Always |= IsAlways ? getLetter(Name[0]) : 0;
    } else {
      Called |= 1u << getFunction(Name);
      AlwaysCalled |= IsAlways ? 1u << getFunction(Name) : 0;
    }
  });
  MinArrays = llvm::popcount(Always & ArrayLetters);
  MaxArrays = llvm::popcount(Some & ArrayLetters);
  MayCompose = (Some & OtherLetters) || (Called & ExpFunctions);
  MayReduce = Called & Reductions;
  MustReduce = AlwaysCalled & Reductions;
  // The exponential of a logarithm is a power.
  if (Called & 1u << Log)
    AlwaysCalled &= ~ExpFunctions;
}

bool Pattern::Outline::mayYield(const Features &Of, size_t NumArrays,
                                bool Reduces) const {
  if (Reduces ? !MayReduce : MustReduce)
    return false;
  if (!MayCompose && (NumArrays < MinArrays || NumArrays > MaxArrays))
    return false;
  return !((AlwaysCalled & MeanFunctions && !Of.HasMeans) ||
           (AlwaysCalled & TopFunctions && !Of.HasTops) ||
           (AlwaysCalled & OtherReductions && !Of.HasOthers) ||
           (AlwaysCalled & CaseFunctions && !Of.HasCases) ||
           (AlwaysCalled & ExpFunctions && !(Of.Functions & ExpCall)));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool Pattern::uses(char Letter, unsigned Root) const {
  // The second form has no epsilon.
  return (Set & getLetter(Letter)) || (Letter == 'e' && HasRoots && Root != 1);
}

Features::Features(const Algebra &A, ExprId E) {
  auto Visit = [&](const Terms &Ts) {
    for (const Term &T : Ts)
      for (const Factor &F : T.Factors)
        HasRoots |= F.Power != std::round(F.Power) && !A.isUniform(F.Atom);
  };
  Visit(A.terms(E));
  A.forEachAtom(E, [&](uint32_t Id) {
    const SymbolicAtom &X = A.atom(Id);
    for (ExprId Arg : X.Args)
      Visit(A.terms(Arg));
    if (X.K == SymbolicAtom::Call && !A.isUniform(Id))
      Functions |= getCalled(X.Name);
    HasCases |= X.K == SymbolicAtom::Greater || X.K == SymbolicAtom::Equal ||
                X.K == SymbolicAtom::Max;
    if (X.K != SymbolicAtom::Reduction)
      return;
    HasMeans |= X.How == Reduce::Mean;
    HasTops |= X.How == Reduce::Max;
    HasOthers |= X.How != Reduce::Mean && X.How != Reduce::Max;
  });
}

void Pattern::findFeatures() {
  HasRoots = Called & 1u << InvRoot;
  HasExponentials = Calls & ExpCall;
  HasReductions = Called & Reductions;
  HasCases |= (Called & CaseFunctions) != 0;
  MayHaveRoots = HasFractions || (Called & RootFunctions);
  HasDifferences = MayHaveRoots || (Called & 1u << Var);
  MayHaveMeans = Called & MeanFunctions;
  MayHaveTops = Called & TopFunctions;
  MayHaveOthers = Called & OtherReductions;
}

bool Pattern::mayYield(const Features &Of) const {
  // What letters stand for may have anything.
  bool IsAll = !composes();
  unsigned Must = Calls & (IsAll ? AllCalls : AllCalls & ~FreeCalls);
  if ((Must & ~Of.Functions) || (HasCases && !Of.HasCases) ||
      (MayHaveMeans && !Of.HasMeans) || (MayHaveTops && !Of.HasTops) ||
      (MayHaveOthers && !Of.HasOthers) || (MustHaveRoots && !Of.HasRoots))
    return false;
  return !IsAll ||
         (!(Of.Functions & ~Calls) &&
          (HasCases || MayHaveRoots || MayHaveTops || !Of.HasCases) &&
          (MayHaveRoots || !Of.HasRoots) && (MayHaveMeans || !Of.HasMeans) &&
          (MayHaveTops || !Of.HasTops) && (MayHaveOthers || !Of.HasOthers));
}

namespace {

/// Expressions, as Algebra makes them.
struct ExprDomain {
  using Value = ExprId;
  explicit ExprDomain(Algebra &A) : A(A) {}
  ExprId constant(double V) { return A.constant(V); }
  ExprId infinity() { return A.infinity(); }
  ExprId letter(char, std::optional<ExprId> E) {
    return E ? *E : A.constant(0);
  }
  ExprId count(AxisSet Axes) { return A.count(Axes); }
  ExprId add(ExprId X, ExprId Y) { return A.add(X, Y); }
  ExprId mul(ExprId X, ExprId Y) { return A.mul(X, Y); }
  ExprId scale(ExprId X, double By) { return A.scale(X, By); }
  ExprId pow(ExprId X, double By) { return A.pow(X, By); }
  ExprId max(ExprId X, ExprId Y) { return A.max(X, Y); }
  ExprId positive(ExprId X) { return A.positive(X); }
  ExprId isZero(ExprId X) { return A.isZero(X); }
  ExprId select(ExprId C, ExprId X, ExprId Y) { return A.select(C, X, Y); }
  ExprId exp(ExprId X) { return A.exp(X); }
  ExprId log(ExprId X) { return A.log(X); }
  ExprId abs(ExprId X) { return A.abs(X); }
  ExprId tanh(ExprId X) { return A.tanh(X); }
  ExprId sigmoid(ExprId X) { return A.sigmoid(X); }
  ExprId call(StringRef Name, ArrayRef<ExprId> X) { return A.call(Name, X); }
  ExprId mean(AxisSet Axes, ExprId X) { return A.mean(Axes, X); }
  ExprId reduce(Reduce How, AxisSet Axes, ExprId X) {
    return A.reduce(How, Axes, X);
  }
  ExprId scan(AxisSet Row, ExprId X) {
    return isPowerOf2_64(Row) ? A.scan(countr_zero(Row), X) : A.unknown(0);
  }

  Algebra &A;
};

} // namespace

ExprId Pattern::evaluate(Algebra &A, const Binding &B) const {
  ExprDomain D(A);
  return PatternEvaluator<ExprDomain>(*this, D, B).evaluate();
}
