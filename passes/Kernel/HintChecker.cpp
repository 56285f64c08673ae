//===- HintChecker.cpp - What a schedule says last ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Stores past the caches come into other processors' sight in any order, on
/// x86 unlike all others, until a fence: whoever is told behind the kernel that
/// its output is there has to find it. A fence is behind a store if it stands
/// behind it in one of the nodes around it, so that whatever runs the store
/// comes to it.
///
//===----------------------------------------------------------------------===//
#include "HintChecker.h"
#include "dlopt/KernelText.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace dlopt;

namespace {

class HintChecker {
public:
  explicit HintChecker(const Kernel &K) : K(K) {}
  std::string run() {
    for (const Atom &A : K.Atoms)
      if (A.K == Atom::Load && A.Source.Aligned)
        fail("aligned", A.Source, " is an index");
    visit(K.Root, /*HasFence=*/false);
    return Message;
  }

private:
  void fail(StringRef Rule, const Twine &Text) {
    if (Message.empty())
      Message = (Rule + ": " + Text).str();
  }
  void fail(StringRef Rule, const Access &X, StringRef Why) {
    fail(Rule, KernelText(K).access(X) + Why);
  }
  void checkAccess(const Access &X) {
    if (X.Aligned && (K.Buffers[X.Buf].IsLocal || X.Subs.empty()))
      fail("aligned", X, " is no element of an external buffer");
  }
  void visitLeaf(const Leaf &L, bool HasFence);
  void visit(const Node &N, bool HasFence);

  const Kernel &K;
  std::string Message;
};

} // namespace

void HintChecker::visitLeaf(const Leaf &L, bool HasFence) {
  if (L.IsFence && (!L.Assigns.empty() || !L.Ops.empty() || L.Predicate ||
                    !L.Domain.empty()))
    fail("fence", "a fence computes something or has conditions");
  // The least vector that goes past the caches.
  constexpr unsigned LeastAligned = 16;
  if (L.Prefetch && L.Prefetch->Aligned)
    fail("aligned", *L.Prefetch, " is fetched ahead");
  for (const Op &O : L.Ops)
    if (O.K == Op::Load)
      checkAccess(O.Acc);
    else if (O.K == Op::View)
      for (OpId Arg : O.Args)
        if (L.Ops[Arg].Acc.Aligned)
          fail("aligned", L.Ops[Arg].Acc, " is a side of a view");
  for (const Assign &A : L.Assigns) {
    checkAccess(A.Target);
    if (!A.IsNonTemporal)
      continue;
    if (A.Target.Aligned < LeastAligned)
      fail("nt", A.Target, " goes past the caches, but is not aligned");
    if (!HasFence && !DLOPT_PLANTED(FenceUnasked))
      fail("nt", A.Target, " goes past the caches, but no fence is behind it");
  }
}

/// \p HasFence: behind \p N, in what is around it.
void HintChecker::visit(const Node &N, bool HasFence) {
  if (N.K == Node::LeafNode)
    return visitLeaf(N.L, HasFence);
  bool IsInLanes = N.K == Node::AxisNode && K.Axes[N.Ax].Schedule.Lanes.N;
  for (const auto &Child : reverse(N.Children)) {
    if (IsInLanes && Child->L.IsFence)
      fail("fence",
           "a fence is in lanes of axis '" + KernelText(K).axis(N.Ax) + "'");
    visit(*Child, HasFence);
    HasFence |= Child->L.IsFence;
  }
}

std::string dlopt::checkHints(const Kernel &K) { return HintChecker(K).run(); }
