//===- Operations.h - What the operations of a body are ---------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Names, operand counts and types of operations, shared by the printer, the
/// parser and the verifier.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNEL_OPERATIONS_H
#define DLOPT_KERNEL_OPERATIONS_H

#include "dlopt/Kernel.h"

namespace llvm {
struct fltSemantics;
} // namespace llvm

namespace dlopt {

/// A row of Intrinsics.def.
struct IntrinsicInfo {
  enum ShapeKind : uint8_t {
    Float,
    Int,
    IntFlag,
    FloatInt,
    FloatMask,
    FloatToInt
  };
  unsigned ID = 0;
  llvm::StringRef Name; ///< without "llvm."
  ShapeKind Shape = Float;
  unsigned NumArgs = 0;
};
/// nullopt for an intrinsic that the model does not have.
std::optional<IntrinsicInfo> findIntrinsic(unsigned ID);
std::optional<IntrinsicInfo> findIntrinsic(llvm::StringRef Name);

/// A function of LibM.def.
struct LibFunctionInfo {
  ScalarType Ty = ScalarType::F32;
  unsigned NumArgs = 0;
};
std::optional<LibFunctionInfo> findLibFunction(llvm::StringRef Name);

/// Opcodes an Op::Inst may have; nullopt for any other name.
std::optional<unsigned> parseOpcode(llvm::StringRef Name);
bool isModelOpcode(unsigned Opcode);
bool isCastOpcode(unsigned Opcode);
bool isCompareOpcode(unsigned Opcode);
/// Operands of an Op::Inst.
unsigned getNumOperands(unsigned Opcode);

/// The type that a constant or an axis value in operand \p ArgNo of \p O has
/// if the text does not say: \p Context is the type expected of \p O itself,
/// \p Preceding the types of the operands before it.
std::optional<ScalarType> getExpectedType(const Op &O, unsigned ArgNo,
                                          std::optional<ScalarType> Context,
                                          llvm::ArrayRef<ScalarType> Preceding);
/// The type of the result of \p O if the text does not say.
std::optional<ScalarType> getDefaultType(const Op &O,
                                         llvm::ArrayRef<ScalarType> Args);

/// What is wrong with the types of \p O, or empty.
std::string checkOperation(const Op &O, llvm::ArrayRef<ScalarType> Args);

/// \p T must be a floating-point type.
const llvm::fltSemantics &getSemantics(ScalarType T);

} // namespace dlopt

#endif // DLOPT_KERNEL_OPERATIONS_H
