//===- AliasScopes.cpp - What guards have tested, as metadata -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/AliasScopes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
using namespace dlopt;

AliasScopes::AliasScopes(const Kernel &K, IRBuilderBase &B) {
  LLVMContext &C = B.getContext();
  MDBuilder MDB(C);
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain("dl.guard");
  OfBuffer.resize(K.Buffers.size());
  for (const Need &N : K.Needs) {
    if (N.K != Need::Disjoint)
      continue;
    MDNode *Scope =
        MDB.createAnonymousAliasScope(Domain, K.Buffers[N.Buf].Name);
    B.CreateNoAliasScopeDeclaration(MDNode::get(C, Scope));
    OfBuffer[N.Buf].In.push_back(Scope);
    for (BufferId Other : N.Others)
      OfBuffer[Other].NoAlias.push_back(Scope);
  }
  for (auto [Id, Buf] : enumerate(K.Buffers)) {
    if (Buf.IsLocal)
      continue;
    const Value *Object = getUnderlyingObject(Buf.Bound, 0);
    auto [It, New] = ByObject.try_emplace(Object, &OfBuffer[Id]);
    if (!New)
      It->second = nullptr;
  }
}

void AliasScopes::annotate(Instruction &I, const Value *Ptr) const {
  const Scopes *S = ByObject.lookup(getUnderlyingObject(Ptr, 0));
  if (!S)
    return;
  LLVMContext &C = I.getContext();
  auto Add = [&](unsigned Kind, ArrayRef<Metadata *> Nodes) {
    if (!Nodes.empty())
      I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind),
                                              MDNode::get(C, Nodes)));
  };
  Add(LLVMContext::MD_alias_scope, S->In);
  Add(LLVMContext::MD_noalias, S->NoAlias);
}
