//===- PatternEvaluator.h - What formulas of the table mean -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_PATTERNEVALUATOR_H
#define DLOPT_NAMES_PATTERNEVALUATOR_H

#include "Pattern.h"

namespace dlopt {

/// The meaning of formulas, once for expressions and for their values at random
/// points: a Domain has the operations of Algebra on values of its own.
template <class Domain> class PatternEvaluator {
public:
  using Value = typename Domain::Value;
  PatternEvaluator(const Pattern &P, Domain &D, const Binding &B)
      : P(P), D(D), B(B) {}
  Value evaluate() { return evaluate(P.Nodes.back()); }

private:
  Value evaluate(const Pattern::Node &N) {
    llvm::SmallVector<Value, 3> X;
    for (unsigned Arg : N.Args)
      X.push_back(evaluate(P.Nodes[Arg]));
    switch (N.Op) {
    case 'n':
      return D.constant(N.Value);
    case 'l':
      return getLetter(N.Name[0]);
    case '+':
      return D.add(X[0], X[1]);
    case '*':
      return D.mul(X[0], X[1]);
    case '^':
      return D.pow(X[0], N.Value);
    case '>':
      return D.positive(minus(X[0], X[1]));
    case '=':
      return D.isZero(minus(X[0], X[1]));
    default:
      return X.empty() ? getNumber(N.Callee) : call(N, X);
    }
  }

  Value getLetter(char C) { return D.letter(C, B.Letters.get(C)); }
  Value negate(const Value &X) { return D.scale(X, -1); }
  Value minus(const Value &X, const Value &Y) { return D.add(X, negate(Y)); }

  /// 1 / sqrt(v), kept away from zero in one of several ways.
  Value getInverseRoot(const Value &V) {
    Value E = getLetter('e');
    switch (B.Root) {
    case 0:
      return D.pow(D.add(V, E), -0.5);
    case 1:
      return D.pow(V, -0.5);
    case 2:
      return D.pow(D.add(D.pow(V, 0.5), E), -1);
    case 3:
      return D.pow(D.max(V, E), -0.5);
    default:
      return D.pow(D.max(D.pow(V, 0.5), E), -1);
    }
  }

  Value getNumber(Pattern::Function F) {
    if (F == Pattern::Infinity)
      return D.infinity();
    return D.count(F == Pattern::Count ? B.Row : B.Outside);
  }

  Value call(const Pattern::Node &N, llvm::ArrayRef<Value> X) {
    switch (N.Callee) {
    case Pattern::Sum:
      return D.mul(D.count(B.Row), D.mean(B.Row, X[0]));
    case Pattern::Mean:
      return D.mean(B.Row, X[0]);
    case Pattern::Var:
      return D.mean(B.Row, D.pow(minus(X[0], D.mean(B.Row, X[0])), 2));
    case Pattern::Top:
      return D.reduce(Reduce::Max, B.Row, X[0]);
    case Pattern::Bottom:
      return negate(D.reduce(Reduce::Max, B.Row, negate(X[0])));
    case Pattern::Product:
      return D.reduce(Reduce::Product, B.Row, X[0]);
    case Pattern::ArgMax:
      return D.reduce(Reduce::ArgMax, B.Row, X[0]);
    case Pattern::ArgMin:
      return D.reduce(Reduce::ArgMax, B.Row, negate(X[0]));
    case Pattern::CumSum:
      return D.scan(B.Row, X[0]);
    case Pattern::Batch:
      return D.mean(B.Outside, X[0]);
    case Pattern::InvRoot:
      return getInverseRoot(X[0]);
    default:
      return callOfElements(N, X);
    }
  }

  Value callOfElements(const Pattern::Node &N, llvm::ArrayRef<Value> X) {
    switch (N.Callee) {
    case Pattern::Exp:
      return D.exp(X[0]);
    case Pattern::Log:
      return D.log(X[0]);
    case Pattern::Sqrt:
      return D.pow(X[0], 0.5);
    case Pattern::Abs:
      return D.abs(X[0]);
    case Pattern::Max:
      return D.max(X[0], X[1]);
    case Pattern::Min:
      return negate(D.max(negate(X[0]), negate(X[1])));
    case Pattern::Sigmoid:
      return D.sigmoid(X[0]);
    case Pattern::Tanh:
      return D.tanh(X[0]);
    case Pattern::Select:
      return D.select(X[0], X[1], X[2]);
    default:
      return D.call(N.Name, X);
    }
  }

  const Pattern &P;
  Domain &D;
  const Binding &B;
};

} // namespace dlopt

#endif // DLOPT_NAMES_PATTERNEVALUATOR_H
