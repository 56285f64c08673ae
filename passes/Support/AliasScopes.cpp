//===- AliasScopes.cpp - What guards have tested, as metadata -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/AliasScopes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
using namespace dlopt;

RoundScopes::RoundScopes(const Loop &Nest) {
  for (const BasicBlock *BB : Nest.blocks())
    for (const Instruction &I : *BB)
      if (const auto *Decl = dyn_cast<NoAliasScopeDeclInst>(&I))
        for (const MDOperand &Op : Decl->getScopeList()->operands())
          Domains.insert(AliasScopeNode(cast<MDNode>(Op)).getDomain());
}

/// \p Scopes without those of whole domains: a part of one would say more than
/// all of it.
MDNode *RoundScopes::withoutThem(MDNode *Scopes) const {
  if (!Scopes)
    return nullptr;
  SmallVector<Metadata *, 4> Kept;
  for (const MDOperand &Op : Scopes->operands())
    if (auto *Scope = dyn_cast<MDNode>(Op);
        Scope && !Domains.contains(AliasScopeNode(Scope).getDomain()))
      Kept.push_back(Op);
  return Kept.empty() ? nullptr : MDNode::get(Scopes->getContext(), Kept);
}

AAMDNodes RoundScopes::getTagsInAllRounds(const Instruction &I) const {
  AAMDNodes Tags = I.getAAMetadata();
  if (!Domains.empty()) {
    Tags.Scope = withoutThem(Tags.Scope);
    Tags.NoAlias = withoutThem(Tags.NoAlias);
  }
  return Tags;
}

AliasScopes::AliasScopes(const Kernel &K, IRBuilderBase &B) {
  LLVMContext &C = B.getContext();
  MDBuilder MDB(C);
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain("dl.guard");
  std::vector<Scopes> OfBuffer(K.Buffers.size());
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
    // Of several buffers in one object, what is true of each.
    auto [It, New] =
        ByObject.try_emplace(getUnderlyingObject(Buf.Bound, 0), OfBuffer[Id]);
    if (New)
      continue;
    auto Keep = [](SmallVectorImpl<Metadata *> &Mine,
                   ArrayRef<Metadata *> Other) {
      erase_if(Mine, [&](Metadata *S) { return !is_contained(Other, S); });
    };
    Keep(It->second.In, OfBuffer[Id].In);
    Keep(It->second.NoAlias, OfBuffer[Id].NoAlias);
  }
}

void AliasScopes::annotate(Instruction &I, const Value *Ptr) const {
  auto It = ByObject.find(getUnderlyingObject(Ptr, 0));
  if (It == ByObject.end())
    return;
  LLVMContext &C = I.getContext();
  auto Add = [&](unsigned Kind, ArrayRef<Metadata *> Nodes) {
    if (!Nodes.empty())
      I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind),
                                              MDNode::get(C, Nodes)));
  };
  Add(LLVMContext::MD_alias_scope, It->second.In);
  Add(LLVMContext::MD_noalias, It->second.NoAlias);
}
