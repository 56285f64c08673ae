//===- AddressSum.h - Addresses as sums of products -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LOWER_ADDRESSSUM_H
#define DLOPT_LOWER_ADDRESSSUM_H

#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>

namespace llvm {
class DataLayout;
class Value;
} // namespace llvm

namespace dlopt {

/// A sum of products modulo 2^64, by their sorted factors: values, extended by
/// a cast or as they are. Two addresses with the same one are the same, however
/// they were computed.
class AddressSum {
public:
  AddressSum(const llvm::Value *Address, const llvm::DataLayout &DL);

  /// How many bytes this is behind \p Other, if that is a number.
  std::optional<int64_t> getDistance(const AddressSum &Other) const;

private:
  using Factor = std::pair<const llvm::Value *, unsigned>;
  using Product = llvm::SmallVector<Factor, 2>;
  using Sum = std::map<Product, uint64_t>;

  static void addTo(Sum &S, const Product &P, uint64_t Times);
  static Sum expand(const llvm::Value *V, unsigned Depth = 0);

  const llvm::Value *Base = nullptr;
  Sum Terms;
};

} // namespace dlopt

#endif // DLOPT_LOWER_ADDRESSSUM_H
