//===- Layout.h - Tensors with channels innermost ---------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// dl-layout gives arrays that nobody else can see another order of elements,
/// and the loops over them the order that makes neighbours of what they go
/// over: channels last (NHWC) in place of channels first (NCHW), weights in the
/// order in which they are used.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LAYOUT_H
#define DLOPT_LAYOUT_H

#include "dlopt/ModuleBuffers.h"
#include "dlopt/PassParams.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class Function;
} // namespace llvm

namespace dlopt {

/// Parameters of dl-layout.
struct LayoutParams {
  enum Goal {
    Auto,   ///< channels last where more loops run in vectors then
    NHWC,   ///< wherever it is legal
    NCHW,   ///< channels first where windows show that they are last
    Blocked ///< as NHWC, but one vector of channels in front of the next
  } To = Auto;
  /// keep-products: products of matrices keep their loops, and so does what
  /// reduces rows: dl-vectorize has schedules for them.
  bool KeepProducts = false;
  /// prepared: see FuseParams.
  bool Prepared = false;
  /// See VectorizeParams (not a parameter).
  bool DispatchIfHosted = false;
  /// As dl-prepare has to foresee what dl<O1..O3> does.
  static LayoutParams inPipeline(bool DispatchIfHosted);
  static llvm::Expected<LayoutParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
};

class LayoutPass : public ParamPassMixin<LayoutPass, LayoutParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

/// True if dl-layout would change \p Clone, which is to take the place of
/// \p Original, if it is the only function with loops over what it uses.
bool hasLayout(llvm::Function &Clone, const llvm::Function &Original,
               llvm::FunctionAnalysisManager &FAM, bool DispatchIfHosted);

/// Those of \p Clones that dl-layout would change if all of them took the place
/// of what they are clones of.
llvm::SmallPtrSet<llvm::Function *, 8>
findLayouts(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
            const FunctionClones &Clones, bool DispatchIfHosted);

/// Functions that use private arrays that others use, too, or that they are
/// passed, where one of them may have a kernel over the array. Cheap.
llvm::SetVector<llvm::Function *> findArraySharers(
    llvm::Module &M,
    llvm::function_ref<bool(const llvm::Function &)> MayHoldKernel);

} // namespace dlopt

#endif // DLOPT_LAYOUT_H
