//===- VectorMath.cpp - Math functions as vector code ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/VectorMath.h"
#include "MathRecipes.h"
#include "dlopt/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace dlopt {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

MathTarget getMathTarget(const Function &F, const TargetModel &T) {
  return {T.HasVectorFMA,
          !T.IsNVPTX && T.VectorBits >= 256,
          T.ConvertsHalf,
          T.RoundsBFloat,
          T.HasScaling,
          T.HasPermutations,
          T.HasScaling && T.VectorBits >= 512 &&
              hasTargetFeatures(F, "avx512bw,avx512dq"),
          T.IsNVPTX,
          T.HasTanh,
          F.getDenormalMode(APFloat::IEEEsingle()),
          F.getDenormalMode(APFloat::IEEEdouble()),
          T.VectorBits,
          T.NumVectorRegs};
}

StringRef getName(MathFunction F) {
  static constexpr StringLiteral Names[] = {
#define DLOPT_MATH_FUNCTION(ID, NAME, ARGS) NAME,
#include "dlopt/VectorMath.def"
  };
  return Names[unsigned(F)];
}

unsigned getNumArgs(MathFunction F) {
  static constexpr unsigned Args[] = {
#define DLOPT_MATH_FUNCTION(ID, NAME, ARGS) ARGS,
#include "dlopt/VectorMath.def"
  };
  return Args[unsigned(F)];
}

static constexpr StringLiteral AccuracyNames[] = {"correct", "1ulp", "2ulp",
                                                  "4ulp", "machine"};

StringRef getName(MathAccuracy A) { return AccuracyNames[unsigned(A)]; }

std::optional<MathAccuracy> parseMathAccuracy(StringRef Name) {
  const auto *I = find(AccuracyNames, Name);
  if (I == std::end(AccuracyNames))
    return std::nullopt;
  return MathAccuracy(I - AccuracyNames);
}

MathAccuracy getMathAccuracy(const Options &O, const MathTarget &T) {
  return O.Math.value_or(T.IsGPU ? MathAccuracy::Machine
                                 : MathAccuracy::OneULP);
}

MathPlan getMathPlan(const Function &F, const TargetModel &T,
                     const Options &O) {
  MathPlan Plan;
  Plan.Math = getMathTarget(F, T);
  Plan.Accuracy = getMathAccuracy(O, Plan.Math);
  Plan.Models =
      Plan.Math.F32 == DenormalMode::getIEEE() && !Plan.Math.IsGPU &&
      (!O.Library.IsUnknown || Plan.Accuracy == MathAccuracy::Correct);
  Plan.LibraryRelease = O.Library.Release;
  return Plan;
}

static std::optional<MathFunction> getByName(StringRef Name) {
  return StringSwitch<std::optional<MathFunction>>(Name)
#define DLOPT_MATH_FUNCTION(ID, NAME, ARGS) .Case(NAME, MathFunction::ID)
#include "dlopt/VectorMath.def"
      .Default(std::nullopt);
}

std::optional<MathFunction> getMathFunction(const Op &O) {
  StringRef Name;
  if (O.K == Op::Intrinsic) {
    Name = Intrinsic::getBaseName(O.Opcode);
    Name.consume_front("llvm.");
  } else if (O.K == Op::LibCall) {
    Name = O.Callee;
    if (O.Ty == ScalarType::F32 && !Name.consume_back("f"))
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  std::optional<MathFunction> F = getByName(Name);
  // No functions of libm.
  if (F == MathFunction::Rsqrt || F == MathFunction::ExpNegative)
    return std::nullopt;
  return F;
}

//===----------------------------------------------------------------------===//
// The table of recipes
//===----------------------------------------------------------------------===//

#define DLOPT_MATH_POLY(NAME, ...)                                             \
  static constexpr double NAME[] = {__VA_ARGS__};
#include "MathPolys.def"

static const MathPoly None;

static const MathRecipe Recipes[] = {
#define DLOPT_MATH_RECIPE(FUNCTION, TYPE, ACCURACY, ON, EMIT, BASE, NEAR, FAR, \
                          SPLIT)                                               \
  {MathFunction::FUNCTION,                                                     \
   ScalarType::TYPE,                                                           \
   MathAccuracy::ACCURACY,                                                     \
   MathNeeds::ON,                                                              \
   EMIT,                                                                       \
   BASE,                                                                       \
   NEAR,                                                                       \
   FAR,                                                                        \
   SPLIT},
#include "MathRecipes.def"
};

/// \p B: for what is emitted; without, the recipe matters for what it says.
static bool hasNeeds(MathNeeds On, const MathTarget &T,
                     const IRBuilderBase *B) {
  switch (On) {
  case MathNeeds::Any:
  case MathNeeds::InDouble:
    return true;
  case MathNeeds::Fused:
    return T.HasFMA;
  case MathNeeds::FusedWide:
    return T.HasFMA && T.HasWideVectors;
  case MathNeeds::Tables:
    return T.HasFMA && T.HasTables && B && hasWideRegisters(*B);
  }
  llvm_unreachable("a new need");
}

static const MathRecipe *findRecipe(MathFunction F, ScalarType Ty,
                                    MathAccuracy A, const MathTarget &T,
                                    const IRBuilderBase *B = nullptr) {
  const MathRecipe *Last = nullptr;
  for (const MathRecipe &R : Recipes)
    if (R.Function == F && R.Ty == Ty && R.Accuracy <= A &&
        hasNeeds(R.On, T, B))
      Last = &R;
  return Last;
}

/// Numbers of 16 bits are computed as float, whose error hardly adds to that of
/// rounding the result.
static bool isNarrow(ScalarType Ty) {
  return Ty == ScalarType::F16 || Ty == ScalarType::BF16;
}

bool canEmitMath(MathFunction F, ScalarType Ty, MathAccuracy A,
                 const MathTarget &T) {
  if (isNarrow(Ty) && A != MathAccuracy::Correct)
    return findRecipe(F, ScalarType::F32, MathAccuracy::FourULP, T) != nullptr;
  return findRecipe(F, Ty, A, T) != nullptr;
}

/// Emits \p R for float or double.
static Value *emitRecipe(IRBuilderBase &B, const MathRecipe &R,
                         ArrayRef<Value *> Args, const MathTarget &T) {
  Type *Ty = Args[0]->getType();
  if (R.On == MathNeeds::Tables)
    return emitInWholeRegisters(B, Args, [&](MathArgs Whole) {
      MathBuilder M(B, Whole[0]->getType(), T);
      return R.Emit(M, Whole, R);
    });
  if (R.On != MathNeeds::InDouble) {
    MathBuilder M(B, Ty, T);
    return R.Emit(M, Args, R);
  }
  MathBuilder M(B, Ty->getWithNewType(B.getDoubleTy()), T);
  SmallVector<Value *, 2> Wide;
  for (Value *Arg : Args)
    Wide.push_back(B.CreateFPExt(Arg, M.Ty));
  return B.CreateFPTrunc(R.Emit(M, Wide, R), Ty);
}

static Value *emitOpen(IRBuilderBase &B, MathFunction F, ArrayRef<Value *> Args,
                       MathAccuracy A, const MathTarget &T) {
  Type *Ty = Args[0]->getType();
  ScalarType Scalar = *getScalarType(Ty->getScalarType());
  if (Value *V = emitByGPU(B, F, Args, A, T))
    return V;
  if (!isNarrow(Scalar))
    return emitRecipe(B, *findRecipe(F, Scalar, A, T, &B), Args, T);
  MathBuilder M(B, Ty->getWithNewType(B.getFloatTy()), T);
  SmallVector<Value *, 2> Wide;
  for (Value *Arg : Args)
    Wide.push_back(widen(M, Arg, T));
  if (Value *V = emitByGPU(B, F, Wide, A, T))
    return narrow(M, V, Ty, T);
  const MathRecipe *R =
      findRecipe(F, ScalarType::F32, MathAccuracy::FourULP, T, &B);
  return narrow(M, emitRecipe(B, *R, Wide, T), Ty, T);
}

Value *emitMath(IRBuilderBase &B, MathFunction F, ArrayRef<Value *> Args,
                MathAccuracy A, const MathTarget &T) {
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.clearFastMathFlags();
  B.setDefaultFPMathTag(nullptr);
  Value *V = emitOpen(B, F, Args, A, T);
  // The last product may overflow on purpose: it is not to be fused with a sum
  // behind it, which some back ends do whatever the flags of both allow. What
  // has been narrowed is rounded; and no back end that has to widen half or
  // bfloat knows the fence of one.
  if (F == MathFunction::ExpNegative ||
      V->getType()->getScalarType()->is16bitFPTy())
    return V;
  return B.CreateIntrinsic(Intrinsic::arithmetic_fence, {V->getType()}, {V});
}

} // namespace dlopt
