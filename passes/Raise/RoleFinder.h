//===- RoleFinder.h - What iterations of an axis share ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_ROLEFINDER_H
#define DLOPT_RAISE_ROLEFINDER_H

#include "Diagonals.h"
#include "Roles.h"
#include "dlopt/Kernel.h"
#include <map>

namespace dlopt {

/// Finds out how iterations of an axis may be ordered, from the accesses below
/// it.
class RoleFinder {
public:
  explicit RoleFinder(Kernel &K) : K(K) {}
  /// \p Path: see computeRoles().
  void visit(Node &N, llvm::ArrayRef<size_t> Path);
  bool meetsWithinIterations(const Node &N, llvm::ArrayRef<AxisId> Around,
                             BufferId Buf);
  bool mayRunAhead(const Node &N, llvm::ArrayRef<AxisId> Around,
                   unsigned Split);

private:
  /// An access below the axis that is looked at.
  struct Use {
    const Access *A;
    const Leaf *L;
    llvm::SmallVector<AxisId, 6> Axes; ///< around it, outermost first
    bool IsWrite;
    std::optional<Combiner> How; ///< part of a combiner of its target
  };

  Role find(const Node &N);
  Role findForBuffer(llvm::ArrayRef<const Use *> Uses, AxisId X);
  Role findForState(llvm::ArrayRef<const Use *> Uses);
  Role findForLocal(llvm::ArrayRef<const Use *> Uses, AxisId X);
  bool areApart(const Use &U, const Use &V, AxisId X);
  bool isReadAlike(const Use &U, AxisId X);
  bool areSeparate(const Use &U, const Use &V, AxisId X);
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
  bool findDigits(const Use &U, AxisId X, Poly &Base,
                  llvm::SmallVectorImpl<Digit> &Digits);
  bool isDistinct(const Use &U, AxisId X, llvm::SmallVectorImpl<Poly> &Strides,
                  Poly &Base);
  bool isAtLeastZero(const Poly &P, const Poly &Stride,
                     llvm::ArrayRef<AxisId> Axes);
  void collect(const Node &N);
  bool isWindow(AxisId X);
  bool mayReorderErrno();
  bool keepsErrnoOrder(const Node &N) const;
  llvm::SmallVector<BufferId, 4> getErrnoCandidates() const;

  Kernel &K;
  llvm::SmallVector<AxisId, 6> Enclosing;
  std::vector<Use> Uses;
  llvm::SmallVector<BufferId, 8> Owned;
  llvm::SmallVector<AxisId, 6> Reductions; ///< axes seen that are not parallel
  /// Of the axis and the buffer that are looked at.
  std::map<const Use *, Part> Parts;
};

} // namespace dlopt

#endif // DLOPT_RAISE_ROLEFINDER_H
