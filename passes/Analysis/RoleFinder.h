//===- RoleFinder.h - What iterations of an axis share ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_ROLEFINDER_H
#define DLOPT_RAISE_ROLEFINDER_H

#include "Diagonals.h"
#include "dlopt/Combiners.h"
#include "dlopt/Dependences.h"
#include "llvm/Support/Allocator.h"
#include <map>

namespace dlopt {

/// Finds out how iterations of axes may be ordered, from the accesses below
/// them, by polynomials alone: this decides most, and quickly.
class RoleFinder {
public:
  explicit RoleFinder(const Kernel &K) : K(K) {}
  /// See Dependences.
  AxisRoles findRoles(llvm::ArrayRef<size_t> Path);
  bool meetsWithinIterations(llvm::ArrayRef<const Node *> Parts,
                             llvm::ArrayRef<AxisId> Around, BufferId Buf);
  bool mayRunAhead(const Node &N, llvm::ArrayRef<AxisId> Around,
                   unsigned Split);
  /// What the answers rest on.
  std::vector<Need> takeNeeds() { return std::move(Needs); }

private:
  /// An access below the axes that are looked at.
  struct Use {
    const Access *A;
    const Leaf *L;
    llvm::ArrayRef<AxisId> Axes; ///< around it, outermost first
    bool IsWrite;
    std::optional<Combiner> How; ///< part of a combiner of its target
    Poly Offset;
  };
  using UseRefs = llvm::ArrayRef<const Use *>;
  /// An axis, and of Uses and Owned what is below.
  struct Below {
    const Node *N;
    size_t FirstUse, EndUse, FirstLocal, EndLocal;
  };

  Role find(const Below &X);
  Role findForBuffers(const Below &X);
  Role findForBuffer(UseRefs Uses, AxisId X);
  Role findForState(UseRefs Uses);
  Role findForLocal(UseRefs Uses, AxisId X);
  bool areApart(const Use &U, const Use &V, AxisId X);
  bool isReadAlike(const Use &U, AxisId X);
  bool areSeparate(const Use &U, const Use &V, AxisId X);
  bool areOfRows(const Use &U, const Use &V, AxisId X);
  void requireExact(const Poly &P);
  void requireExactRows(const Poly &Distance);
  bool areOfColumns(const Use &U, const Use &V, AxisId X);
  struct Digit {
    AxisId A;
    Poly Stride;
  };
  /// What all pairs of an access ask for.
  struct Part {
    std::optional<LinearOffset> Linear;
    /// The digits, if the offset is a sum of multiples of axes and Base.
    std::optional<llvm::SmallVector<Digit, 6>> Digits;
    Poly Base;
    /// Elements from Base up to Base + Reach, if that is known.
    std::optional<Poly> Reach;
  };
  Part findPart(const Use &U, AxisId X);
  const Part &getPart(const Use &U, AxisId X);
  const Poly *getFixedBound(AxisId X, const Use &U,
                            llvm::function_ref<bool(const Poly &)> IsEnough);
  bool isDescribed(const Use &U);
  Poly takeLoads(Poly &Base) const;
  bool findDigits(const Use &U, AxisId X, Poly &Base,
                  llvm::SmallVectorImpl<Digit> &Digits);
  bool isDistinct(const Use &U, AxisId X, llvm::SmallVectorImpl<Poly> &Strides,
                  Poly &Base, const Poly &InRow = Poly());
  bool isAtLeastZero(const Poly &P, const Poly &Stride,
                     llvm::ArrayRef<AxisId> Axes);
  void collectUses(const Leaf &L);
  void collect(const Node &N);
  void collectAxes(const Node &N, llvm::ArrayRef<size_t> Path, bool IsAsked);
  bool isWindow(llvm::ArrayRef<Use> Below, AxisId X);
  bool mayReorderErrno(llvm::ArrayRef<Use> Below);
  bool keepsErrnoOrder(llvm::ArrayRef<Use> Below, const Node &N) const;
  llvm::SmallVector<BufferId, 4>
  getErrnoCandidates(llvm::ArrayRef<Use> Below) const;
  bool hasNeed(llvm::function_ref<bool(const Need &)> Is) const;
  /// The axis that is asked about, as \p U has it: two loops that shall become
  /// one are still two.
  AxisId getAsked(const Use &U, AxisId X) const {
    return Joined && llvm::is_contained(U.Axes, *Joined) ? *Joined : X;
  }
  std::optional<Poly> getStride(const Poly &P, AxisId A) const;
  Poly withoutAxis(const Poly &P, AxisId A) const;

  const Kernel &K;
  std::vector<Need> Needs; ///< beyond those of the kernel
  llvm::SmallVector<AxisId, 6> Enclosing;
  llvm::BumpPtrAllocator Allocator; ///< of axes around uses
  std::vector<Use> Uses;
  std::vector<Below> Axes; ///< in the order of the text
  llvm::SmallVector<BufferId, 8> Owned;
  std::optional<AxisId> Joined;
  llvm::SmallVector<AxisId, 6> Reductions; ///< axes seen that are not parallel
  /// Of the axis and the buffer that are looked at.
  std::map<const Use *, Part> Parts;
};

} // namespace dlopt

#endif // DLOPT_RAISE_ROLEFINDER_H
