//===- DoubleModels.cpp - Functions of float, computed in double ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values of functions of float that have been extended to double, within 2^-38
/// of the exact ones or of a library's approximation. Where a library's result
/// might be another one than these, rounded, is up to the model's window.
///
//===----------------------------------------------------------------------===//
#include "MathFormulas.h"
#include "MathRecipes.h"

using namespace llvm;

namespace dlopt {

static constexpr double Log2 = 0x1.62e42fefa39efp-1;

/// Of float.
static Value *extend(MathBuilder &M, Value *X) {
  return M.B.CreateFPExt(X, M.Ty);
}

/// Lanes of \p X, float, that are subnormal, and their results with them.
static Value *isSubnormal(MathBuilder &M, Value *X) {
  constexpr int64_t TwiceLeast = 0x01000000;
  Type *Int = M.Ty->getWithNewType(M.B.getInt32Ty());
  Value *Twice = M.B.CreateShl(M.B.CreateBitCast(X, Int), 1);
  return M.B.CreateICmpULT(M.B.CreateSub(Twice, ConstantInt::get(Int, 1)),
                           ConstantInt::get(Int, TwiceLeast - 1));
}

/// Of float, from \p Least on up to \p Greatest; NaN stays.
static Value *clamp(MathBuilder &M, Value *X, float Least, float Greatest) {
  auto Number = [&](float Y) { return ConstantFP::get(X->getType(), Y); };
  IRBuilderBase &B = M.B;
  X = B.CreateSelect(B.CreateFCmpOLT(X, Number(Least)), Number(Least), X);
  return B.CreateSelect(B.CreateFCmpOGT(X, Number(Greatest)), Number(Greatest),
                        X);
}

//===----------------------------------------------------------------------===//
// exp, exp2
//===----------------------------------------------------------------------===//

/// exp(r) up to |r| = log(2) / 2, within 2^-39.7 (a minimax polynomial by
/// Remez' algorithm, its coefficients rounded).
static constexpr double ExpPoly[] = {0x1p+0,
                                     0x1.ffffffffc4a22p-1,
                                     0x1.ffffffff9520ep-2,
                                     0x1.555555b50668ep-3,
                                     0x1.55555661fc311p-5,
                                     0x1.11106aa75d915p-7,
                                     0x1.6c14240fdb937p-10,
                                     0x1.a1c756ce69a0dp-13,
                                     0x1.a4275ab098e78p-16};

static Value *emitExpPoly(MathBuilder &M, Value *X) {
  return M.poly(X, M.mul(X, X), ExpPoly);
}

Value *emitSmallExpInDouble(MathBuilder &M, Value *X, Value *&) {
  return emitExpPoly(M, extend(M, X));
}

namespace {

/// X = n log(2) + R: n, and 2^n.
struct ExpReduction {
  Value *N, *R, *Power;
};

} // namespace

/// n * log(2) is less than 2^7: one part of log(2) leaves out 2^-47.
static ExpReduction reduceExp(MathBuilder &M, Value *X) {
  const MathFormat &F = M.Format;
  double Magic = F.Magic + F.Bias;
  Value *T = M.mulAdd(X, F.Log2E, M.num(Magic)), *N = M.sub(T, Magic);
  return {N, M.mulAdd(N, -Log2, X), M.pow2(T)};
}

/// Within 2^-39 of itself.
static Value *emitExpOf(MathBuilder &M, Value *X) {
  ExpReduction E = reduceExp(M, X);
  return M.mul(emitExpPoly(M, E.R), E.Power);
}

Value *emitExpInDouble(MathBuilder &M, Value *X, Value *&) {
  return emitExpOf(M, extend(M, X));
}

/// exp2 of a float, by the same polynomial.
Value *emitExp2InDouble(MathBuilder &M, Value *X, Value *&) {
  X = extend(M, X);
  double Magic = M.Format.Magic + M.Format.Bias;
  Value *T = M.add(X, Magic);
  Value *R = M.mul(M.sub(X, M.sub(T, Magic)), Log2);
  return M.mul(emitExpPoly(M, R), M.pow2(T));
}

//===----------------------------------------------------------------------===//
// expm1, tanh
//===----------------------------------------------------------------------===//

/// 2^n (exp(r) - 1) + (2^n - 1), within 2^-37 of itself, but for the sign of
/// zero. The polynomial is (exp(r) - 1) / r, within 2^-37.7.
static Value *emitExpm1Of(MathBuilder &M, Value *X) {
  static constexpr double C[] = {0x1.fffffffff6239p-1,  0x1.000000001abf6p-1,
                                 0x1.5555557e7844bp-3,  0x1.555554f27ce96p-5,
                                 0x1.1110a6024e7b5p-7,  0x1.6c175b643417p-10,
                                 0x1.a17e3da17691dp-13, 0x1.a01a75f8980fp-16};
  ExpReduction E = reduceExp(M, X);
  Value *Y = M.mul(M.poly(E.R, M.mul(E.R, E.R), C), E.R);
  return M.mulAdd(E.Power, Y, M.sub(E.Power, 1));
}

/// Below -20 results are -1.
Value *emitExpm1InDouble(MathBuilder &M, Value *X, Value *&Calls) {
  Calls = isSubnormal(M, X);
  X = extend(M, clamp(M, X, -20, 89));
  return M.withSignOf(emitExpm1Of(M, X), X);
}

/// Beyond 10 results are 1.
Value *emitTanhInDouble(MathBuilder &M, Value *X, Value *&Calls) {
  Calls = isSubnormal(M, X);
  X = extend(M, clamp(M, X, -10, 10));
  Value *Y = emitExpm1Of(M, M.add(X, X));
  return M.withSignOf(M.div(Y, M.add(Y, 2)), X);
}

//===----------------------------------------------------------------------===//
// erf
//===----------------------------------------------------------------------===//

/// An odd polynomial within 2^-40 of itself up to 1, then 1 - exp(q(|x|)), q
/// being log(erfc(|x|)) but for what is 2^-40 of the result. Beyond 4 that
/// is 1.
Value *emitErfInDouble(MathBuilder &M, Value *X, Value *&Calls) {
  static constexpr double Near[] = {
      0x1.20dd750428b2ap+0,  -0x1.812746adb3077p-2,  0x1.ce2f20978ac74p-4,
      -0x1.b82cb8f75f60fp-6, 0x1.56586d16ea132p-8,   -0x1.bfdf5b94982e6p-11,
      0x1.f56bf559fee87p-14, -0x1.d25d1854a33edp-17, 0x1.1b8c452381854p-20};
  static constexpr double Far[] = {
      0x1.e707031fc4e7bp-15,  -0x1.20f7d8c24b35ap+0, -0x1.454f201d41b3fp-1,
      -0x1.ae53b70318c34p-4,  0x1.65f77c057048ep-6,  -0x1.00d4a2abd4e0fp-9,
      -0x1.2bb0b90c73644p-11, 0x1.2804fd31edf76p-12, -0x1.e5becfd06ea8bp-15,
      0x1.a696274840a8ep-18,  -0x1.3cfa6017e1c2ap-22};
  Calls = isSubnormal(M, X);
  X = extend(M, clamp(M, X, -4, 4));
  Value *A = M.abs(X), *Square = M.mul(A, A);
  Value *Small = M.mul(M.poly(Square, M.mul(Square, Square), Near), A);
  Value *Large = M.sub(1, emitExpOf(M, M.poly(A, Square, Far)));
  return M.withSignOf(M.select(M.less(A, 1), Small, Large), X);
}

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

/// The numbers of \p Table in two floats, as double: but for 2^-49.
static MathSum lookUpParts(MathBuilder &M, ArrayRef<double> Table,
                           Value *Index) {
  SmallVector<float, 16> Hi, Lo;
  for (double X : Table) {
    Hi.push_back(static_cast<float>(X));
    Lo.push_back(static_cast<float>(X - Hi.back()));
  }
  return {extend(M, lookUp(M.B, Hi, Index)), extend(M, lookUp(M.B, Lo, Index))};
}

/// log of a normal float as glibc has it since 2.28: k log(2) + log(c) and a
/// polynomial of third degree in r = z / c - 1, 2^k z = x, with which the
/// result errs by 0.82 units of float's last place. What vectors leave out are
/// less than 2^-19 of these.
Value *emitLogInDouble(MathBuilder &M, Value *X, Value *&) {
  constexpr unsigned Mantissa = 23, IndexBits = 4;
  constexpr int64_t Offset = 0x3f330000;
  IRBuilderBase &B = M.B;
  Type *Int = M.Ty->getWithNewType(B.getInt32Ty());
  auto Number = [&](int64_t N) { return ConstantInt::getSigned(Int, N); };
  Value *Bits = B.CreateBitCast(X, Int),
        *From = B.CreateSub(Bits, Number(Offset));
  Value *K = B.CreateSIToFP(B.CreateAShr(From, Number(Mantissa)), M.Ty);
  Value *Exponent = B.CreateAnd(From, Number(-(int64_t(1) << Mantissa)));
  Value *Z =
      extend(M, B.CreateBitCast(B.CreateSub(Bits, Exponent), X->getType()));
  Value *Index = B.CreateLShr(From, Number(Mantissa - IndexBits));
  MathSum Inverse = lookUpParts(M, Inverses, Index),
          Log = lookUpParts(M, Logs, Index);
  Value *R = M.mulAdd(Z, Inverse.Lo, M.mulAdd(Z, Inverse.Hi, M.num(-1)));
  Value *Y = M.add(M.mulAdd(K, Log2, Log.Hi), Log.Lo);
  Value *Square = M.mul(R, R);
  Value *Rest = M.mulAdd(R, 0x1.5575b0be00b6ap-2, M.num(-0x1.ffffef20a4123p-2));
  Rest = M.mulAdd(Square, -0x1.00ea348b88334p-2, Rest);
  return M.mulAdd(Rest, Square, M.add(Y, R));
}

/// k log(2) + log(1 + f), within 2^-37 of itself, f being small where k is 0:
/// the polynomial in s^2, s = f / (2 + f), is 2 artanh(s) / s within 2^-37.8.
static Value *emitLogOf(MathBuilder &M, Value *K, Value *F) {
  static constexpr double C[] = {0x1.0000000004a79p+1, 0x1.555554da52e92p-1,
                                 0x1.999a9d58a38cfp-2, 0x1.24328e93454efp-2,
                                 0x1.e3b72ad25956ep-3};
  Value *S = M.div(F, M.add(F, 2)), *Square = M.mul(S, S);
  Value *Y = M.poly(Square, M.mul(Square, Square), C);
  return M.mulAdd(K, Log2, M.mul(S, Y));
}

Value *emitExactLogInDouble(MathBuilder &M, Value *X, Value *&) {
  LogReduction L = reduceLog(M, extend(M, X), /*Normal=*/true);
  return emitLogOf(M, L.K, L.F);
}

Value *emitLog1pInDouble(MathBuilder &M, Value *X, Value *&Calls) {
  Calls = isSubnormal(M, X);
  X = extend(M, X);
  LogReduction L = reduceLog(M, M.add(X, 1), /*Normal=*/true);
  // What 1 + x has lost is not small there.
  Value *F = M.select(M.B.CreateFCmpOEQ(L.K, M.num(0)), X, L.F);
  return M.withSignOf(emitLogOf(M, L.K, F), X);
}

} // namespace dlopt
