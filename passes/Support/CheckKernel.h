//===- CheckKernel.h - What a program knows of what it checks ---*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_SUPPORT_CHECKKERNEL_H
#define DLOPT_PASSES_SUPPORT_CHECKKERNEL_H

#include "dlopt/SelfCheck.h"

namespace dlopt {

/// Memory that is stored to with values of one type: struct Output of
/// CheckRuntime.c.
struct CheckOutput {
  std::string Name;
  unsigned Class = 0, Bytes = 0;
  unsigned Rank = 0; ///< of the subscripts that name an element
};

/// Outputs are numbered by bytes, of which one value is taken. More are not
/// told apart, but by their few types.
inline constexpr size_t MostCheckOutputs = 200;

/// enum Class of CheckRuntime.c.
unsigned getCheckClass(const llvm::Type *Ty);

/// The class and the size of what \p Ty is stored as: a number of a register's
/// width, or else bytes.
std::pair<unsigned, unsigned> getCheckElement(llvm::Type *Ty,
                                              const llvm::DataLayout &DL);

/// What is called with a value's bits in its low bits, as i64.
llvm::Value *emitCheckBits(llvm::IRBuilderBase &B, llvm::Value *V);

/// The call of dl.check.note in front of \p Store, a store or a memory
/// intrinsic.
void emitCheckNote(llvm::Instruction &Store, llvm::Value *Log, unsigned Output);

/// The variable of the source that has the value \p V; \p Default: nothing says
/// which.
std::string getSourceName(llvm::Value *V, llvm::StringRef Default);

/// How near results of both sides are to each other, the loosest first.
enum class Exactness : uint8_t {
  Bounded,      ///< the source permits others
  BitsButZeros, ///< which of two zeros it is, LLVM decides
  Bits
};

/// What \p I leaves of it.
Exactness getExactness(const llvm::Instruction &I);

/// struct Kernel of CheckRuntime.c. \p IsFunction: frames of what is called are
/// not compared.
llvm::GlobalVariable *createCheckKernel(llvm::Module &M, const SelfCheck &C,
                                        llvm::StringRef Where,
                                        llvm::ArrayRef<CheckOutput> Outputs,
                                        Exactness How, bool IsFunction);

/// The functions that are called may have any effect, and may be recursive.
void dropEffects(llvm::Function &F);

} // namespace dlopt

#endif // DLOPT_PASSES_SUPPORT_CHECKKERNEL_H
