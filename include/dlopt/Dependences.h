//===- Dependences.h - What may meet in memory ------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Questions about the accesses of a kernel, plain or scheduled, which is not
/// changed by being asked. Every primitive of schedules asks here whether it is
/// legal.
///
/// Two instances of leaves *meet* if they touch the same element and at least
/// one of them writes it. Their places in the loops that are around both are
/// given as an order for each. What is known of the instances (bounds, blocks,
/// conditions, needs) is a set of linear constraints, and where that has no
/// integer point they never meet (Feautrier, Dataflow analysis of array and
/// scalar references, IJPP 1991). Products of sizes and axes are unknowns of
/// their own; bounds multiplied by the sizes are added (Sherali and Adams'
/// reformulation-linearization), by which rows of arrays with a run-time length
/// are found to be apart. Indices are exact: that none wraps is a need of the
/// kernel or the wish of who wrote it.
///
/// Different buffers meet unless a need says that they are disjoint; what is
/// legal under that assumption alone is said so.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_DEPENDENCES_H
#define DLOPT_DEPENDENCES_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/DenseMap.h"

namespace dlopt {

/// A load or store of a leaf, a loaded index, or a call that may set errno.
struct MemoryUse {
  enum Kind : uint8_t { Read, Write, Errno } K = Read;
  /// The leaf; another node for elements that its bounds, its cases or the
  /// shapes of its locals are made of.
  const Node *N = nullptr;
  /// The axes around it, outermost first.
  llvm::SmallVector<const Node *, 8> Path;
  /// Null for errno.
  const Access *X = nullptr;
  /// The only value that errno is set to, if there is but one.
  std::optional<int> Error;
  /// In the order of the text.
  unsigned Position = 0;
  /// Of a write: the number of the assignment.
  unsigned Part = 0;
  /// Happens where the leaf's domain does not hold, too: it is of the domain.
  bool IsOfDomain = false;

  bool writes() const { return K != Read; }
  /// The conditions under which it happens.
  llvm::ArrayRef<Constraint> domain() const {
    return IsOfDomain ? llvm::ArrayRef<Constraint>() : N->L.Domain;
  }
};

/// Where the second of two instances is in a loop around both, as seen from the
/// first.
enum class Direction : uint8_t { Any, Same, Later, Earlier };

/// How the rounds of axes may be ordered, if what is needed beyond the kernel's
/// own needs is true.
struct AxisRoles {
  llvm::SmallVector<std::pair<AxisId, Role>, 8> Roles;
  std::vector<Need> Needs;

  /// Of an axis that was asked about.
  Role get(AxisId A) const;
};

/// Adds those of \p Needs that \p K does not have, for who has decided to rely
/// on them.
void adoptNeeds(Kernel &K, std::vector<Need> Needs);

/// Takes back what only the roles of axes need of numbers, for who gives \p K
/// other axes or numbers, and asks again.
void dropNeedsOfRoles(Kernel &K);

/// Gives the axes of \p K the roles that Dependences::findRoles finds, and \p K
/// what these need.
void computeRoles(Kernel &K, llvm::ArrayRef<size_t> Path = {});

class Instances;

class Dependences {
public:
  explicit Dependences(const Kernel &K) : K(K) {}

  /// \name Rounds of axes, by polynomials alone
  ///
  /// Nothing comes back where rounds may meet, else what has to be needed, too.
  /// @{

  /// The role of each axis from its accesses.
  ///
  /// \p Path: the numbers of the children that lead to a node; of that node, of
  /// what is below and of what is around it alone, then.
  AxisRoles findRoles(llvm::ArrayRef<size_t> Path = {}) const;

  /// Whether no round of an axis, with the axes \p Around around it, uses an
  /// element of \p Buf that another one writes. \p Parts: the node of the axis,
  /// or those of two that shall become one.
  std::optional<std::vector<Need>>
  meetsWithinIterations(llvm::ArrayRef<const Node *> Parts,
                        llvm::ArrayRef<AxisId> Around, BufferId Buf) const;

  /// Whether the first \p Split children of the axis \p N, with the axes \p
  /// Around around and including it, may run for several rounds at once before
  /// the others run for the first of these.
  std::optional<std::vector<Need>> mayRunAhead(const Node &N,
                                               llvm::ArrayRef<AxisId> Around,
                                               unsigned Split) const;
  /// @}

  llvm::ArrayRef<MemoryUse> uses() const;
  bool isBelow(const MemoryUse &U, const Node &N) const;
  /// The number of loops around both.
  unsigned getCommon(const MemoryUse &A, const MemoryUse &B) const;

  /// The need without which the two may meet whatever the indices are.
  enum class Answer : uint8_t { No, IfAliased, Yes };
  /// Whether an instance of \p A and one of \p B may meet, with \p Where for
  /// the outermost loops around both (Any for those further in). \p Distance:
  /// the largest difference, in elements, in the last loop of \p Where.
  Answer mayMeet(const MemoryUse &A, const MemoryUse &B,
                 llvm::ArrayRef<Direction> Where,
                 std::optional<Poly> Distance = std::nullopt) const;
  /// What has to be assumed about two uses of different buffers.
  Need getDisjointNeed(const MemoryUse &A, const MemoryUse &B) const;

  /// Whether \p P is at least zero wherever the axes \p Path run and \p Domain
  /// holds.
  bool isAtLeastZero(const Poly &P, llvm::ArrayRef<const Node *> Path,
                     llvm::ArrayRef<Constraint> Domain = {}) const;

  /// Whether \p P is a multiple of \p Of wherever the axes \p Path run.
  bool isMultiple(const Poly &P, int64_t Of,
                  llvm::ArrayRef<const Node *> Path) const;

  /// Whether \p Of is the same in any two rounds of \p Path in which \p Index
  /// is; the outermost \p NumShared axes are in one round.
  bool isFunctionOf(llvm::ArrayRef<Poly> Of, llvm::ArrayRef<Poly> Index,
                    llvm::ArrayRef<const Node *> Path,
                    unsigned NumShared) const;

  /// Whether \p Plain, which the kernel was made of by steps, certainly reads
  /// each element of \p X that a round of \p Path names in which \p Domain
  /// holds, in whichever round.
  bool isReadIn(const Kernel &Plain, const Access &X,
                llvm::ArrayRef<const Node *> Path,
                llvm::ArrayRef<Constraint> Domain = {}) const;

  /// Whether the element that \p Read reads is certainly assigned before it, in
  /// the same round of the outermost \p NumShared axes around it.
  bool isWrittenBefore(const MemoryUse &Read, unsigned NumShared) const;

  /// Whether rounds of the axis \p N may run once more behind all others, if
  /// different buffers are apart: they read nothing that is written below, but
  /// what they have written themselves before.
  bool mayRunTwice(const Node &N) const;

  /// \name Lanes past the end of the innermost axis of \p Path, if it is run
  /// \p Lanes elements at a time.
  /// @{
  bool hasJunk(llvm::ArrayRef<const Node *> Path, ScheduleSize Lanes) const;
  /// What they assign by \p W is inside of its local.
  bool isJunkInside(const MemoryUse &W, llvm::ArrayRef<const Node *> Path,
                    ScheduleSize Lanes) const;
  /// What they assign by \p W may be an element that \p U means.
  bool mayJunkMeet(const MemoryUse &W, const MemoryUse &U,
                   llvm::ArrayRef<const Node *> Path, ScheduleSize Lanes) const;
  /// @}

private:
  struct Walk;
  bool mayBeJunk(llvm::ArrayRef<const Node *> Path, ScheduleSize Lanes,
                 const MemoryUse *W, llvm::ArrayRef<AxisId> Shared,
                 llvm::function_ref<void(Instances &)> Add) const;
  bool isUnaliased(BufferId A, BufferId B) const;
  bool mayBeSameElement(const MemoryUse &A, const MemoryUse &B,
                        llvm::ArrayRef<Direction> Where,
                        std::optional<Poly> Distance) const;
  /// Of subscripts, from the shortest stride on; empty: they are in whole rows
  /// as they are; nullopt: there is none.
  using RowOrder = std::optional<llvm::SmallVector<unsigned, 4>>;
  bool hasWholeRows(const MemoryUse &U) const;
  llvm::SmallVector<unsigned, 4> orderRows(const MemoryUse &U) const;
  RowOrder findRows(const MemoryUse &U) const;
  RowOrder getRows(const MemoryUse &U) const;

  /// Of a local: how many axes are around what it lives in.
  unsigned getDepthOfLocal(BufferId B) const;

  const Kernel &K;
  /// Once they are asked for: questions about roles do without.
  mutable bool IsCollected = false;
  mutable std::vector<MemoryUse> Uses;
  mutable llvm::DenseMap<BufferId, unsigned> DepthOfLocal;
  mutable llvm::DenseMap<const MemoryUse *, RowOrder> Rows;
};

} // namespace dlopt

#endif // DLOPT_DEPENDENCES_H
