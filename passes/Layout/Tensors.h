//===- Tensors.h - What buffers hold, and in which order --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LAYOUT_TENSORS_H
#define DLOPT_PASSES_LAYOUT_TENSORS_H

#include "AxisOrder.h"
#include "ChannelMap.h"
#include "dlopt/Layout.h"

namespace dlopt {

/// What a buffer holds from where all of it is written to where something else
/// is, or all that it ever holds.
struct Tensor {
  const ModuleBuffer *B = nullptr;
  llvm::SmallVector<ModuleBuffer::KernelUse, 4> Uses;
  /// From the first element of the buffer on.
  uint64_t Elements = 0;
  /// It is all that the buffer ever holds.
  bool IsAll = false;
  /// The orders that all uses can be written in.
  llvm::SmallVector<ChannelMap, 4> Candidates;
  std::optional<ChannelMap> Map;
  /// Some use has two dimensions.
  bool HasDimensions = false;
  /// Nothing says where its channels are: it has an order that suits others.
  bool IsFree = false;
  Verdict Why;
};

/// The orders that are looked for.
struct OrderGoal {
  LayoutParams::Goal To = LayoutParams::Auto;
  /// By kernel. Blocks of channels are as large as vectors.
  llvm::ArrayRef<VectorUnit> Units;
};

/// What the buffers of \p MB hold. Where it is not certain which writes a read
/// sees, a buffer holds one tensor.
std::vector<Tensor> findTensors(ModuleBuffers &MB,
                                llvm::FunctionAnalysisManager &FAM,
                                const OrderGoal &Goal = OrderGoal());

/// The tensors that \p B holds one after the other; empty: it is one.
std::vector<Tensor> splitTensors(ModuleBuffers &MB, const ModuleBuffer &B,
                                 llvm::FunctionAnalysisManager &FAM);

/// Visits the accesses to \p Id of \p K, or below \p N, which is below
/// \p Around; stops when \p Visit says no.
bool visitAccesses(
    Node &N, BufferId Id, llvm::SmallVectorImpl<AxisId> &Around,
    llvm::function_ref<bool(Leaf &, llvm::ArrayRef<AxisId>, Access &)> Visit);
bool visitAccesses(
    Kernel &K, BufferId Id,
    llvm::function_ref<bool(Leaf &, llvm::ArrayRef<AxisId>, Access &)> Visit);

/// Puts the accesses of \p K through the maps of \p Tensors, where kernel
/// \p Index of the module uses them. False: not all can be.
bool mapKernel(Kernel &K, unsigned Index, llvm::ArrayRef<Tensor> Tensors);

} // namespace dlopt

#endif // DLOPT_PASSES_LAYOUT_TENSORS_H
