//===- DoubleLog.cpp - Logarithms and powers of float, in double ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values of logarithms, powers and roots of float that have been extended to
/// double, within 2^-37 of the exact ones or of a library's approximation.
///
//===----------------------------------------------------------------------===//
#include "MathFormulas.h"
#include "MathRecipes.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

static constexpr double Log2 = 0x1.62e42fefa39efp-1;

//===----------------------------------------------------------------------===//
// log
//===----------------------------------------------------------------------===//

/// 1 / c for sixteen c, with 21 bits, so that the lower halves are zero, and
/// log(c). A library has doubles: another r = x / c - 1, by less than 2^-21, of
/// which what its polynomial lacks hardly depends.
static constexpr double Inverses[] = {
    0x1.661ecp+0, 0x1.571edp+0, 0x1.4953ap+0, 0x1.3c996p+0,
    0x1.30d19p+0, 0x1.25e22p+0, 0x1.1bb4ap+0, 0x1.12359p+0,
    0x1.0953fp+0, 0x1p+0,       0x1.e608dp-1, 0x1.ca4b3p-1,
    0x1.b2036p-1, 0x1.9c2d1p-1, 0x1.886e6p-1, 0x1.767ddp-1};
static constexpr double Logs[] = {-0x1.57bf623c8cf28p-2, -0x1.2beefc8dc9256p-2,
                                  -0x1.01eaeae26c654p-2, -0x1.b31daa75bc8e4p-3,
                                  -0x1.6574eb68c133ap-3, -0x1.1aa286e23edc9p-3,
                                  -0x1.a4e72a0b1b5a6p-4, -0x1.1973d4146545ep-4,
                                  -0x1.252ec4f8d0c6ep-5, 0,
                                  0x1.aa5aa358a3cd9p-5,  0x1.c5e54bf5bc748p-4,
                                  0x1.526e713a1b5ap-3,   0x1.bc287fc2d8f2ep-3,
                                  0x1.1058bd1ae4ae1p-2,  0x1.404303a86a811p-2};

namespace {

/// A normal float is 2^K Z, Z being from 0.7 to 1.4 in the interval Index.
struct LogIntervals {
  Value *K, *Z, *Index;
};

} // namespace

/// Of the float with these \p Bits.
static LogIntervals getIntervals(MathBuilder &M, Value *Bits) {
  constexpr unsigned Mantissa = 23, IndexBits = 4;
  constexpr int64_t Offset = 0x3f330000;
  IRBuilderBase &B = M.B;
  Type *Int = Bits->getType();
  auto Number = [&](int64_t N) { return ConstantInt::getSigned(Int, N); };
  Value *From = B.CreateSub(Bits, Number(Offset));
  Value *K = B.CreateSIToFP(B.CreateAShr(From, Number(Mantissa)), M.Ty);
  Value *Exponent = B.CreateAnd(From, Number(-(int64_t(1) << Mantissa)));
  Value *Z = B.CreateBitCast(B.CreateSub(Bits, Exponent),
                             Int->getWithNewType(B.getFloatTy()));
  return {K, extend(M, Z), B.CreateLShr(From, Number(Mantissa - IndexBits))};
}

static Value *getBits(MathBuilder &M, Value *Single) {
  return M.B.CreateBitCast(Single, M.Ty->getWithNewType(M.B.getInt32Ty()));
}

/// K \p Unit + log(c) + r C[0] + r^2 C[1] + ... of a normal float, where r is
/// z / c - 1. With these polynomials results err by some tenths of a unit of
/// float's last place; what vectors leave out is less than 2^-17 of these.
static Value *emitLibraryLog(MathBuilder &M, Value *X, double Unit,
                             ArrayRef<double> Logs, MathPoly C) {
  LogIntervals I = getIntervals(M, getBits(M, X));
  Value *R = M.mulAdd(I.Z, lookUp(M, Inverses, I.Index), M.num(-1));
  Value *Y = M.mulAdd(I.K, Unit, lookUp(M, Logs, I.Index));
  return M.mulAdd(R, M.poly(R, C), Y);
}

/// As glibc has it since 2.28.
Value *emitLogInDouble(MathBuilder &M, MathArgs Args, Value *&) {
  return emitLibraryLog(
      M, Args[0], Log2, Logs,
      {1, -0x1.ffffef20a4123p-2, 0x1.5575b0be00b6ap-2, -0x1.00ea348b88334p-2});
}

/// As glibc has it since 2.28.
Value *emitLog2InDouble(MathBuilder &M, MathArgs Args, Value *&) {
  static constexpr double Logs[] = {
      -0x1.efec4646ccef1p-2, -0x1.b0b66f1450371p-2,
      -0x1.7418b4db0f9e4p-2, -0x1.39dea8c5f4463p-2,
      -0x1.01d9bb7350ffbp-2, -0x1.97c184629c6dbp-3,
      -0x1.2f9e08ff2e29dp-3, -0x1.960cd0c952064p-4,
      -0x1.a6f924c591496p-5, 0,
      0x1.338ca81ff4228p-4,  0x1.476aa1c23e268p-3,
      0x1.e840d9de2b8d8p-3,  0x1.4064755dfb092p-2,
      0x1.88e9c392b7fbap-2,  0x1.ce0a42495459dp-2};
  return emitLibraryLog(M, Args[0], 1, Logs,
                        {0x1.715475f35c8b8p0, -0x1.715479ffae3dep-1,
                         0x1.ecabf496832ep-2, -0x1.712b6f70a7e4dp-2});
}

/// k Unit + log(1 + f), f being small where k is 0: the polynomial in s^2, s =
/// f / (2 + f), is that logarithm over s.
static Value *emitLogOf(MathBuilder &M, Value *K, Value *F, double Unit,
                        MathPoly C) {
  Value *S = M.div(F, M.add(F, 2)), *Square = M.mul(S, S);
  Value *Y = M.poly(Square, M.mul(Square, Square), C);
  return M.mulAdd(K, Unit, M.mul(S, Y));
}

/// Of a normal float.
static Value *emitLogOf(MathBuilder &M, Value *X, double Unit, MathPoly C) {
  LogReduction L = reduceLog(M, extend(M, X), /*Normal=*/true);
  return emitLogOf(M, L.K, L.F, Unit, C);
}

/// 2 artanh(s) / s, within 2^-45.
static constexpr double LogPoly[] = {
    0x1.fffffffffff10p+0, 0x1.5555555672dfap-1, 0x1.99999628a4cd3p-2,
    0x1.24943960bd78fp-2, 0x1.c6208cb96a158p-3, 0x1.919815195575cp-3};

Value *emitLogOf(MathBuilder &M, Value *X) {
  LogReduction L = reduceLog(M, X, /*Normal=*/true);
  return emitLogOf(M, L.K, L.F, Log2, LogPoly);
}

Value *emitExactLogInDouble(MathBuilder &M, MathArgs Args, Value *&) {
  return emitLogOf(M, extend(M, Args[0]));
}

/// Within 2^-45 of itself.
Value *emitExactLog2InDouble(MathBuilder &M, MathArgs Args, Value *&) {
  static constexpr double C[] = {0x1.71547652b8251p+1, 0x1.ec709dc53c9c5p-1,
                                 0x1.2776c292fc64ep-1, 0x1.a61a2f0211f54p-2,
                                 0x1.47954c9814c05p-2, 0x1.21b17bb6c8f86p-2};
  return emitLogOf(M, Args[0], 1, C);
}

/// Within 2^-45 of itself.
Value *emitLog10InDouble(MathBuilder &M, MathArgs Args, Value *&) {
  static constexpr double C[] = {0x1.bcb7b1526e43ep-1, 0x1.287a7637ec7a1p-2,
                                 0x1.63c62477563cep-3, 0x1.fc4304a84813bp-4,
                                 0x1.8a7310ee158d8p-4, 0x1.5cd352ed59455p-4};
  return emitLogOf(M, Args[0], 0x1.34413509f79ffp-2, C);
}

Value *emitLog1pOf(MathBuilder &M, Value *X) {
  LogReduction L = reduceLog(M, M.add(X, 1), /*Normal=*/true);
  // What 1 + x has lost is not small there.
  Value *F = M.select(M.B.CreateFCmpOEQ(L.K, M.num(0)), X, L.F);
  return emitLogOf(M, L.K, F, Log2, LogPoly);
}

Value *emitLog1pInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Calls = isSubnormal(M, Args[0]);
  Value *X = extend(M, Args[0]);
  return M.withSignOf(emitLog1pOf(M, X), X);
}

//===----------------------------------------------------------------------===//
// pow, cbrt
//===----------------------------------------------------------------------===//

/// Lanes of \p X, float, that are zeros, subnormal, infinite or NaN.
static Value *isNotNormal(MathBuilder &M, Value *X) {
  IRBuilderBase &B = M.B;
  Type *Int = M.Ty->getWithNewType(B.getInt32Ty());
  return isNotNormal(B, B.CreateAnd(B.CreateBitCast(X, Int),
                                    ConstantInt::get(Int, 0x7fffffff)));
}

/// \p Result, the power of |X|, with the sign that the power of X has. Adds
/// to \p Calls where there is none, X is no normal number, or the result is
/// none, \p T being its logarithm.
static Value *withSignOfPower(MathBuilder &M, MathArgs Args, Value *Wide,
                              Value *T, Value *Result, Value *&Calls) {
  IRBuilderBase &B = M.B;
  MathParity P = getParity(M, extend(M, Args[1]));
  Value *IsNegative =
      B.CreateFCmpOLT(Args[0], Constant::getNullValue(Args[0]->getType()));
  Value *IsNone = B.CreateAnd(IsNegative, B.CreateNot(P.IsInteger));
  Value *IsFar = isAtLeast(M, T, 126);
  Calls = B.CreateOr(isNotNormal(M, Args[0]), B.CreateOr(IsNone, IsFar));
  if (DLOPT_PLANTED(PowerSignLost))
    return Result;
  Value *Sign = B.CreateAnd(M.bits(Wide), P.OddSign);
  return M.fromBits(B.CreateOr(M.bits(Result), Sign));
}

/// log2 of the float with these \p Bits, within 2^-32.5 of itself as glibc's
/// powf has it.
static Value *emitLog2OfPower(MathBuilder &M, Value *Bits) {
  static constexpr double Logs[] = {
      -0x1.efec4646ccef1p-2, -0x1.b0b66f145037p-2,
      -0x1.7418b4db0f9e4p-2, -0x1.39dea8c5f4464p-2,
      -0x1.01d9bb7350ffbp-2, -0x1.97c184629c6dbp-3,
      -0x1.2f9e08ff2e29dp-3, -0x1.960cd0c952064p-4,
      -0x1.a6f924c591496p-5, 0,
      0x1.338ca81ff4228p-4,  0x1.476aa1c23e268p-3,
      0x1.e840d9de2b8d8p-3,  0x1.4064755dfb092p-2,
      0x1.88e9c392b7fbap-2,  0x1.ce0a42495459dp-2};
  LogIntervals I = getIntervals(M, Bits);
  Value *R = M.mulAdd(I.Z, lookUp(M, Inverses, I.Index), M.num(-1));
  Value *Log = M.add(I.K, lookUp(M, Logs, I.Index));
  static constexpr double C[] = {0x1.71547652ab82bp0, -0x1.7154748bef6c8p-1,
                                 0x1.ec70a6ca7baddp-2, -0x1.71969a075c67ap-2,
                                 0x1.27616c9496e0bp-2};
  Value *Square = M.mul(R, R);
  Value *Y = M.mulAdd(M.mulAdd(R, C[4], M.num(C[3])), Square,
                      M.mulAdd(R, C[2], M.num(C[1])));
  return M.mulAdd(Y, Square, M.mulAdd(R, C[0], Log));
}

/// 2^t. Next to the middle between two multiples of 1 / 32 the library may take
/// the other one.
static Value *emitExp2OfPower(MathBuilder &M, Value *T, Value *&Calls) {
  Value *R = nullptr, *Y = emitPowerByTable(M, T, R);
  Calls = isAtLeast(M, R, 0x1p-6 - 0x1p-27);
  return Y;
}

/// As glibc has it since 2.28. With results that err by some tenths of a unit
/// of float's last place; what vectors leave out is less than 2^-15 of these.
Value *emitPowInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  IRBuilderBase &B = M.B;
  Value *Bits = getBits(M, Args[0]);
  Bits = B.CreateAnd(Bits, ConstantInt::get(Bits->getType(), 0x7fffffff));
  Value *T = M.mul(emitLog2OfPower(M, Bits), extend(M, Args[1]));
  Value *IsBetween = nullptr;
  Value *Y = emitExp2OfPower(M, T, IsBetween);
  Y = withSignOfPower(M, Args, extend(M, Args[0]), T, Y, Calls);
  Calls = B.CreateOr(Calls, IsBetween);
  return Y;
}

/// 2^(y log2(|x|)): within 2^-42.8 of itself, the logarithm, up to 126 times
/// of which is what the result's relative error is, within 2^-51.
Value *emitExactPowInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  static constexpr double C[] = {0x1.71547652b82ffp+1, 0x1.ec709dc39c9d4p-1,
                                 0x1.2776c516ab3b5p-1, 0x1.a61756749c9c8p-2,
                                 0x1.484facd7ff815p-2, 0x1.0bb7a5fe8810ep-2,
                                 0x1.f187158d94d32p-3};
  Value *X = extend(M, Args[0]);
  LogReduction L = reduceLog(M, M.abs(X), /*Normal=*/true);
  Value *T = M.mul(emitLogOf(M, L.K, L.F, 1, C), extend(M, Args[1]));
  return withSignOfPower(M, Args, X, T, emitExp2Of(M, T), Calls);
}

/// Within 2^-50 of itself.
Value *emitCbrtInDouble(MathBuilder &M, MathArgs Args, Value *&) {
  Value *X = extend(M, Args[0]);
  return M.withSignOf(emitCbrtNormal(M, M.abs(X)), X);
}

} // namespace dlopt
