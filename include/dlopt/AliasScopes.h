//===- AliasScopes.h - What guards have tested, as metadata -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each buffer that a Disjoint need names as written is a scope: its accesses
/// are in it, those of the buffers it was tested against are noalias to it. The
/// scopes are declared on the fast path, so that they hold for one execution of
/// the nest and not across iterations of loops around it.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_ALIASSCOPES_H
#define DLOPT_ALIASSCOPES_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Metadata.h"

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace dlopt {

/// The scopes that a nest declares, as for a `restrict` parameter of what was
/// inlined there: they speak of one round of it.
class RoundScopes {
public:
  explicit RoundScopes(const llvm::Loop &Nest);
  /// What types and scopes tell of \p I in all rounds of the nest.
  llvm::AAMDNodes getTagsInAllRounds(const llvm::Instruction &I) const;

private:
  llvm::MDNode *withoutThem(llvm::MDNode *Scopes) const;

  llvm::SmallPtrSet<const llvm::MDNode *, 4> Domains;
};

class AliasScopes {
public:
  /// Declares the scopes of \p K, whose buffers are bound, where \p B is.
  AliasScopes(const Kernel &K, llvm::IRBuilderBase &B);
  /// Adds to \p I, a load or store, what is known of accesses to \p Ptr, an
  /// address that the buffers' own are the origin of.
  void annotate(llvm::Instruction &I, const llvm::Value *Ptr) const;

private:
  struct Scopes {
    llvm::SmallVector<llvm::Metadata *, 2> In, NoAlias;
  };
  /// By the object that the accesses of buffers go to.
  llvm::DenseMap<const llvm::Value *, Scopes> ByObject;
};

} // namespace dlopt

#endif // DLOPT_ALIASSCOPES_H
