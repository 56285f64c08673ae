//===- Sums.h - Additions that may be fused with a product ------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_FMA_SUMS_H
#define DLOPT_PASSES_FMA_SUMS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include <optional>

namespace llvm {
class LoopInfo;
class TargetTransformInfo;
} // namespace llvm

namespace dlopt {

/// One of the two things that are added.
struct Addend {
  llvm::Value *V = nullptr; ///< null: the product of an llvm.fmuladd
  bool Negated = false;
  /// It is X * Y.
  llvm::Value *X = nullptr, *Y = nullptr;
  /// The instruction that is gone when it is fused.
  llvm::Instruction *Product = nullptr;
  /// It may be fused with the addition.
  bool CanFuse = false;
};

/// How a sum is computed: by an addition, or with one of its addends, a
/// product, in one instruction.
enum class SumForm : uint8_t { Apart, FusesFirst, FusesSecond };

/// An fadd, an fsub or an llvm.fmuladd of a type that the target has an
/// instruction for.
struct Sum {
  llvm::Instruction *I = nullptr;
  Addend Addends[2];
  /// What the back end makes of it.
  SumForm Default = SumForm::Apart;
  /// The flags permit the other forms, too.
  bool CanBeApart = false;

  bool isMulAdd() const { return !Addends[0].V; }
};

/// Sums of one function.
class SumFinder {
public:
  /// \p HasFMA: the target has instructions for float (and double if it is
  /// legal). \p Free: every llvm.fmuladd may be computed by two instructions.
  SumFinder(const llvm::TargetTransformInfo &TTI, const llvm::LoopInfo &LI,
            bool HasFMA, bool Free)
      : TTI(TTI), LI(LI), HasFMA(HasFMA), Free(Free) {}

  std::optional<Sum> get(llvm::Instruction &I) const;

private:
  bool isFusable(const llvm::Type *Ty) const;
  Addend getAddend(llvm::Instruction &I, unsigned Operand, bool Negated) const;

  const llvm::TargetTransformInfo &TTI;
  const llvm::LoopInfo &LI;
  bool HasFMA, Free;
};

/// Whether \p I is an operation that may be computed in another order: LLVM
/// asks for both flags.
bool mayReassociate(const llvm::Instruction &I);

/// \p FMF without what they promise of values, for what the source does not
/// compute.
llvm::FastMathFlags withoutPromises(llvm::FastMathFlags FMF);

/// Replaces \p S by what it is in \p Form.
void applyForm(const Sum &S, SumForm Form);

} // namespace dlopt

#endif // DLOPT_PASSES_FMA_SUMS_H
