//===- RowBlocks.h - Rows that share an array, some at a time --*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_ROWBLOCKS_H
#define DLOPT_VECTORIZE_ROWBLOCKS_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/DenseMap.h"

namespace dlopt {

/// Rows of a kernel that keep what they compute in arrays of the nest and in
/// scalars: the innermost of the axes that are around all of it.
class RowBlocks {
public:
  /// Of \p Hidden nobody sees what the kernel writes. At most half of \p
  /// StackLimit bytes are for a block.
  RowBlocks(const Kernel &Old, llvm::ArrayRef<BufferId> Hidden,
            uint64_t StackLimit);
  /// Whether there are any, and enough of them fit on the stack.
  explicit operator bool() const { return !Chain.empty(); }
  /// The axes around all of a row, with its own.
  size_t getDepth() const { return Chain.size(); }
  /// Rows in one round of what is around them, as they would be if each had
  /// arrays of its own, to look at.
  std::unique_ptr<Kernel> separate();
  /// The kernel with blocks of at most \p Most rows, in the order of the
  /// source. Call once.
  std::unique_ptr<Kernel> block(uint64_t Most);

private:
  bool findParts(llvm::ArrayRef<BufferId> Hidden, uint64_t StackLimit);
  std::optional<uint64_t> isOfRow(BufferId B, uint64_t Most);
  void index(Node &Rows, llvm::ArrayRef<Poly> Subs,
             llvm::function_ref<void(Access &, bool IsArray)> Finish) const;
  bool hasSameRounds(const Node &N, BufferId B) const;
  void storeLast(Node &Rows, BufferId B, BufferId Block, const Poly &Last,
                 llvm::ArrayRef<Constraint> Runs);
  void placeLocals(Node &Rows, const Poly &Size, const Poly &Rounds);
  void splitTriangles(Node &N, AxisId Row, const Poly &First);
  llvm::LLVMContext &getContext() const;

  std::unique_ptr<Kernel> K;
  llvm::SmallVector<Node *, 4> Chain; ///< of K, outermost first
  llvm::SmallVector<BufferId, 4> Arrays, Scalars;
  llvm::SmallVector<BufferId, 4> Visible; ///< arrays that are not hidden
  /// Elements of a row, as far as they are used.
  llvm::SmallDenseMap<BufferId, Poly, 4> Lengths;
  uint64_t NumRows = 0; ///< of a block
};

} // namespace dlopt

#endif // DLOPT_VECTORIZE_ROWBLOCKS_H
