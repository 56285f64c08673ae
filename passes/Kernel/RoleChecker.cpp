//===- RoleChecker.cpp - Roles against accesses ---------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RoleChecker.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

class RoleChecker {
public:
  explicit RoleChecker(const Kernel &K) : K(K) {}
  std::string run() {
    visit(K.Root);
    return Message;
  }

private:
  void visit(const Node &N);
  void checkLeaf(const Leaf &L, AxisId A, const std::vector<bool> &Inner);
  bool readsElementOf(const Leaf &L, const Assign &A) const;
  bool carriesValue(const Leaf &L, const Access &Target, AxisId A) const;
  void fail(AxisId A, StringRef Rule, const Access &X, StringRef Why);

  const Kernel &K;
  std::string Message;
};

} // namespace

void RoleChecker::fail(AxisId A, StringRef Rule, const Access &X,
                       StringRef Why) {
  if (!Message.empty())
    return;
  KernelText Text(K);
  Message = (Rule + ": axis '" + Text.axis(A) + "' is " + getName(K.Axes[A].R) +
             ", but " + Text.access(X) + Why)
                .str();
}

static void collectLocals(const Node &N, std::vector<bool> &Locals) {
  for (BufferId B : N.Locals)
    Locals[B] = true;
  for (const auto &Child : N.Children)
    collectLocals(*Child, Locals);
}

bool RoleChecker::readsElementOf(const Leaf &L, const Assign &A) const {
  return any_of(
      L.Ops, [&](const Op &O) { return O.K == Op::Load && O.Acc == A.Target; });
}

/// True if \p L reads what another iteration of \p A wrote through \p Target:
/// at a constant distance that is a whole number of iterations.
bool RoleChecker::carriesValue(const Leaf &L, const Access &Target,
                               AxisId A) const {
  auto AxisAtom = find_if(
      K.Atoms, [A](const Atom &X) { return X.K == Atom::Axis && X.Ref == A; });
  if (AxisAtom == K.Atoms.end() || !L.Domain.empty() || L.Predicate ||
      K.Buffers[Target.Buf].IsLocal)
    return false;
  AtomId Id = static_cast<AtomId>(AxisAtom - K.Atoms.begin());
  Poly Written = Target.offset();
  std::optional<Poly> Coef = Written.coefficient(Id);
  std::optional<int64_t> Step = Coef ? Coef->getConstant() : std::nullopt;
  if (!Step || *Step == 0)
    return false;
  return any_of(L.Ops, [&](const Op &O) {
    if (O.K != Op::Load || O.Acc.Buf != Target.Buf)
      return false;
    std::optional<int64_t> Distance = (O.Acc.offset() - Written).getConstant();
    if (!Distance || *Distance == 0 || *Distance == INT64_MIN ||
        *Distance % *Step)
      return false;
    int64_t Iterations = std::abs(*Distance / *Step);
    return all_of(K.Axes[A].Extents, [&](const Poly &E) {
      std::optional<int64_t> Extent = E.getConstant();
      return !Extent || *Extent > Iterations;
    });
  });
}

void RoleChecker::checkLeaf(const Leaf &L, AxisId A,
                            const std::vector<bool> &Inner) {
  bool IsParallel = K.Axes[A].R == Role::Parallel;
  auto IsShared = [&](const Assign &X) {
    return !Inner[X.Target.Buf] && !K.dependsOn(X.Target, A);
  };
  // A tuple combines if it reads any of its targets: the index of a maximum is
  // replaced, never read.
  bool Combines = any_of(L.Assigns, [&](const Assign &X) {
    return IsShared(X) && readsElementOf(L, X);
  });
  for (const Assign &X : L.Assigns) {
    if (Inner[X.Target.Buf])
      continue;
    if (IsParallel && IsShared(X))
      return fail(A, "role-parallel", X.Target,
                  " is assigned by every iteration");
    if (IsParallel && carriesValue(L, X.Target, A))
      return fail(A, "role-parallel", X.Target,
                  " is read by another iteration");
    // Sums of a scheduled kernel may wait in memory between blocks, and what is
    // kept in registers is also used for what is copied.
    bool Waits = K.Axes[A].Schedule.isBlocks() ||
                 K.Buffers[X.Target.Buf].Where != Buffer::AnyPlace;
    if (!IsParallel && IsShared(X) && !Combines && !Waits)
      return fail(A, "role-reduction", X.Target,
                  " is overwritten by every iteration");
  }
}

void RoleChecker::visit(const Node &N) {
  if (N.K == Node::AxisNode && K.Axes[N.Ax].R != Role::Sequential) {
    std::vector<bool> Inner(K.Buffers.size(), false);
    collectLocals(N, Inner);
    forEachLeaf(
        N, [&](const Leaf &L, ArrayRef<AxisId>) { checkLeaf(L, N.Ax, Inner); });
  }
  for (const auto &Child : N.Children)
    visit(*Child);
}

std::string dlopt::checkRoles(const Kernel &K) { return RoleChecker(K).run(); }
