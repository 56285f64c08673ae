//===- CorrectRoot.cpp - Roots in double-double ---------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CorrectFormulas.h"
#include "MathRecipes.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

/// y + (x - y^3) / (3 y^2): a step of Newton's.
static MathSum refineRoot(DoubleDoubleBuilder &D, Value *X, MathSum Y) {
  MathSum Square = D.mul(Y, Y);
  MathSum Rest = D.sub(D.widen(X), D.mul(Square, Y));
  return D.add(Y, D.M.div(Rest.Hi, D.mulDouble(Square.Hi, D.M.num(3))));
}

Value *emitCorrectCbrt(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathBuilder &M = D.M;
  Value *A = M.abs(X[0]);
  Value *IsNumber = M.B.CreateAnd(M.B.CreateFCmpOGT(A, M.num(0)),
                                  M.B.CreateFCmpOLT(A, M.num(INFINITY)));
  A = M.select(IsNumber, A, M.num(1));
  MathSum Y = refineRoot(D, A, D.widen(emitCbrtNormal(M, A)));
  return M.select(IsNumber, M.withSignOf(D.roundToOdd(Y), X[0]), X[0]);
}

/// Squares of floats are exact in double, and so is their sum in two: results
/// in the middle between two floats are, too.
Value *emitCorrectHypot(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathBuilder &M = D.M;
  Value *Zero = M.num(0), *Infinity = M.num(INFINITY);
  MathSum Square = M.twoSum(D.mulDouble(X[0], X[0]), D.mulDouble(X[1], X[1]));
  Value *IsPositive = M.B.CreateFCmpONE(Square.Hi, Zero);
  Value *Y = D.roundToOdd(D.sqrt(D.select(IsPositive, Square, D.num(1))));
  Y = M.select(M.B.CreateFCmpOEQ(Square.Hi, Zero), Zero, Y);
  Y = M.select(M.B.CreateFCmpUNO(X[0], X[1]), M.num(NAN), Y);
  // Even where the other one is NaN.
  Value *IsInfinite = M.B.CreateOr(M.B.CreateFCmpOEQ(M.abs(X[0]), Infinity),
                                   M.B.CreateFCmpOEQ(M.abs(X[1]), Infinity));
  return M.select(IsInfinite, Infinity, Y);
}

} // namespace dlopt
