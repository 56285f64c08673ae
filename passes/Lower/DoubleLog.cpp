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

/// c + x / c - 1 for sixteen c: 1 / c and log(c).
static constexpr double Inverses[] = {
    0x1.661ec79f8f3bep+0, 0x1.571ed4aaf883dp+0,
    0x1.49539f0f010bp+0,  0x1.3c995b0b80385p+0,
    0x1.30d190c8864a5p+0, 0x1.25e227b0b8eap+0,
    0x1.1bb4a4a1a343fp+0, 0x1.12358f08ae5bap+0,
    0x1.0953f419900a7p+0, 0x1p+0,
    0x1.e608cfd9a47acp-1, 0x1.ca4b31f026aap-1,
    0x1.b2036576afce6p-1, 0x1.9c2d163a1aa2dp-1,
    0x1.886e6037841edp-1, 0x1.767dcf5534862p-1};
static constexpr double Logs[] = {-0x1.57bf7808caadep-2, -0x1.2bef0a7c06ddbp-2,
                                  -0x1.01eae7f513a67p-2, -0x1.b31d8a68224e9p-3,
                                  -0x1.6574f0ac07758p-3, -0x1.1aa2bc79c81p-3,
                                  -0x1.a4e76ce8c0e5ep-4, -0x1.1973c5a611cccp-4,
                                  -0x1.252f438e10c1ep-5, 0,
                                  0x1.aa5aa5df25984p-5,  0x1.c5e53aa362eb4p-4,
                                  0x1.526e57720db08p-3,  0x1.bc2860d22477p-3,
                                  0x1.1058bc8a07ee1p-2,  0x1.4043057b6ee09p-2};

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
/// float's last place; what vectors leave out is less than 2^-19 of these.
static Value *emitLibraryLog(MathBuilder &M, Value *X, double Unit,
                             ArrayRef<double> Logs, MathPoly C) {
  LogIntervals I = getIntervals(M, getBits(M, X));
  Value *R = M.mulAdd(I.Z, lookUp(M, Inverses, I.Index), M.num(-1));
  Value *Y = M.mulAdd(I.K, Unit, lookUp(M, Logs, I.Index));
  Value *Square = M.mul(R, R);
  Value *Rest = M.mulAdd(R, C[2], M.num(C[1]));
  Rest = M.mulAdd(Square, C[3], Rest);
  return M.mulAdd(Rest, Square, M.mulAdd(R, C[0], Y));
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
      -0x1.efec65b963019p-2, -0x1.b0b6832d4fca4p-2,
      -0x1.7418b0a1fb77bp-2, -0x1.39de91a6dcf7bp-2,
      -0x1.01d9bf3f2b631p-2, -0x1.97c1d1b3b7afp-3,
      -0x1.2f9e393af3c9fp-3, -0x1.960cbbf788d5cp-4,
      -0x1.a6f9db6475fcep-5, 0,
      0x1.338ca9f24f53dp-4,  0x1.476a9543891bap-3,
      0x1.e840b4ac4e4d2p-3,  0x1.40645f0c6651cp-2,
      0x1.88e9c2c1b9ff8p-2,  0x1.ce0a44eb17bccp-2};
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
  constexpr int64_t Least = 0x00800000, Beyond = 0x7f800000;
  IRBuilderBase &B = M.B;
  Type *Int = M.Ty->getWithNewType(B.getInt32Ty());
  auto Number = [&](int64_t N) { return ConstantInt::get(Int, N); };
  Value *Bits = B.CreateAnd(B.CreateBitCast(X, Int), Number(0x7fffffff));
  return B.CreateICmpUGE(B.CreateSub(Bits, Number(Least)),
                         Number(Beyond - Least));
}

/// \p Result, the power of |X|, with the sign that the power of X has. Adds
/// to \p Calls where there is none, X is no normal number, or the result is
/// none, \p T being its logarithm.
static Value *withSignOfPower(MathBuilder &M, MathArgs Args, Value *Wide,
                              Value *T, Value *Result, Value *&Calls) {
  IRBuilderBase &B = M.B;
  MathParity P = getParity(M, extend(M, Args[1]));
  Value *IsNone = B.CreateAnd(M.less(Wide, 0), B.CreateNot(P.IsInteger));
  Value *IsFar = B.CreateFCmpUGE(M.abs(T), M.num(126));
  Calls = B.CreateOr(isNotNormal(M, Args[0]), B.CreateOr(IsNone, IsFar));
  if (DLOPT_PLANTED(PowerSignLost))
    return Result;
  Value *Sign = B.CreateAnd(M.bits(Wide), P.OddSign);
  return M.fromBits(B.CreateOr(M.bits(Result), Sign));
}

/// log2 of the float with these \p Bits, within 2^-32.5 of itself as glibc's
/// powf has it. There 1 / c is a double. This one is a float, so that its
/// product with z is exact: another r, by less than 2^-24, of which what the
/// polynomial lacks hardly depends.
static Value *emitLog2OfPower(MathBuilder &M, Value *Bits) {
  static constexpr float Inverses[] = {
      0x1.661ec8p+0f, 0x1.571ed4p+0f, 0x1.4953ap+0f,  0x1.3c995cp+0f,
      0x1.30d19p+0f,  0x1.25e228p+0f, 0x1.1bb4a4p+0f, 0x1.12359p+0f,
      0x1.0953f4p+0f, 0x1p+0f,        0x1.e608dp-1f,  0x1.ca4b32p-1f,
      0x1.b20366p-1f, 0x1.9c2d16p-1f, 0x1.886e6p-1f,  0x1.767ddp-1f};
  static constexpr double Logs[] = {
      -0x1.efec674739402p-2, -0x1.b0b6804d30924p-2,
      -0x1.7418b4db0f9e4p-2, -0x1.39de961bbfc39p-2,
      -0x1.01d9bb7350ffbp-2, -0x1.97c1d4d0c2069p-3,
      -0x1.2f9e32a7954e4p-3, -0x1.960cd0c952064p-4,
      -0x1.a6f9d6f1d16afp-5, 0,
      0x1.338ca81ff4228p-4,  0x1.476a94dd5b49cp-3,
      0x1.e840b105841ecp-3,  0x1.40645fdca7eb9p-2,
      0x1.88e9c392b7fbap-2,  0x1.ce0a42495459dp-2};
  LogIntervals I = getIntervals(M, Bits);
  Value *Inverse = extend(M, lookUp(M, Inverses, I.Index));
  Value *R = M.mulAdd(I.Z, Inverse, M.num(-1));
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
  Calls = M.B.CreateFCmpOGT(M.abs(R), M.num(0x1p-6 - 0x1p-36));
  return Y;
}

/// As glibc has it since 2.28. With results that err by some tenths of a unit
/// of float's last place; what vectors leave out is less than 2^-16 of these.
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
