//===- Uses.h - Where buffers are read and assigned -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_USES_H
#define DLOPT_USES_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Whether an operation of \p L loads from \p B; what subscripts load is not
/// looked at.
bool reads(const Leaf &L, BufferId B);
bool assigns(const Leaf &L, BufferId B);
/// Whether something below \p N assigns to \p B.
bool assigns(const Node &N, BufferId B);
/// Whether a subscript anywhere in \p K loads from \p B.
bool isReadBySubscripts(const Kernel &K, BufferId B);
/// Whether anything in \p K reads \p B, subscripts too.
bool isRead(const Kernel &K, BufferId B);
/// Whether something below \p N reads or assigns \p B. Subscripts that load
/// from it count wherever they are.
bool uses(const Kernel &K, const Node &N, BufferId B);

/// Whether some of \p N is done even if \p A has no iteration.
bool hasLeafBeside(const Node &N, AxisId A);

/// Whether parameters of \p K are read in front of it from memory that it might
/// overwrite, but for its needs: buffers that nothing accesses.
bool readsAhead(const Kernel &K);

/// Whether the value of \p Id is computed of an operation that is \p Wanted.
/// Those with many users are looked at once.
bool isComputedOf(const Leaf &L, OpId Id,
                  llvm::function_ref<bool(const Op &)> Wanted);

} // namespace dlopt

#endif // DLOPT_USES_H
