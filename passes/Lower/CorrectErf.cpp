//===- CorrectErf.cpp - The error function in double-double ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As in Abramowitz and Stegun, Handbook of Mathematical Functions, 1964:
///
///   erf(x) = 2 / sqrt(pi) exp(-x^2) (x + 2 x^3 / 3 + 4 x^5 / 15 + ...) (7.1.6)
///   erfc(x) = exp(-x^2) / sqrt(pi) / (x + (1/2) / (x + 1 / (x + ...)))
///   (7.1.14)
///
/// Both from the last term on that matters, in loops: they are rarely run.
///
//===----------------------------------------------------------------------===//
#include "CorrectFormulas.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace llvm;

namespace dlopt {

/// Step(Y, n) for n = \p Count, Count - 1, ... 1, beginning with \p Y.
static MathSum iterate(DoubleDoubleBuilder &D, MathSum Y, Value *Count,
                       function_ref<MathSum(MathSum Y, Value *N)> Step) {
  MathBuilder &M = D.M;
  IRBuilderBase &B = M.B;
  BasicBlock *Before = B.GetInsertBlock();
  auto *Loop = BasicBlock::Create(B.getContext(), "terms", Before->getParent()),
       *Done =
           BasicBlock::Create(B.getContext(), "summed", Before->getParent());
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *N = B.CreatePHI(M.Ty, 2), *Hi = B.CreatePHI(M.Ty, 2),
          *Lo = B.CreatePHI(M.Ty, 2);
  MathSum Next = Step({Hi, Lo}, N);
  Value *Less = M.sub(N, 1);
  for (auto [Phi, First, Second] :
       {std::tuple(N, Count, Less), std::tuple(Hi, Y.Hi, Next.Hi),
        std::tuple(Lo, Y.Lo, Next.Lo)}) {
    Phi->addIncoming(First, Before);
    Phi->addIncoming(Second, Loop);
  }
  B.CreateCondBr(B.CreateFCmpOGE(Less, M.num(1)), Loop, Done);
  B.SetInsertPoint(Done);
  return Next;
}

/// Of 0 <= x <= 4; only if \p IsAsked, to save time.
static MathSum emitErfOf(DoubleDoubleBuilder &D, Value *X, Value *IsAsked) {
  constexpr DoubleDouble Factor = {0x1.20dd750429b6dp+0, 0x1.1ae3a914fed8p-56};
  MathBuilder &M = D.M;
  Value *Square = D.mulDouble(X, X), *Twice = M.add(Square, Square);
  // What is left out is 2^-97 of the sum for 0, 2^-105 for 4.
  Value *Count = M.add(D.mulDouble(Square, M.num(4)), 28);
  Count = M.sub(M.add(Count, M.Format.Magic), M.Format.Magic);
  Count = M.select(IsAsked, Count, M.num(1));
  MathSum Sum = iterate(D, D.num(1), Count, [&](MathSum Y, Value *N) {
    Y = D.div(D.mul(Y, Twice), M.add(M.add(N, N), 1));
    return D.add(Y, M.num(1));
  });
  MathSum Y = D.mul(D.mul(Sum, X), emitExpOf(D, D.widen(M.neg(Square))));
  return D.mul(Y, D.num(Factor));
}

Value *emitCorrectErf(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathBuilder &M = D.M;
  // From there on it is 1.
  MathSum Y = emitErfOf(D, M.min(M.abs(X[0]), 4), M.B.getTrue());
  Value *Result = M.withSignOf(D.roundToOdd(Y), X[0]);
  return M.select(M.B.CreateFCmpUNO(X[0], X[0]), X[0], Result);
}

/// Of x >= 3.5, where 60 terms leave out 2^-92; only if \p IsAsked.
static MathSum emitErfcOf(DoubleDoubleBuilder &D, Value *X, Value *IsAsked) {
  constexpr DoubleDouble Factor = {0x1.20dd750429b6dp-1, 0x1.1ae3a914fed8p-57};
  constexpr double NumTerms = 60;
  MathBuilder &M = D.M;
  MathSum Fraction =
      iterate(D, D.widen(X), M.select(IsAsked, M.num(NumTerms), M.num(1)),
              [&](MathSum Y, Value *N) {
                return D.add(D.div(D.widen(D.mulDouble(N, M.num(0.5))), Y), X);
              });
  MathSum Exp = emitExpOf(D, D.widen(M.neg(D.mulDouble(X, X))));
  return D.div(D.mul(Exp, D.num(Factor)), Fraction);
}

Value *emitCorrectErfc(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  constexpr double Split = 3.5, Most = 11; // where it is less than any float
  MathBuilder &M = D.M;
  Value *A = M.abs(X[0]), *IsNegative = M.less(X[0], 0);
  Value *IsFar = M.B.CreateAnd(M.B.CreateFCmpOGE(A, M.num(Split)),
                               M.B.CreateNot(IsNegative));
  MathSum Erf = emitErfOf(D, M.min(A, 4), M.B.CreateNot(IsFar));
  MathSum Y = D.add(D.select(IsNegative, Erf, D.neg(Erf)), M.num(1));
  MathSum Far = emitErfcOf(D, M.max(M.min(A, Most), Split), IsFar);
  Value *Result = D.roundToOdd(D.select(IsFar, Far, Y));
  return M.select(M.B.CreateFCmpUNO(X[0], X[0]), X[0], Result);
}

} // namespace dlopt
