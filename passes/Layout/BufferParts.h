//===- BufferParts.h - The arrays that an object is made of -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LAYOUT_BUFFERPARTS_H
#define DLOPT_PASSES_LAYOUT_BUFFERPARTS_H

#include "BufferWalker.h"

namespace dlopt {

/// Bytes from the first on, to the last one, which is not among them.
struct ByteRange {
  int64_t Begin = 0, End = 0;
  bool contains(const ByteRange &R) const {
    return Begin <= R.Begin && R.End <= End;
  }
  bool overlaps(const ByteRange &R) const {
    return Begin < R.End && R.Begin < End;
  }
};

/// An access of a kernel to the object.
struct KernelAccess {
  unsigned Kernel = 0;
  BufferId Id = 0;
  Access *X = nullptr;
  const Leaf *L = nullptr;
  llvm::SmallVector<AxisId, 6> Around;
  ByteRange Range;
};

/// All that uses an object, by the bytes of it.
struct ObjectAccesses {
  ObjectAccesses(ModuleBuffers &MB, const BufferUses &Uses,
                 llvm::FunctionAnalysisManager &FAM, const llvm::DataLayout &DL)
      : MB(MB), Uses(Uses), FAM(FAM), DL(DL),
        All({0, static_cast<int64_t>(Uses.Bytes)}) {}

  bool isOurs(const Buffer &Buf) const {
    return !Buf.IsLocal && Buf.Bound && Uses.Whole.Pointers.contains(Buf.Bound);
  }
  /// The bytes of an access of \p Size bytes; all, if that is not known.
  ByteRange getRange(const llvm::Value *Ptr, uint64_t Size) const;
  /// The bytes of a load or store; all for other uses.
  ByteRange getRange(const llvm::Instruction &I) const;

  ModuleBuffers &MB;
  const BufferUses &Uses;
  llvm::FunctionAnalysisManager &FAM;
  const llvm::DataLayout &DL;
  ByteRange All;
  std::vector<KernelAccess> Accesses;
  /// Calls that set all of the object, which are no reason to take it as one.
  std::vector<KernelAccess> Fills;
  /// What is read in front of a kernel, or as its indices and conditions.
  llvm::SmallVector<std::pair<ByteRange, Verdict>, 4> Given;
};

/// All about \p Part of the object of \p In. \p IsPart: it is not all.
ModuleBuffer fillPart(const ObjectAccesses &In, const ByteRange &Part,
                      bool IsPart);

} // namespace dlopt

#endif // DLOPT_PASSES_LAYOUT_BUFFERPARTS_H
