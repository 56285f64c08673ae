//===- Choices.h - Choices between numbers as selects -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_CHOICES_H
#define DLOPT_PREPARE_CHOICES_H

namespace llvm {
class Function;
class LoopInfo;
class TargetTransformInfo;
} // namespace llvm

namespace dlopt {

/// Choices between floating-point numbers become selects before a load sinks to
/// where its value is chosen: what is read always is to be seen as such. So do
/// those that are made in the innermost of several tests. False if nothing
/// changed.
bool foldChoices(llvm::Function &F, const llvm::LoopInfo &LI,
                 const llvm::TargetTransformInfo &TTI);

} // namespace dlopt

#endif // DLOPT_PREPARE_CHOICES_H
