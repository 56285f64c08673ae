//===- Needs.h - What must not overlap --------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_NEEDS_H
#define DLOPT_RAISE_NEEDS_H

#include "Index.h"
#include "llvm/Analysis/MemoryLocation.h"

namespace dlopt {

/// Adds the needs that speak of pointers to a kernel that is complete but for
/// them.
class NeedFinder {
public:
  /// \p Spelled: the kernel with all accesses of the nest, each as it stands
  /// there.
  NeedFinder(NestState &S, IndexBuilder &IB, const Kernel &Spelled)
      : S(S), IB(IB), Spelled(Spelled) {}
  /// Finds what is read in front, while the kernel has the axes of the loops.
  bool findPlaces();
  bool run();

private:
  /// What is read in front, and the buffer that stands for it.
  struct Place {
    llvm::LoadInst *L;
    ScalarType Ty;
    const llvm::Value *Base;
    BufferId Buf = 0;
  };

  void addPlaces();
  void findUses();
  void findScoped();
  bool areScoped(const llvm::Value *A, const llvm::Value *B);
  bool mayMeet(BufferId Output, BufferId Other);
  bool addDisjointNeeds();
  bool addSameNeed();
  void addErrnoNeeds();

  NestState &S;
  IndexBuilder &IB;
  const Kernel &Spelled;
  llvm::SmallVector<Place, 2> Places;
  /// Of indices that are apart from what other pointers write.
  llvm::SmallVector<std::pair<llvm::LoadInst *, const llvm::Value *>, 2>
      Indices;
  llvm::SmallVector<bool, 8> Used, Written; ///< by buffer
  /// Accesses to a base of which all have metadata that may keep them apart.
  llvm::DenseMap<const llvm::Value *,
                 llvm::SmallVector<llvm::MemoryLocation, 8>>
      Scoped;
};

} // namespace dlopt

#endif // DLOPT_RAISE_NEEDS_H
