//===- MathGPU.cpp - What GPUs approximate themselves ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// NVIDIA's GPUs have instructions that approximate functions of float. Their
/// errors are those that the PTX ISA states (9.7.3 there): of ex2.approx
/// 2^-22.5 of the result, which leaves exp and exp2 within 4 ulp; of the others
/// none in units in the last place, so they are for MathAccuracy::Machine.
///
//===----------------------------------------------------------------------===//
#include "MathRecipes.h"
#include "dlopt/Compat.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace dlopt {

namespace {

/// Emits instructions of the GPU for scalars of float.
class GPUMath {
public:
  GPUMath(IRBuilderBase &B, const MathTarget &T)
      : B(B), M(B, B.getFloatTy(), T), T(T) {}

  /// Null: there are none, or they are less accurate than \p A.
  Value *emit(MathFunction F, Value *X, MathAccuracy A);

private:
  Value *emitExp(Value *X);
  Value *emitTanh(Value *X);
  /// With or without subnormal numbers, as the function says.
  Value *call(Intrinsic::ID Plain, Intrinsic::ID Flushed, Value *X) {
    SmallVector<Type *, 1> Types;
    if (Intrinsic::isOverloaded(Plain))
      Types.push_back(X->getType());
    return B.CreateIntrinsic(M.hasSubnormals() ? Plain : Flushed, Types, {X});
  }
  Value *exp2(Value *X) {
    return call(Intrinsic::nvvm_ex2_approx, Intrinsic::nvvm_ex2_approx_ftz, X);
  }
  Value *log2(Value *X) {
    return call(Intrinsic::nvvm_lg2_approx_f, Intrinsic::nvvm_lg2_approx_ftz_f,
                X);
  }

  IRBuilderBase &B;
  MathBuilder M;
  const MathTarget &T;
};

} // namespace

/// 2^h + 2^h l log(2), h + l being x / log(2) with the bits of two floats: the
/// product alone would be wrong in as many bits as h has in front of the point.
Value *GPUMath::emitExp(Value *X) {
  constexpr double Log2ELo = 0x1.4ae0cp-26;
  X = M.max(M.min(X, M.Format.ExpMax), M.Format.ExpMin);
  Value *Hi = M.mul(X, M.Format.Log2E);
  Value *Lo = M.mulAdd(X, M.Format.Log2E, M.neg(Hi));
  Lo = M.mulAdd(X, Log2ELo, Lo);
  Value *Power = exp2(Hi);
  Value *Y = M.mulAdd(Power, M.mul(Lo, 0x1.62e43p-1), Power);
  // Infinity minus infinity is none.
  return M.select(M.less(Hi, 128), Y, Power);
}

/// LLVM has no intrinsic for this instruction.
Value *GPUMath::emitTanh(Value *X) {
  auto *Ty = FunctionType::get(X->getType(), {X->getType()}, false);
  return B.CreateCall(InlineAsm::get(Ty, "tanh.approx.f32 $0, $1;", "=f,f",
                                     /*hasSideEffects=*/false),
                      {X});
}

Value *GPUMath::emit(MathFunction F, Value *X, MathAccuracy A) {
  if (A >= MathAccuracy::FourULP) {
    if (F == MathFunction::Exp)
      return emitExp(X);
    if (F == MathFunction::Exp2)
      return exp2(X);
    if (F == MathFunction::Rsqrt)
      return call(Intrinsic::nvvm_rsqrt_approx_f,
                  Intrinsic::nvvm_rsqrt_approx_ftz_f, X);
  }
  if (A < MathAccuracy::Machine)
    return nullptr;
  switch (F) {
  case MathFunction::Log2:
    return log2(X);
  case MathFunction::Log:
    return M.mul(log2(X), 0x1.62e43p-1);
  case MathFunction::Log10:
    return M.mul(log2(X), 0x1.344136p-2);
  case MathFunction::Sin:
    return call(Intrinsic::nvvm_sin_approx_f, Intrinsic::nvvm_sin_approx_ftz_f,
                X);
  case MathFunction::Cos:
    return call(Intrinsic::nvvm_cos_approx_f, Intrinsic::nvvm_cos_approx_ftz_f,
                X);
  case MathFunction::Tanh:
    return T.HasTanh ? emitTanh(X) : nullptr;
  default:
    return nullptr;
  }
}

Value *emitByGPU(IRBuilderBase &B, MathFunction F, ArrayRef<Value *> Args,
                 MathAccuracy A, const MathTarget &T) {
  if (!T.IsGPU || !Args[0]->getType()->isFloatTy())
    return nullptr;
  return GPUMath(B, T).emit(F, Args[0], A);
}

} // namespace dlopt
