//===- ContractionText.h - Contractions as scheduled kernels ----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A function of a contraction is a scheduled kernel: a text says how it is
/// run, holes in it are what differs between contractions and targets. This is
/// what the texts have in common: how holes are filled, one step of a sum,
/// operands of the epilogue, and what names stand for.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LOWER_CONTRACTIONTEXT_H
#define DLOPT_LOWER_CONTRACTIONTEXT_H

#include "dlopt/Contraction.h"
#include "dlopt/Kernel.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

namespace dlopt::contraction {

/// \p Name with flags, as in "fmul<nnan>".
std::string withFlags(llvm::StringRef Name, llvm::FastMathFlags Flags);

class ContractionText {
protected:
  /// Code goes to where \p B is, in a function of which \p Operands are the
  /// arguments for the operands of the epilogue.
  ContractionText(llvm::IRBuilderBase &B, const ContractionSpec &S,
                  const ContractionPlan &P,
                  llvm::ArrayRef<llvm::Value *> Operands);

  /// \p Template with what its holes have, which may have holes, too.
  std::string fill(llvm::StringRef Template) const;
  void set(llvm::StringRef Hole, const llvm::Twine &Text) {
    Holes[Hole] = Text.str();
  }
  void add(llvm::StringRef Hole, const llvm::Twine &Text) {
    Holes[Hole] += Text.str();
  }
  /// What the parameter, or the buffer, \p Name is.
  void bind(llvm::StringRef Name, llvm::Value *V) { Bound[Name] = V; }
  /// The parameter %\p Name, which the function computes from its arguments; it
  /// is \p Least at least.
  void addNumber(llvm::StringRef Name, llvm::Value *V, int64_t Least = 0);
  /// \p Sum with one more product, with the roundings and flags of the source.
  std::string getStep(std::string X, std::string Y, llvm::StringRef Sum) const;
  /// Operands of the epilogue by number, of the sum {sum}, in row {row} and
  /// column {column}: {operands} are lines that begin with \p Indent. What may
  /// not be read without its condition is put into a local first, by lines
  /// {given}; {locals} has these, of the shape \p Shape, and \p Place is where
  /// in them.
  void setOperands(llvm::StringRef Indent, llvm::StringRef LocalIndent,
                   llvm::StringRef Shape, llvm::StringRef Place);
  /// The kernel of the text \p Nests; leaves below an axis `e` store what
  /// Ending makes of {operands}.
  std::unique_ptr<Kernel> parse(llvm::StringRef Nests) const;
  void emit(llvm::StringRef Nests);

  llvm::IRBuilderBase &B;
  const ContractionSpec &Spec;
  const ContractionPlan &Plan;
  /// The epilogue, unless something else is made of operands.
  const Expression *Ending;

private:
  void bindOperands(llvm::ArrayRef<llvm::Value *> Args);
  std::string getOperand(unsigned Number,
                         const ContractionEpilogue::Operand &O) const;

  llvm::StringMap<std::string> Holes;
  llvm::StringMap<llvm::Value *> Bound;
};

} // namespace dlopt::contraction

#endif // DLOPT_LOWER_CONTRACTIONTEXT_H
