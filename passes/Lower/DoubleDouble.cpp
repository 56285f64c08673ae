//===- DoubleDouble.cpp - Arithmetic on sums of two doubles ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DoubleDouble.h"

using namespace llvm;

namespace dlopt {

Value *DoubleDoubleBuilder::mulDouble(Value *X, Value *Y) {
  Value *P = M.mul(X, Y);
  return M.B.CreateIntrinsic(Intrinsic::arithmetic_fence, {P->getType()}, {P});
}

MathSum DoubleDoubleBuilder::add(MathSum X, MathSum Y) {
  MathSum Hi = M.twoSum(X.Hi, Y.Hi), Lo = M.twoSum(X.Lo, Y.Lo);
  MathSum Sum = M.fastTwoSum(Hi.Hi, M.add(Hi.Lo, Lo.Hi));
  return M.fastTwoSum(Sum.Hi, M.add(Lo.Lo, Sum.Lo));
}

MathSum DoubleDoubleBuilder::add(MathSum X, Value *Y) {
  MathSum Sum = M.twoSum(X.Hi, Y);
  return M.fastTwoSum(Sum.Hi, M.add(X.Lo, Sum.Lo));
}

/// The upper 26 bits of a number, and the rest (Dekker's split).
static MathSum split(DoubleDoubleBuilder &D, Value *X) {
  Value *Large = D.mulDouble(X, D.M.num(0x1p27 + 1));
  Value *Hi = D.M.sub(Large, D.M.sub(Large, X));
  return {Hi, D.M.sub(X, Hi)};
}

MathSum DoubleDoubleBuilder::product(Value *X, Value *Y) {
  Value *Hi = mulDouble(X, Y);
  if (M.hasFMA())
    return {Hi, M.mulAdd(X, Y, M.neg(Hi))};
  MathSum A = split(*this, X), B = split(*this, Y);
  Value *Rest = M.sub(mulDouble(A.Hi, B.Hi), Hi);
  Rest = M.add(Rest, mulDouble(A.Hi, B.Lo));
  Rest = M.add(Rest, mulDouble(A.Lo, B.Hi));
  return {Hi, M.add(Rest, mulDouble(A.Lo, B.Lo))};
}

MathSum DoubleDoubleBuilder::mul(MathSum X, MathSum Y) {
  MathSum P = product(X.Hi, Y.Hi);
  Value *Cross = M.add(mulDouble(X.Hi, Y.Lo), mulDouble(X.Lo, Y.Hi));
  return M.fastTwoSum(P.Hi, M.add(P.Lo, Cross));
}

MathSum DoubleDoubleBuilder::mul(MathSum X, Value *Y) {
  MathSum P = product(X.Hi, Y);
  return M.fastTwoSum(P.Hi, M.add(P.Lo, mulDouble(X.Lo, Y)));
}

MathSum DoubleDoubleBuilder::div(MathSum X, MathSum Y) {
  // Two steps of long division, and what is left in double.
  Value *First = M.div(X.Hi, Y.Hi);
  MathSum Rest = sub(X, mul(Y, First));
  Value *Second = M.div(Rest.Hi, Y.Hi);
  Rest = sub(Rest, mul(Y, Second));
  return add(M.fastTwoSum(First, Second), M.div(Rest.Hi, Y.Hi));
}

MathSum DoubleDoubleBuilder::div(MathSum X, Value *Y) {
  Value *First = M.div(X.Hi, Y);
  MathSum P = product(First, Y);
  Value *Rest = M.add(M.sub(M.sub(X.Hi, P.Hi), P.Lo), X.Lo);
  return M.fastTwoSum(First, M.div(Rest, Y));
}

MathSum DoubleDoubleBuilder::sqrt(MathSum X) {
  // A step of Newton's, which doubles the number of bits.
  Value *Root = M.B.CreateUnaryIntrinsic(Intrinsic::sqrt, X.Hi);
  MathSum Rest = sub(X, product(Root, Root));
  return M.fastTwoSum(Root, M.div(Rest.Hi, M.add(Root, Root)));
}

MathSum DoubleDoubleBuilder::withSignOf(MathSum X, Value *Y) {
  Value *Negative =
      M.B.CreateICmpSLT(M.bits(Y), ConstantInt::getNullValue(M.IntTy));
  return select(Negative, neg(X), X);
}

MathSum DoubleDoubleBuilder::poly(MathSum X, ArrayRef<DoubleDouble> C,
                                  MathPoly Rest) {
  Value *Small = M.num(Rest.back());
  for (double Coefficient : reverse(Rest.drop_back()))
    Small = M.add(mulDouble(Small, X.Hi), Coefficient);
  MathSum Sum = add(num(C.back()), product(Small, X.Hi));
  for (const DoubleDouble &Coefficient : reverse(C.drop_back()))
    Sum = add(mul(Sum, X), num(Coefficient));
  return Sum;
}

Value *DoubleDoubleBuilder::roundToOdd(MathSum X) {
  X = M.fastTwoSum(X.Hi, X.Lo);
  Value *Bits = M.bits(X.Hi);
  // Towards zero, where the rest has the other sign.
  Value *IsAbove = M.B.CreateICmpSLT(M.B.CreateXor(Bits, M.bits(X.Lo)),
                                     ConstantInt::getNullValue(M.IntTy));
  Value *Cut = M.B.CreateSub(Bits, M.B.CreateZExt(IsAbove, M.IntTy));
  Value *Odd = M.B.CreateOr(Cut, M.integer(1));
  // Infinities have no rest.
  Value *Exact = M.B.CreateFCmpUEQ(X.Lo, M.num(0));
  return M.fromBits(M.select(Exact, Bits, Odd));
}

} // namespace dlopt
