//===- KernelText.h - Names, polynomials and accesses ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of the textual form that the printer of trees and remarks share;
/// the grammar is in docs/kernel-model.md. Everything printed depends on the
/// structure of the kernel alone, never on the numbering of atoms, buffers or
/// operations, so that printing what was parsed gives the same text.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNELTEXT_H
#define DLOPT_KERNELTEXT_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/StringSet.h"

namespace dlopt {

/// Words of the grammar that no axis, local or let may have as its name.
bool isReservedWord(llvm::StringRef Name);
/// Characters of names: bare (axes, locals) and behind % or @.
bool isBareNameStart(char C);
bool isBareNameChar(char C);
bool isSigilNameChar(char C);
/// \p Name itself, or in quotes with escapes if it has unusual characters.
std::string quoteIfNeeded(llvm::StringRef Name);
std::string quote(llvm::StringRef Text);

/// Names of everything in a kernel, made unique, and text built from them. In a
/// scheduled kernel axes and locals may have the names of others that are out
/// of scope: steps of a script speak of all axes of a name. Usable on kernels
/// that do not verify: what makes no sense prints as <bad>.
class KernelText {
public:
  explicit KernelText(const Kernel &K);

  std::string axis(AxisId A) const;
  /// With its sigil.
  std::string param(ParamId P) const;
  /// Without.
  llvm::StringRef paramName(ParamId P) const { return ParamNames[P]; }
  llvm::StringRef bufferName(BufferId B) const { return BufferNames[B]; }
  /// With its sigil if external.
  std::string buffer(BufferId B) const;
  std::string poly(const Poly &P) const;
  std::string polys(llvm::ArrayRef<Poly> Ps,
                    llvm::StringRef Separator = ", ") const;
  std::string constraint(const Constraint &C) const;
  std::string access(const Access &X) const;
  /// "(%K,1)".
  std::string strides(llvm::ArrayRef<Poly> Strides) const;
  /// The strides that most accesses to \p B use: what its declaration shows.
  llvm::StringRef declaredStrides(BufferId B) const;
  /// A bare name that no axis or local has.
  bool isTaken(llvm::StringRef Bare) const { return Taken.contains(Bare); }

  /// Operations that an assignment or the predicate needs, and how often.
  static std::vector<unsigned> countUses(const Leaf &L);

private:
  /// What terms and factors are sorted by.
  struct Factor {
    unsigned Class = 0, Order = 0;
    std::string Text;
    bool operator<(const Factor &O) const;
  };
  struct Term {
    std::vector<Factor> Factors;
    int64_t Coef = 0;
    bool operator<(const Term &O) const;
  };
  Factor factor(AtomId A) const;
  std::vector<Term> terms(const Poly &P) const;
  static std::string join(llvm::ArrayRef<Term> Terms);

  void nameAll();
  void nameEverywhere();
  void nameInScope(const Node &N, llvm::StringSet<> &Active);
  /// Adds the name to \p Used.
  std::string makeUnique(llvm::StringRef Wanted, llvm::StringRef Default,
                         bool Bare, llvm::StringSet<> &Used);
  void orderAxes(const Node &N);
  void countStrides();
  class StrideCounter;

  const Kernel &K;
  std::vector<std::string> ParamNames, BufferNames, AxisNames;
  std::vector<unsigned> AxisOrder;
  std::vector<std::string> DeclaredStrides;
  llvm::StringSet<> Taken, SigilTaken;
  mutable unsigned Depth = 0;
};

} // namespace dlopt

#endif // DLOPT_KERNELTEXT_H
