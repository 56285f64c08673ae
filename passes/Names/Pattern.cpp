//===- Pattern.cpp - Formulas of the table of programs --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pattern.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace dlopt {

/// Recursive descent over one formula without braces.
class PatternParser {
public:
  PatternParser(StringRef Text, Pattern &P) : Text(Text), P(P) {}
  void run() { parseComparison(); }

private:
  bool consume(char C) {
    Text = Text.ltrim();
    return Text.consume_front(StringRef(&C, 1));
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
    Text = Text.ltrim();
    StringRef Digits =
        Text.take_while([](char C) { return isDigit(C) || C == '.'; });
    Text = Text.drop_front(Digits.size());
    double V = 0;
    (void)Digits.getAsDouble(V);
    return V;
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
      if (P.Letters.find(Name[0]) == std::string::npos)
        P.Letters += Name[0];
    } else {
      P.HasRoots |= Name == "invroot";
      // The root of a square is none.
      P.MustHaveRoots |=
          (Name == "invroot" || Name == "sqrt") && P.Nodes[N.Args[0]].Op != '^';
      bool IsExp = Name == "tanh" || Name == "sigmoid";
      P.Functions.insert(IsExp ? "exp" : Name.str());
      P.HasReductions |= is_contained({"sum", "mean", "var", "argmax", "argmin",
                                       "product", "top", "bottom", "count"},
                                      Name);
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

std::vector<Pattern> Pattern::parse(StringRef Text) {
  std::vector<std::string> Texts;
  expand(Text.str(), Texts);
  std::vector<Pattern> Patterns(Texts.size());
  for (size_t I = 0; I < Texts.size(); ++I)
    PatternParser(Texts[I], Patterns[I]).run();
  return Patterns;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool Pattern::uses(char Letter, unsigned Root) const {
  // The second form has no epsilon.
  return Letters.find(Letter) != std::string::npos ||
         (Letter == 'e' && HasRoots && Root != 1);
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
      Functions.insert(X.Name);
    HasCases |= X.K == SymbolicAtom::Greater || X.K == SymbolicAtom::Equal ||
                X.K == SymbolicAtom::Max;
    if (X.K != SymbolicAtom::Reduction)
      return;
    HasMeans |= X.How == Reduce::Mean;
    HasTops |= X.How == Reduce::Max;
    HasOthers |= X.How != Reduce::Mean && X.How != Reduce::Max;
  });
}

bool Pattern::mayYield(const Features &Of) const {
  auto Calls = [&](std::initializer_list<StringRef> Names) {
    return any_of(Names, [&](StringRef Name) { return mayCall(Name.str()); });
  };
  // What letters stand for may have anything.
  bool IsAll = !composes();
  if (!all_of(Functions, [&](const std::string &Name) {
        bool IsCall =
            is_contained({"erf", "sin", "cos", "round", "trunc", "ashr"},
                         Name) ||
            (IsAll && (Name == "exp" || Name == "log"));
        return !IsCall || Of.Functions.count(Name);
      }))
    return false;
  bool Cases = HasCases || Calls({"select", "max", "min", "abs"});
  bool Roots = HasFractions || Calls({"sqrt", "invroot"});
  bool Means = Calls({"sum", "mean", "var", "batch"});
  bool Tops = Calls({"top", "bottom"});
  bool Others = Calls({"argmax", "argmin", "product", "cumsum"});
  if ((Cases && !Of.HasCases) || (Means && !Of.HasMeans) ||
      (Tops && !Of.HasTops) || (Others && !Of.HasOthers) ||
      (MustHaveRoots && !Of.HasRoots))
    return false;
  return !IsAll || (all_of(Of.Functions,
                           [&](const auto &Name) { return mayCall(Name); }) &&
                    (Cases || Roots || Tops || !Of.HasCases) &&
                    (Roots || !Of.HasRoots) && (Means || !Of.HasMeans) &&
                    (Tops || !Of.HasTops) && (Others || !Of.HasOthers));
}

/// 1 / sqrt(v), kept away from zero in one of several ways.
static ExprId getInverseRoot(Algebra &A, const Binding &B, ExprId V) {
  auto At = B.Letters.find('e');
  ExprId E = At == B.Letters.end() ? A.constant(0) : At->second;
  switch (B.Root) {
  case 0:
    return A.pow(A.add(V, E), -0.5);
  case 1:
    return A.pow(V, -0.5);
  case 2:
    return A.pow(A.add(A.pow(V, 0.5), E), -1);
  case 3:
    return A.pow(A.max(V, E), -0.5);
  default:
    return A.pow(A.max(A.pow(V, 0.5), E), -1);
  }
}

ExprId Pattern::evaluateFunction(Algebra &A, const Binding &B, StringRef Name,
                                 ArrayRef<ExprId> X) const {
  enum Function {
    Sum,
    Mean,
    Var,
    Top,
    Bottom,
    Product,
    ArgMax,
    ArgMin,
    CumSum,
    Count,
    Batch,
    Rows,
    InvRoot,
    Exp,
    Log,
    Sqrt,
    Abs,
    Max,
    Min,
    Sigmoid,
    Tanh,
    Select,
    Infinity,
    Other
  };
  auto Minus = [&](ExprId E) { return A.scale(E, -1); };
  switch (StringSwitch<Function>(Name)
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
              .Default(Other)) {
  case Sum:
    return A.sum(B.Row, X[0]);
  case Mean:
    return A.mean(B.Row, X[0]);
  case Var:
    return A.mean(B.Row, A.pow(A.sub(X[0], A.mean(B.Row, X[0])), 2));
  case Top:
    return A.reduce(Reduce::Max, B.Row, X[0]);
  case Bottom:
    return Minus(A.reduce(Reduce::Max, B.Row, Minus(X[0])));
  case Product:
    return A.reduce(Reduce::Product, B.Row, X[0]);
  case ArgMax:
    return A.reduce(Reduce::ArgMax, B.Row, X[0]);
  case ArgMin:
    return A.reduce(Reduce::ArgMax, B.Row, Minus(X[0]));
  case CumSum:
    return isPowerOf2_64(B.Row) ? A.scan(countr_zero(B.Row), X[0])
                                : A.unknown(0);
  case Count:
    return A.count(B.Row);
  case Batch:
    return A.mean(B.Outside, X[0]);
  case Rows:
    return A.count(B.Outside);
  case InvRoot:
    return getInverseRoot(A, B, X[0]);
  case Exp:
    return A.exp(X[0]);
  case Log:
    return A.log(X[0]);
  case Sqrt:
    return A.pow(X[0], 0.5);
  case Abs:
    return A.abs(X[0]);
  case Max:
    return A.max(X[0], X[1]);
  case Min:
    return A.min(X[0], X[1]);
  case Sigmoid:
    return A.sigmoid(X[0]);
  case Tanh:
    return A.tanh(X[0]);
  case Select:
    return A.select(X[0], X[1], X[2]);
  case Infinity:
    return A.infinity();
  case Other:
    return A.call(Name, X);
  }
  return 0;
}

ExprId Pattern::evaluate(Algebra &A, const Binding &B, const Node &N) const {
  SmallVector<ExprId, 3> X;
  for (unsigned Arg : N.Args)
    X.push_back(evaluate(A, B, Nodes[Arg]));
  switch (N.Op) {
  case 'n':
    return A.constant(N.Value);
  case 'l': {
    auto At = B.Letters.find(N.Name[0]);
    return At == B.Letters.end() ? A.constant(0) : At->second;
  }
  case '+':
    return A.add(X[0], X[1]);
  case '*':
    return A.mul(X[0], X[1]);
  case '^':
    return A.pow(X[0], N.Value);
  case '>':
    return A.positive(A.sub(X[0], X[1]));
  case '=':
    return A.isZero(A.sub(X[0], X[1]));
  default:
    return evaluateFunction(A, B, N.Name, X);
  }
}

ExprId Pattern::evaluate(Algebra &A, const Binding &B) const {
  return evaluate(A, B, Nodes.back());
}
