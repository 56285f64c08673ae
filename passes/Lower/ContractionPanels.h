//===- ContractionPanels.h - Columns of a contraction -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Columns of B lie in panels as wide as a register tile: columns are adjacent
/// in one, and that of column J is at J * %ps. What copies them and what
/// multiplies by them take them in the same parts: whole panels, then what is
/// left, by vectors and parts of one.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LOWER_CONTRACTIONPANELS_H
#define DLOPT_LOWER_CONTRACTIONPANELS_H

#include "ContractionText.h"

namespace dlopt::contraction {

/// Columns from Begin to End, in Blocks of Most at most.
struct ColumnPart {
  std::string Begin, End, Blocks;
  unsigned Most = 1;
};

class PanelText : protected ContractionText {
protected:
  PanelText(llvm::IRBuilderBase &B, const ContractionSpec &S,
            const ContractionPlan &P, llvm::ArrayRef<llvm::Value *> Operands);

  /// The numbers %whole, where whole panels of \p N columns end, %last.panel,
  /// where the one begins that is not a whole one, and, if masks are for single
  /// vectors alone, %even, where these begin.
  void addColumns(llvm::Value *N, llvm::Value *PanelStep);
  /// What is behind whole panels, from \p Begin to \p End.
  llvm::SmallVector<ColumnPart, 2> getRest(llvm::StringRef Begin,
                                           llvm::StringRef End) const;
  /// \p Of without what \p Size does not divide.
  llvm::Value *getWhole(llvm::Value *Of, llvm::Value *Size);
  unsigned getPanel() const { return Plan.TileVectors * Plan.VectorElems; }
  /// \p N elements, times vscale if vectors are scalable: so many times `vl`,
  /// the number of 32 bits in a register.
  std::string getElements(unsigned N) const;
  /// The same in an index.
  std::string getProduct(unsigned N) const;

private:
  /// What `vl` is where vscale is 1.
  unsigned LanesOfVL;
};

} // namespace dlopt::contraction

#endif // DLOPT_LOWER_CONTRACTIONPANELS_H
