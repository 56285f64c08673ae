//===- Contracts.h - Kernels that functions are to keep ---------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A contract says which kinds of kernels a function is to have when it has
/// been compiled: `dl:require(matmul)` as an annotation, or a line of the file
/// of contracts. Whichever it was, it becomes the attribute
/// "dl-require"="matmul" of the function until all is known of its kernels.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_CONTRACTS_H
#define DLOPT_CONTRACTS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace dlopt {

inline constexpr llvm::StringLiteral RequireAttr = "dl-require";
/// The kind that all kernels are of.
inline constexpr llvm::StringLiteral AnyKind = "any";

/// Reads `KIND[,KIND]`; each is the name of a row of Kinds.def or Programs.def,
/// or what stands in front of a dot in one.
llvm::Expected<std::vector<std::string>> parseKinds(llvm::StringRef Text);

/// Whether \p Kernel, as describe() has it, is of \p Kind.
bool isOfKind(llvm::StringRef Kernel, llvm::StringRef Kind);

/// Requires \p Kinds of \p F, beside what is required of it already.
void addRequired(llvm::Function &F, llvm::ArrayRef<std::string> Kinds);

/// A file of contracts: `function: KIND[, KIND]`, a line each.
class ContractFile {
public:
  /// The error is one line.
  static llvm::Expected<std::shared_ptr<const ContractFile>>
  read(llvm::StringRef FileName);
  /// Requires of the functions that \p M defines what the file says of them.
  void apply(llvm::Module &M) const;

private:
  llvm::Error parse(llvm::StringRef Text, llvm::StringRef FileName);

  llvm::StringMap<std::vector<std::string>> Kinds;
};

/// What people call a function of that name in IR: as it is, as its language
/// has it, and that without what is there for linkers alone.
std::vector<std::string> getSpokenNames(llvm::StringRef Name);

} // namespace dlopt

#endif // DLOPT_CONTRACTS_H
