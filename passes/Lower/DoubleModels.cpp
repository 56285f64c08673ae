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

using namespace llvm;

namespace dlopt {

/// Of float.
static Value *extend(MathBuilder &M, Value *X) {
  return M.B.CreateFPExt(X, M.Ty);
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

Value *emitSmallExpInDouble(MathBuilder &M, Value *X) {
  return emitExpPoly(M, extend(M, X));
}

/// exp of a float, within 2^-39 of itself. n * log(2) is less than 2^7: one
/// part of log(2) leaves out 2^-47.
Value *emitExpInDouble(MathBuilder &M, Value *X) {
  X = extend(M, X);
  const MathFormat &F = M.Format;
  double Magic = F.Magic + F.Bias;
  Value *T = M.mulAdd(X, F.Log2E, M.num(Magic));
  Value *R = M.mulAdd(M.sub(T, Magic), -0x1.62e42fefa39efp-1, X);
  return M.mul(emitExpPoly(M, R), M.pow2(T));
}

/// exp2 of a float, by the same polynomial.
Value *emitExp2InDouble(MathBuilder &M, Value *X) {
  X = extend(M, X);
  double Magic = M.Format.Magic + M.Format.Bias;
  Value *T = M.add(X, Magic);
  Value *R = M.mul(M.sub(X, M.sub(T, Magic)), 0x1.62e42fefa39efp-1);
  return M.mul(emitExpPoly(M, R), M.pow2(T));
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
Value *emitLogInDouble(MathBuilder &M, Value *X) {
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
  Value *Y = M.add(M.mulAdd(K, 0x1.62e42fefa39efp-1, Log.Hi), Log.Lo);
  Value *Square = M.mul(R, R);
  Value *Rest = M.mulAdd(R, 0x1.5575b0be00b6ap-2, M.num(-0x1.ffffef20a4123p-2));
  Rest = M.mulAdd(Square, -0x1.00ea348b88334p-2, Rest);
  return M.mulAdd(Rest, Square, M.add(Y, R));
}

} // namespace dlopt
