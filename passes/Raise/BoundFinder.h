//===- BoundFinder.h - What bounds of loops are the greatest of -*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_BOUNDFINDER_H
#define DLOPT_RAISE_BOUNDFINDER_H

#include "Index.h"

namespace dlopt {

/// Numbers of which something is the greatest or the smallest.
using Bounds = llvm::SmallVector<Poly, 4>;
using Conditions = llvm::SmallVector<Constraint, 4>;

/// Takes the bound of a loop apart.
class BoundFinder {
public:
  /// \p Ones: to which numbers are added that are 1 under needs.
  BoundFinder(IndexBuilder &IB, NestState &S, const llvm::Loop *Where,
              bool Signed, llvm::SmallVectorImpl<AtomId> &Ones)
      : IB(IB), S(S), Where(Where), Signed(Signed), Ones(Ones),
        Axes(S.axesOf(Where)) {}

  /// \p V is the greatest (the smallest) of \p Out where \p If holds. False: it
  /// is not known to be.
  bool find(llvm::Value *V, bool Greatest, const Conditions &If, Bounds &Out);

  /// \p V is how far it is from the greatest of \p Starts, which \p From is (or
  /// minus \p From), to the smallest of \p Ends.
  bool findDistance(llvm::Value *V, Bounds &Starts, Bounds &Ends,
                    llvm::Value *&From, bool &IsNegated);

private:
  /// One of two numbers.
  struct Choice {
    llvm::Value *Cond;
    llvm::Value *Of[2]; ///< where it holds, and where it does not
  };
  std::optional<Choice> getChoice(llvm::Instruction *I) const;
  bool findChoice(const Choice &C, bool Greatest, const Conditions &If,
                  Bounds &Out);
  bool findSum(llvm::BinaryOperator *B, bool Greatest, const Conditions &If,
               Bounds &Out);
  bool findRest(llvm::Value *Of, llvm::Value *Less, const Conditions &If,
                Bounds &Out);
  bool findWhole(const WholeNumber &W, bool Greatest, const Conditions &If,
                 Bounds &Out);
  bool findLeft(llvm::PHINode *P, const Conditions &If, Bounds &Out);
  bool findNumber(llvm::Value *V, const Conditions &If, Bounds &Out);
  bool isExact(const Linear &L, unsigned Bits, const Conditions &If);

  IndexBuilder &IB;
  NestState &S;
  const llvm::Loop *Where;
  bool Signed;
  llvm::SmallVectorImpl<AtomId> &Ones;
  llvm::SmallVector<AxisId, 6> Axes;
  unsigned Depth = 0;
};

} // namespace dlopt

#endif // DLOPT_RAISE_BOUNDFINDER_H
