//===- FloatModels.cpp - Functions of float as libraries compute them -----===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions of Sun's fdlibm (1993) in its version for float, which are glibc's
/// up to 2.40, as the library computes them:
///
///   tanhf(|x|) = -t / (t + 2), t = expm1f(-2 |x|)
///   expm1f(x) = 2^k (1 + e) - 1, e = expm1(x - k log(2)) by a quotient
///   log1pf(x) = k log(2) + log(1 + f), 2^k (1 + f) = 1 + x
///   sinhf(|x|) = (t + t / (t + 1)) / 2, or with 2 t - t^2 / (t + 1), t =
///     expm1f(|x|)
///   coshf(x) = (t + 1 / t) / 2, t = expf(|x|), or by expm1f
///   erff(x) = x + x p / q, c + p / q or 1 - exp(-x^2 + p / q) / x; erfcf
///   log10f(x) = k log10(2) + logf(f) / log(10), 2^k f = x
///
/// and of glibc's cbrtf (1997), which is a step of Halley's in double.
///
/// Every operation that rounds is the library's, with its operands, and nothing
/// is fused but products that are exact. What differs is what makes no
/// difference: branches are selections of operands, and what the library does
/// for inputs that are tiny or huge is what the formula does there anyway, or
/// at a number that is nearer. All floats have been tried
/// (utils/math/models.py --full).
///
//===----------------------------------------------------------------------===//
#include "MathFormulas.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace dlopt {

/// X * Y, rounded: some back ends fuse a product with a sum behind it, whatever
/// the flags of both allow.
static Value *multiply(MathBuilder &M, Value *X, Value *Y) {
  Value *P = M.mul(X, Y);
  return M.B.CreateIntrinsic(Intrinsic::arithmetic_fence, {P->getType()}, {P});
}

/// Z + X * Y, rounded twice.
static Value *addProduct(MathBuilder &M, Value *Z, Value *X, Value *Y) {
  if (DLOPT_PLANTED(ContractedModel))
    return M.mulAdd(X, Y, Z);
  return M.add(Z, multiply(M, X, Y));
}

/// Z - X * Y, rounded twice.
static Value *subProduct(MathBuilder &M, Value *Z, Value *X, Value *Y) {
  if (DLOPT_PLANTED(ContractedModel))
    return M.mulAdd(M.neg(X), Y, Z);
  return M.sub(Z, multiply(M, X, Y));
}

/// By Horner's rule, every product and every sum rounded.
static Value *horner(MathBuilder &M, Value *X, MathPoly C) {
  Value *Sum = M.num(C.back());
  for (double Coefficient : reverse(C.drop_back()))
    Sum = addProduct(M, M.num(Coefficient), X, Sum);
  return Sum;
}

//===----------------------------------------------------------------------===//
// The library's own functions
//===----------------------------------------------------------------------===//

/// How far from the middle \p Formula, that of a model of \p F, is asked.
static double getWindow(MathFunction F, MathFormula::InDouble *Formula) {
  return find_if(
             getMathModels(F),
             [&](const MathModel &M) { return M.Formula.Double == Formula; })
      ->Window;
}

/// \p F of \p X by \p Formula; adds to \p Calls the lanes in which libraries
/// that have \p Model may have another one.
static Value *emitInner(MathBuilder &M, Value *X, Value *&Calls, MathFunction F,
                        MathFormula::InDouble *Formula,
                        MathFormula::InDouble *Model) {
  MathBuilder InDouble = M.inDouble();
  Value *None = nullptr;
  Value *Y = Formula(InDouble, X, None);
  Value *Own = isNearMiddle(M.B, Y, getWindow(F, Model));
  Calls = Calls ? M.B.CreateOr(Calls, Own) : Own;
  return M.B.CreateFPTrunc(Y, M.Ty);
}

/// expf.
static Value *emitInnerExp(MathBuilder &M, Value *X, Value *&Calls,
                           MathFormula::InDouble *Exp) {
  return emitInner(M, X, Calls, MathFunction::Exp, Exp, emitExpInDouble);
}

//===----------------------------------------------------------------------===//
// expm1
//===----------------------------------------------------------------------===//

namespace {

/// expm1(y) = 2^K (1 + X - E) - 1, K being an integer.
struct Expm1Parts {
  Value *K, *X, *E;
};

} // namespace

/// What expm1(X + C) is less than X, up to log(2) / 2.
static Value *emitExpm1Rest(MathBuilder &M, Value *X, Value *C) {
  static constexpr double Q[] = {0x1p+0,         -0x1.111112p-5,
                                 0x1.a01a02p-10, -0x1.4ce19ap-14,
                                 0x1.0cfca8p-18, -0x1.afdb76p-23};
  Value *Half = M.mul(X, 0.5), *Square = multiply(M, X, Half);
  Value *R = horner(M, Square, Q);
  Value *T = subProduct(M, M.num(3), R, Half);
  Value *Quotient = M.div(M.sub(R, T), subProduct(M, M.num(6), X, T));
  Value *E = M.sub(multiply(M, Square, Quotient), C);
  return M.sub(M.sub(multiply(M, X, E), C), Square);
}

static Expm1Parts emitExpm1Parts(MathBuilder &M, Value *Y) {
  Value *A = M.abs(Y);
  Value *K =
      addProduct(M, M.withSignOf(M.num(0.5), Y), Y, M.num(0x1.715476p+0));
  K = M.B.CreateUnaryIntrinsic(Intrinsic::trunc, K);
  // Below 1.5 log(2) and 0.5 log(2).
  K = M.select(M.less(A, 0x1.0a2b24p+0), M.withSignOf(M.num(1), Y), K);
  K = M.select(M.less(A, 0x1.62e432p-2), M.num(0), K);
  // The first product is exact.
  Value *Hi = M.mulAdd(K, -0x1.62e3p-1, Y),
        *Lo = multiply(M, K, M.num(0x1.2fefa2p-17));
  Value *X = M.sub(Hi, Lo), *C = M.sub(M.sub(Hi, X), Lo);
  return {K, X, emitExpm1Rest(M, X, C)};
}

/// T's low bits are the integer \p K and a bias: 2^K, or 2^-K.
static Value *power(MathBuilder &M, Value *K) {
  return M.pow2(M.add(K, M.Format.Magic + M.Format.Bias));
}

//===----------------------------------------------------------------------===//
// tanh
//===----------------------------------------------------------------------===//

/// From 1 on, 1 - 2 / (expm1(2 |x|) + 2). expm1 has other operations for each
/// range of K, which is 3 or more there, and -3 to 0 below. From 22 on, results
/// are 1.
ModelledMath emitTanhInFloat(MathBuilder &M, MathFormula::Args Args) {
  Value *X = Args[0];
  Value *A = M.min(M.abs(X), 22);
  Value *IsFar = M.B.CreateFCmpOGE(A, M.num(1));
  auto [K, R, E] =
      emitExpm1Parts(M, M.mul(A, M.select(IsFar, M.num(2), M.num(-2))));
  Value *D = M.sub(E, R), *P = power(M, K);
  Value *IsNear = M.B.CreateFCmpOGE(K, M.num(-1));
  Value *One = M.select(IsFar, M.sub(1, power(M, M.neg(K))),
                        M.select(IsNear, M.num(0), M.num(1)));
  Value *Rest =
      M.select(IsFar, M.num(0), M.select(IsNear, M.sub(P, 1), M.num(-1)));
  // The product is exact.
  Value *T = M.mulAdd(P, M.sub(One, D), Rest);
  Value *Q = M.div(M.select(IsFar, M.num(2), M.neg(T)), M.add(T, 2));
  Value *Y = M.select(IsFar, M.sub(1, Q), Q);
  return {M.B.CreateCopySign(Y, X), nullptr};
}

//===----------------------------------------------------------------------===//
// expm1
//===----------------------------------------------------------------------===//

/// Below -19 results are -1.
ModelledMath emitExpm1InFloat(MathBuilder &M, MathFormula::Args Args) {
  Value *X = Args[0];
  auto [K, R, E] = emitExpm1Parts(M, M.max(X, -19));
  Value *Sum = M.sub(R, E);
  // K is -1 or 1. Products by powers of two are exact.
  Value *P = power(M, K);
  Value *Near = M.mulAdd(P, Sum, M.sub(P, 1));
  Value *IsLow =
      M.B.CreateAnd(M.B.CreateFCmpOGT(K, M.num(0)), M.less(R, -0.25));
  Near = M.select(IsLow, M.mul(M.sub(M.add(R, 0.5), E), 2), Near);
  Near = M.select(M.B.CreateFCmpOEQ(K, M.num(0)), Sum, Near);
  // By the exponent, as 2^128 is no number.
  Value *IsUp = M.B.CreateFCmpOGT(K, M.num(0));
  Value *Inverse = power(M, M.neg(M.min(K, 100)));
  Value *One = M.select(IsUp, M.sub(1, Inverse), M.num(1));
  Value *Far =
      M.select(M.B.CreateFCmpOGE(K, M.num(23)),
               M.add(M.sub(R, M.add(E, Inverse)), 1), M.sub(One, M.sub(E, R)));
  Value *Shift = M.B.CreateShl(M.bits(M.add(K, M.Format.Magic)),
                               M.integer(M.Format.Mantissa));
  Far = M.fromBits(M.B.CreateAdd(M.bits(Far), Shift));
  Far = M.select(IsUp, Far, M.sub(Far, 1));
  Value *IsNear = M.B.CreateFCmpOLE(M.abs(K), M.num(1));
  return {M.select(IsNear, Near, Far), nullptr};
}

//===----------------------------------------------------------------------===//
// sinh, cosh
//===----------------------------------------------------------------------===//

/// Below 22, from which on the library has half of expf.
ModelledMath emitSinhInFloat(MathBuilder &M, MathFormula::Args Args) {
  Value *X = Args[0], *A = M.abs(X);
  Value *T = emitExpm1InFloat(M, A).Result, *IsNear = M.less(A, 1);
  Value *Q = M.div(M.select(IsNear, M.mul(T, T), T), M.add(T, 1));
  Value *Y = M.select(IsNear, M.sub(M.add(T, T), Q), M.add(T, Q));
  return {M.B.CreateCopySign(M.mul(Y, 0.5), X), nullptr};
}

ModelledMath emitCoshInFloat(MathBuilder &M, MathFormula::Args Args) {
  Value *A = M.abs(Args[0]), *Calls = nullptr;
  Value *IsFar = M.B.CreateFCmpOGE(A, M.num(0x1.62e43p-2));
  Value *Small = M.min(A, 0x1.62e43p-2);
  Value *T = M.sub(Small, emitExpm1Rest(M, Small, M.num(0)));
  Value *W = M.add(T, 1);
  Value *Near = M.add(M.div(M.mul(T, T), M.add(W, W)), 1);
  Value *E = emitInnerExp(M, A, Calls, emitExpInDouble);
  // Half of it is exact.
  Value *Far = M.add(M.mul(E, 0.5), M.div(M.num(0.5), E));
  return {M.select(IsFar, Far, Near), M.B.CreateAnd(Calls, IsFar)};
}

//===----------------------------------------------------------------------===//
// log10, cbrt
//===----------------------------------------------------------------------===//

/// f is from 1 to 2 where x is, or beyond, and from 1/2 to 1 below.
ModelledMath emitLog10InFloat(MathBuilder &M, MathFormula::Args Args) {
  IRBuilderBase &B = M.B;
  unsigned Mantissa = M.Format.Mantissa;
  Value *Bits = M.bits(Args[0]), *Calls = nullptr;
  Value *K = B.CreateSub(B.CreateLShr(Bits, M.integer(Mantissa)),
                         M.integer(M.Format.Bias));
  Value *IsBelow = B.CreateLShr(K, M.integer(31));
  Value *Exponent = B.CreateShl(B.CreateSub(M.integer(M.Format.Bias), IsBelow),
                                M.integer(Mantissa));
  Value *F = B.CreateOr(
      B.CreateAnd(Bits, M.integer((int64_t(1) << Mantissa) - 1)), Exponent);
  Value *Y = B.CreateSIToFP(B.CreateAdd(K, IsBelow), M.Ty);
  Value *Log = emitInner(M, M.fromBits(F), Calls, MathFunction::Log,
                         emitLogInDouble, emitLogInDouble);
  Value *Z = addProduct(M, multiply(M, Log, M.num(0x1.bcb7b2p-2)), Y,
                        M.num(0x1.a84fb6p-21));
  return {addProduct(M, Z, Y, M.num(0x1.3441p-2)), Calls};
}

/// x is 2^e m, m from 1/2 to 1, and e is 3 n + r, r having e's sign. Sums of
/// floats are double, products with 2 exact.
ModelledMath emitCbrtInFloat(MathBuilder &M, MathFormula::Args Args) {
  // 2^(r / 3), r from -2 on.
  static constexpr double Factors[] = {0x1.428a2f98d728ap-1,
                                       0x1.965fea53d6e3cp-1,
                                       1,
                                       0x1.428a2f98d728bp+0,
                                       0x1.965fea53d6e3dp+0,
                                       1,
                                       1,
                                       1};
  IRBuilderBase &B = M.B;
  unsigned Mantissa = M.Format.Mantissa;
  Value *X = Args[0], *Bits = M.bits(M.abs(X));
  int64_t Below = M.Format.Bias - 1;
  Value *E =
      B.CreateSub(B.CreateLShr(Bits, M.integer(Mantissa)), M.integer(Below));
  Value *N =
      B.CreateFPToSI(M.mul(B.CreateSIToFP(E, M.Ty), 0x1.555556p-2), M.IntTy);
  Value *R = B.CreateSub(E, B.CreateMul(N, M.integer(3)));
  Value *Fraction = M.fromBits(
      B.CreateOr(B.CreateAnd(Bits, M.integer((int64_t(1) << Mantissa) - 1)),
                 M.integer(Below << Mantissa)));
  MathBuilder D = M.inDouble();
  auto Extend = [&](Value *V) { return B.CreateFPExt(V, D.Ty); };
  Value *F = Extend(Fraction);
  Value *Start = subProduct(D, D.num(0x1.6527f4927f555p-1), F,
                            D.num(0x1.8832490c2feddp-3));
  Start = addProduct(D, D.num(0x1.f87bc378ed415p-2), Start, F);
  Value *U = B.CreateFPTrunc(Start, M.Ty);
  Value *Cube = Extend(M.mul(M.mul(U, U), U));
  Value *Y = D.div(D.mul(Extend(U), D.add(Cube, D.add(F, F))),
                   D.add(D.add(Cube, Cube), F));
  Y = D.mul(Y, lookUp(D, Factors, B.CreateAdd(R, M.integer(2))));
  Value *Root = B.CreateFPTrunc(Y, M.Ty);
  Root = M.fromBits(
      B.CreateAdd(M.bits(Root), B.CreateShl(N, M.integer(Mantissa))));
  Root = M.select(B.CreateFCmpOEQ(X, M.num(0)), M.num(0), Root);
  Value *IsSubnormal = B.CreateICmpULT(B.CreateSub(Bits, M.integer(1)),
                                       M.integer((int64_t(1) << Mantissa) - 1));
  return {B.CreateCopySign(Root, X), IsSubnormal};
}

//===----------------------------------------------------------------------===//
// log1p
//===----------------------------------------------------------------------===//

ModelledMath emitLog1pInFloat(MathBuilder &M, MathFormula::Args Args) {
  Value *X = Args[0];
  // 1 + x = u + c, sqrt(1/2) <= 1 + f < sqrt(2).
  constexpr int64_t One = 0x3f800000, Root = 0x3f3504f7;
  Value *U = M.add(X, 1);
  Value *C = M.select(M.B.CreateFCmpOGE(U, M.num(2)), M.sub(1, M.sub(U, X)),
                      M.sub(X, M.sub(U, 1)));
  C = M.div(C, U);
  Value *Bits = M.B.CreateAdd(M.bits(U), M.integer(One - Root));
  Value *K = M.B.CreateSub(M.B.CreateLShr(Bits, M.integer(M.Format.Mantissa)),
                           M.integer(M.Format.Bias));
  Value *F = M.B.CreateAnd(Bits, M.integer((1 << M.Format.Mantissa) - 1));
  F = M.sub(M.fromBits(M.B.CreateAdd(F, M.integer(Root))), 1);
  // What is about that small is x itself.
  Value *IsSmall = M.B.CreateAnd(M.less(X, 0x1.a827aep-2),
                                 M.B.CreateFCmpOGE(X, M.num(-0x1.2bec3ep-2)));
  F = M.select(IsSmall, X, F);
  K = M.select(IsSmall, M.num(0), M.B.CreateSIToFP(K, M.Ty));
  C = M.select(M.B.CreateFCmpOEQ(K, M.num(0)), M.num(0), C);
  static constexpr double L[] = {0x1.555556p-1, 0x1.99999ap-2, 0x1.24924ap-2,
                                 0x1.c71c52p-3, 0x1.74664ap-3, 0x1.39a09ep-3,
                                 0x1.2f112ep-3};
  Value *Half = multiply(M, M.mul(F, 0.5), F);
  Value *S = M.div(F, M.add(F, 2)), *Z = M.mul(S, S);
  Value *R = multiply(M, Z, horner(M, Z, L));
  Value *Low = addProduct(M, C, K, M.num(0x1.2fefa2p-17));
  Low = addProduct(M, Low, S, M.add(Half, R));
  // This product is exact.
  Value *Y = M.mulAdd(K, 0x1.62e3p-1, M.sub(F, M.sub(Half, Low)));
  return {M.select(M.less(M.abs(X), 0x1p-29), X, Y), nullptr};
}

//===----------------------------------------------------------------------===//
// erf, erfc
//===----------------------------------------------------------------------===//

/// By Horner's rule, with the coefficients of the range that each lane is in.
static Value *hornerByRange(MathBuilder &M, Value *X, Value *Range,
                            ArrayRef<MathPoly> Polys) {
  size_t Most = 0;
  for (MathPoly P : Polys)
    Most = std::max(Most, P.size());
  Value *Sum = nullptr;
  for (size_t I = Most; I-- > 0;) {
    SmallVector<float, 4> Own;
    for (MathPoly P : Polys)
      Own.push_back(I < P.size() ? static_cast<float>(P[I]) : 0);
    Value *C = lookUp(M, Own, Range);
    Sum = Sum ? addProduct(M, C, X, Sum) : C;
  }
  return Sum;
}

/// Of the middle range, less p / q.
static constexpr double ErfMiddle = 0x1.b0ac16p-1;

namespace {

/// Of \p A: p / q, whether that is of the middle range or the last ones, and
/// exp(-x^2 + p / q) for these, and where in these the library is asked.
struct ErfParts {
  Value *Quotient, *IsMiddle, *IsFar, *Exp, *Calls;
};

/// Where the last range begins, and the bits of x whose square is exact.
struct ErfKind {
  double Last;
  int64_t Leading;
};

} // namespace

static ErfParts emitErfParts(MathBuilder &M, Value *A, const ErfKind &Kind) {
  static constexpr double PP[] = {0x1.06eba8p-3, -0x1.4cd7d6p-2, -0x1.d2a51ep-6,
                                  -0x1.7a2912p-8, -0x1.8ead62p-16},
                          PA[] = {-0x1.359b8cp-9, 0x1.a8d00ap-2,  -0x1.7d241p-2,
                                  0x1.45fca8p-2,  -0x1.c63984p-4, 0x1.22a366p-5,
                                  -0x1.1bf38p-9},
                          RA[] = {-0x1.434126p-7, -0x1.63416ep-1,
                                  -0x1.51e044p+3, -0x1.f300aep+5,
                                  -0x1.44cb18p+7, -0x1.7135cep+7,
                                  -0x1.452656p+6, -0x1.3a0efcp+3},
                          RB[] = {-0x1.434124p-7, -0x1.993ba8p-1,
                                  -0x1.1c2096p+4, -0x1.4145d4p+7,
                                  -0x1.3ec882p+9, -0x1.004616p+10,
                                  -0x1.e384eap+8};
  static constexpr double QQ[] = {0x1p+0,         0x1.97779cp-2,
                                  0x1.0a54c6p-4,  0x1.4d022cp-8,
                                  0x1.15dc92p-13, -0x1.09c434p-18},
                          QA[] = {0x1p+0,        0x1.b3e662p-4, 0x1.14af0ap-1,
                                  0x1.2635cep-4, 0x1.02660ep-3, 0x1.bedc26p-7,
                                  0x1.88b546p-7},
                          SA[] = {0x1p+0,        0x1.3a6b9cp+4, 0x1.1350c6p+7,
                                  0x1.b290dep+8, 0x1.42b192p+9, 0x1.ad0216p+8,
                                  0x1.b28a3ep+6, 0x1.a47ef8p+2, -0x1.eeff2ep-5},
                          SB[] = {0x1p+0,         0x1.e568b2p+4,
                                  0x1.45cae2p+8,  0x1.802eb2p+10,
                                  0x1.8ffb76p+11, 0x1.3f219cp+11,
                                  0x1.da874ep+8,  -0x1.670e24p+4};
  IRBuilderBase &B = M.B;
  Value *IsMiddle = B.CreateFCmpOGE(A, M.num(0x1.bp-1)),
        *IsFar = B.CreateFCmpOGE(A, M.num(0x1.4p+0)),
        *IsLast = B.CreateFCmpOGE(A, M.num(Kind.Last));
  // Comparisons are -1.
  Value *Range =
      B.CreateNeg(B.CreateAdd(B.CreateAdd(B.CreateSExt(IsMiddle, M.IntTy),
                                          B.CreateSExt(IsFar, M.IntTy)),
                              B.CreateSExt(IsLast, M.IntTy)));
  Value *Square = M.mul(A, A);
  Value *V = M.select(IsFar, M.div(M.num(1), Square),
                      M.select(IsMiddle, M.sub(A, 1), Square));
  Value *Q = M.div(hornerByRange(M, V, Range, {PP, PA, RA, RB}),
                   hornerByRange(M, V, Range, {QQ, QA, SA, SB}));
  Value *Z = M.fromBits(B.CreateAnd(M.bits(A), M.integer(Kind.Leading)));
  Value *First = M.sub(M.neg(M.mul(Z, Z)), 0.5625);
  Value *Second = addProduct(M, Q, M.sub(Z, A), M.add(Z, A));
  Value *Calls = nullptr;
  // The second one is of numbers from -0.25 to 0.
  Value *R = M.mul(emitInnerExp(M, First, Calls, emitShortExpInDouble),
                   emitInnerExp(M, Second, Calls, emitSmallExpInDouble));
  return {Q, IsMiddle, IsFar, R, B.CreateAnd(Calls, IsFar)};
}

/// From 6 on, results are 1.
ModelledMath emitErfInFloat(MathBuilder &M, MathFormula::Args Args) {
  IRBuilderBase &B = M.B;
  Value *A = M.min(M.abs(Args[0]), 6);
  ErfParts P = emitErfParts(M, A, {0x1.6db6dcp+1, 0xfffff000});
  Value *Y = M.select(P.IsFar, M.sub(1, M.div(P.Exp, A)),
                      M.select(P.IsMiddle, M.add(P.Quotient, ErfMiddle),
                               addProduct(M, A, A, P.Quotient)));
  // The library scales what is that small, but zero.
  Value *Bits = B.CreateSub(M.bits(A), M.integer(1));
  Value *IsTiny = B.CreateICmpULT(Bits, M.integer(0x04000000 - 1));
  return {B.CreateCopySign(Y, Args[0]), B.CreateOr(P.Calls, IsTiny)};
}

/// Up to 9, below which inner results are normal. Below -6 results are 2.
ModelledMath emitErfcInFloat(MathBuilder &M, MathFormula::Args Args) {
  Value *X = Args[0], *A = M.min(M.abs(X), 9);
  ErfParts P = emitErfParts(M, A, {0x1.6db6dap+1, 0xffffe000});
  Value *Q = P.Quotient, *Erf = addProduct(M, A, A, Q);
  Value *Far = M.div(P.Exp, A);
  Value *Above = M.select(M.less(A, 0.25), M.sub(1, Erf),
                          M.sub(0.5, addProduct(M, M.sub(A, 0.5), A, Q)));
  Above = M.select(P.IsMiddle, M.sub(1 - ErfMiddle, Q), Above);
  Above = M.select(P.IsFar, Far, Above);
  Value *Below = M.select(P.IsMiddle, M.add(Q, ErfMiddle), Erf);
  Below = M.select(P.IsFar, M.sub(2, Far), M.add(Below, 1));
  return {M.select(M.less(X, 0), Below, Above), P.Calls};
}

} // namespace dlopt
