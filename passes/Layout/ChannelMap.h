//===- ChannelMap.h - Elements in another order -----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LAYOUT_CHANNELMAP_H
#define DLOPT_PASSES_LAYOUT_CHANNELMAP_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Where the elements of a buffer go: in each block of Channels * Pixels
/// elements, Channels * p + c instead of Pixels * c + p, as far as there are
/// whole blocks; what is behind them stays. A bijection.
struct ChannelMap {
  int64_t Channels = 0, Pixels = 0;

  int64_t getBlock() const { return Channels * Pixels; }
  /// The new place of element \p E of \p Elements.
  uint64_t map(uint64_t E, uint64_t Elements) const;
  bool operator==(const ChannelMap &O) const {
    return Channels == O.Channels && Pixels == O.Pixels;
  }
  bool operator!=(const ChannelMap &O) const { return !(*this == O); }
};

/// The maps of a buffer of \p Elements in which the dimensions that show in
/// \p X change places, those with the most pixels first: neighbours, or with
/// \p Several one with all of several in front of it, too.
llvm::SmallVector<ChannelMap, 4>
getCandidates(const Access &X, uint64_t Elements, bool Several = false);

/// What the terms of an offset count.
enum class OffsetPart : uint8_t { Block, Channel, Pixel };

/// Whether \p X below \p Around goes over windows, which is what channels have
/// none of: in what \p M takes for \p Part.
bool hasWindow(const Kernel &K, llvm::ArrayRef<AxisId> Around, const Access &X,
               const ChannelMap &M, OffsetPart Part);

/// \p X, an access of the leaf \p L below the axes \p Around to a buffer that
/// begins at the element \p First, after \p M; nullopt: it is not proved that
/// its row, plane and block hold it.
std::optional<Access> mapAccess(Kernel &K, llvm::ArrayRef<AxisId> Around,
                                const Leaf &L, const Access &X, int64_t First,
                                uint64_t Elements, const ChannelMap &M);

/// Whether it is proved that \p X is one of the \p Elements.
bool isInside(Kernel &K, llvm::ArrayRef<AxisId> Around, const Leaf &L,
              const Access &X, int64_t First, uint64_t Elements);

} // namespace dlopt

#endif // DLOPT_PASSES_LAYOUT_CHANNELMAP_H
