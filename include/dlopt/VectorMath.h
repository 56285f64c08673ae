//===- VectorMath.h - Math functions as vector code -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Math functions as straight-line IR for any number of elements, scalar, fixed
/// or scalable, at a stated accuracy: no library, no symbol, no branch, no
/// table in memory. The accuracy is the largest error over all inputs in units
/// in the last place of the exact result, of the smallest subnormal number
/// where that is subnormal. docs/math.md has the formulas, the worst error of
/// each function and how it was found.
///
/// Every result is right in kind for every input: NaN for NaN and outside the
/// domain, infinities, the sign of zero, overflow, underflow and subnormal
/// numbers. Floating-point exceptions, errno and other roundings than to
/// nearest are not modelled; whether a call may be approximated at all is the
/// caller's question (afn on the call, or fp=fast).
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORMATH_H
#define DLOPT_VECTORMATH_H

#include "dlopt/Kernel.h"
#include "dlopt/Options.h"
#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/IR/IRBuilder.h"

namespace dlopt {

struct TargetModel;

enum class MathFunction : uint8_t {
#define DLOPT_MATH_FUNCTION(ID, NAME, ARGS) ID,
#include "dlopt/VectorMath.def"
};

/// What of the target and the function the code depends on.
struct MathTarget {
  /// llvm.fma is one instruction. If not, it is never used, and the code is
  /// made for products that are rounded.
  bool HasFMA = false;
  /// Vectors have 256 bits or more: what takes hundreds of instructions is
  /// faster than a call for each element.
  bool HasWideVectors = false;
  /// half is converted to float and back by instructions.
  bool ConvertsHalf = false;
  /// float is rounded to bfloat by an instruction.
  bool RoundsBFloat = false;
  /// llvm.ldexp is two instructions on vectors of 512 bits.
  bool HasScaling = false;
  /// Eight elements of 32 bits are picked from a register of 256 by an
  /// instruction (AVX2).
  bool HasPermutations = false;
  /// Registers of 512 bits are tables, and floats are scaled and taken apart by
  /// instructions (AVX-512 with BW and DQ).
  bool HasTables = false;
  /// A GPU of NVIDIA's, which has approximations of its own; one of them is
  /// missing in old ones.
  bool IsGPU = false, HasTanh = false;
  /// What the function says of its subnormal numbers ("denormal-fp-math",
  /// "denormal-fp-math-f32"). With another mode than IEEE a subnormal number
  /// counts as zero where it goes in, and may come out as zero.
  llvm::DenormalMode F32 = llvm::DenormalMode::getIEEE();
  llvm::DenormalMode F64 = llvm::DenormalMode::getIEEE();
  /// Of registers; times vscale, if these are what is used.
  unsigned VectorBits = 128;
  unsigned NumVectorRegs = 16;
};

MathTarget getMathTarget(const llvm::Function &F, const TargetModel &T);

/// How functions are computed in lanes.
struct MathPlan {
  /// Those that may be inline.
  MathAccuracy Accuracy = MathAccuracy::OneULP;
  MathTarget Math;
  /// Others are computed with the library's bits where there is a model
  /// (MathModels.h), which the guard tests the library for.
  bool Models = false;
  /// glibc 2.Release is known to be the library; 0: the guard finds out.
  unsigned LibraryRelease = 0;
};

/// That of code in \p F.
MathPlan getMathPlan(const llvm::Function &F, const TargetModel &T,
                     const Options &O);

/// "exp", "log1p", ...: the name in libm for double, but for rsqrt.
llvm::StringRef getName(MathFunction F);
unsigned getNumArgs(MathFunction F);
/// "correct", "1ulp", "2ulp", "4ulp", "machine".
llvm::StringRef getName(MathAccuracy A);
std::optional<MathAccuracy> parseMathAccuracy(llvm::StringRef Name);

/// What \p O asks for on \p T.
MathAccuracy getMathAccuracy(const Options &O, const MathTarget &T);

/// The function that \p O is a call of, by intrinsic or by libm's name.
std::optional<MathFunction> getMathFunction(const Op &O);

/// Whether there is code for \p F on elements of type \p Ty that is at least as
/// accurate as \p A.
bool canEmitMath(MathFunction F, ScalarType Ty, MathAccuracy A,
                 const MathTarget &T);

/// Emits \p F of \p Args, which have one type: floating-point numbers or
/// vectors of them. Of half and bfloat only the bits are used, so that values
/// of targets without such vectors can be bitcasts of integers. Requires
/// canEmitMath. The operations have no fast-math flags: their order is what
/// makes them accurate.
llvm::Value *emitMath(llvm::IRBuilderBase &B, MathFunction F,
                      llvm::ArrayRef<llvm::Value *> Args, MathAccuracy A,
                      const MathTarget &T);

/// \p X, float or a vector of it, rounded to bfloat as fptrunc does; by integer
/// operations, where LLVM would call a function for each element.
llvm::Value *emitRoundToBFloat(llvm::IRBuilderBase &B, llvm::Value *X,
                               const MathTarget &T);

} // namespace dlopt

#endif // DLOPT_VECTORMATH_H
