//===- MathBuilder.cpp - Operations that math functions are made of -------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MathBuilder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace dlopt {

static constexpr MathFormat Single = {23,
                                      127,
                                      0x1.8p23,
                                      0x1p-126,
                                      0x1.62e4p-1,
                                      0x1.7f7d1cp-20,
                                      0x1.715476p+0,
                                      -0x1.ap+6,
                                      0x1.64p+6,
                                      -0x1.2dp+7,
                                      0x1p+7};
static constexpr MathFormat Double = {52,
                                      1023,
                                      0x1.8p52,
                                      0x1p-1022,
                                      0x1.62e42feep-1,
                                      0x1.a39ef35793c76p-33,
                                      0x1.71547652b82fep+0,
                                      -0x1.75p+9,
                                      0x1.63p+9,
                                      -0x1.0dp+10,
                                      0x1p+10};

/// LLVM cannot take llvm.ldexp apart.
bool hasWideRegisters(const IRBuilderBase &B) {
  Attribute A =
      B.GetInsertBlock()->getParent()->getFnAttribute("min-legal-vector-width");
  uint64_t Bits = 0;
  return !A.isValid() ||
         (to_integer(A.getValueAsString(), Bits) && Bits >= 512);
}

MathBuilder::MathBuilder(IRBuilderBase &B, Type *Ty, const MathTarget &T)
    : B(B), Ty(Ty),
      IntTy(Ty->getWithNewType(B.getIntNTy(Ty->getScalarSizeInBits()))),
      Format(Ty->getScalarType()->isFloatTy() ? Single : Double), Target(T),
      FMA(T.HasFMA), HasWideRegisters(hasWideRegisters(B)) {
  const DenormalMode &Mode = Ty->getScalarType()->isFloatTy() ? T.F32 : T.F64;
  // Narrower ones would be taken apart, or widened.
  auto *V = dyn_cast<FixedVectorType>(Ty);
  Scales = T.HasScaling && V &&
           V->getNumElements() * Ty->getScalarSizeInBits() % 512 == 0 &&
           HasWideRegisters;
  Subnormals =
      Mode.Input == DenormalMode::IEEE || Mode.Input == DenormalMode::Dynamic;
}

unsigned MathBuilder::getPermuted() const {
  constexpr unsigned Wide = 16, Narrow = 8;
  auto *V = dyn_cast<FixedVectorType>(Ty);
  if (!V)
    return 0;
  if (Target.HasScaling && HasWideRegisters && V->getNumElements() % Wide == 0)
    return Wide;
  return Target.HasPermutations && V->getNumElements() % Narrow == 0 ? Narrow
                                                                     : 0;
}

Value *MathBuilder::num(double X) { return ConstantFP::get(Ty, X); }

Value *MathBuilder::integer(int64_t X) {
  return ConstantInt::getSigned(IntTy, X);
}

Value *MathBuilder::add(Value *X, Value *Y) { return B.CreateFAdd(X, Y); }
Value *MathBuilder::sub(Value *X, Value *Y) { return B.CreateFSub(X, Y); }
Value *MathBuilder::mul(Value *X, Value *Y) { return B.CreateFMul(X, Y); }
Value *MathBuilder::div(Value *X, Value *Y) { return B.CreateFDiv(X, Y); }

Value *MathBuilder::neg(Value *X) { return B.CreateFNeg(X); }

Value *MathBuilder::mulAdd(Value *X, Value *Y, Value *Z) {
  if (FMA)
    return B.CreateIntrinsic(Intrinsic::fma, {Ty}, {X, Y, Z});
  return add(mul(X, Y), Z);
}

Value *MathBuilder::poly(Value *X, MathPoly C) {
  Value *Sum = num(C.back());
  for (double Coefficient : reverse(C.drop_back()))
    Sum = mulAdd(Sum, X, num(Coefficient));
  return Sum;
}

Value *MathBuilder::poly(Value *X, Value *Square, MathPoly C) {
  auto Pair = [&](size_t I) -> Value * {
    return I + 1 < C.size() ? mulAdd(num(C[I + 1]), X, num(C[I])) : num(C[I]);
  };
  size_t I = (C.size() - 2) | 1;
  Value *Sum = Pair(I);
  while (I > 1) {
    I -= 2;
    Sum = mulAdd(Sum, Square, Pair(I));
  }
  return mulAdd(Sum, X, num(C[0]));
}

MathSum MathBuilder::fastTwoSum(Value *X, Value *Y) {
  Value *Hi = add(X, Y);
  return {Hi, sub(Y, sub(Hi, X))};
}

MathSum MathBuilder::twoSum(Value *X, Value *Y) {
  Value *Hi = add(X, Y);
  Value *FromY = sub(Hi, X);
  return {Hi, add(sub(X, sub(Hi, FromY)), sub(Y, FromY))};
}

MathSum MathBuilder::product(Value *X, Value *Y) {
  Value *Hi = mul(X, Y);
  return {Hi, mulAdd(X, Y, neg(Hi))};
}

MathSum MathBuilder::product(MathSum X, MathSum Y) {
  MathSum P = product(X.Hi, Y.Hi);
  P.Lo = mulAdd(X.Lo, Y.Hi, mulAdd(X.Hi, Y.Lo, P.Lo));
  return P;
}

Value *MathBuilder::abs(Value *X) {
  return B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
}

Value *MathBuilder::withSignOf(Value *X, Value *Y) {
  Value *Sign =
      ConstantInt::get(IntTy, APInt::getSignMask(IntTy->getScalarSizeInBits()));
  return fromBits(B.CreateOr(bits(X), B.CreateAnd(bits(Y), Sign)));
}

Value *MathBuilder::min(Value *X, double Y) {
  return select(B.CreateFCmpOLT(num(Y), X), num(Y), X);
}

Value *MathBuilder::max(Value *X, double Y) {
  return select(B.CreateFCmpOGT(num(Y), X), num(Y), X);
}

Value *MathBuilder::select(Value *C, Value *X, Value *Y) {
  return B.CreateSelect(C, X, Y);
}

Value *MathBuilder::less(Value *X, double Y) {
  return B.CreateFCmpOLT(X, num(Y));
}

Value *MathBuilder::bits(Value *X) { return B.CreateBitCast(X, IntTy); }
Value *MathBuilder::fromBits(Value *X) { return B.CreateBitCast(X, Ty); }

Value *MathBuilder::pow2(Value *T) {
  return fromBits(B.CreateShl(bits(T), integer(Format.Mantissa)));
}

Value *MathBuilder::scale(Value *X, Value *T) {
  // Halves of n + 2 * Bias are exponents themselves; higher bits of T have no
  // place in them.
  Value *N = bits(T);
  if (Scales) {
    N = B.CreateSub(N, bits(num(Format.Magic + 2 * Format.Bias)));
    N = B.CreateTrunc(N, Ty->getWithNewType(B.getInt32Ty()));
    return B.CreateIntrinsic(Intrinsic::ldexp, {Ty, N->getType()}, {X, N});
  }
  Value *Half = B.CreateLShr(N, integer(1));
  Value *Shift = integer(Format.Mantissa);
  Value *First = fromBits(B.CreateShl(Half, Shift));
  Value *Second = fromBits(B.CreateShl(B.CreateSub(N, Half), Shift));
  return mul(mul(X, First), Second);
}

} // namespace dlopt
