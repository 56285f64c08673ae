//===- Normalize.cpp - One kernel for many spellings ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Some steps keep the order of everything. Others reorder what iterations of
/// parallel axes do: they are right if those axes turn out parallel in the
/// kernel that comes out and what it reads is not what it writes, so that
/// kernel is kept only if it is a matrix product, of which both is known.
///
/// Needs stay true: where an axis changes, ranges are stated for at least the
/// values that it had. Elements that are looked at for zeros are those that the
/// source reads, and no others: their axes change only as they do.
///
//===----------------------------------------------------------------------===//
#include "Normalize.h"
#include "dlopt/ContractionView.h"
#include "dlopt/Dependences.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/Raise.h"
#include "dlopt/Triangle.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;
using namespace dlopt;

static void assumeFastFP(Node &N, function_ref<bool(const Op &)> Which) {
  for (Op &O : N.L.Ops) {
    if (Which && !Which(O))
      continue;
    bool HasFlags =
        O.K == Op::Inst || O.K == Op::Intrinsic || O.K == Op::LibCall;
    O.WritesErrno = false;
    if (!HasFlags || (!isFloat(O.Ty) && O.Opcode != Instruction::FCmp))
      continue;
    O.FMF.setAllowReassoc();
    O.FMF.setNoSignedZeros();
    O.FMF.setAllowReciprocal();
    O.FMF.setAllowContract(true);
    O.FMF.setApproxFunc();
  }
  for (const std::unique_ptr<Node> &Child : N.Children)
    assumeFastFP(*Child, Which);
}

void dlopt::assumeFastFP(Kernel &K, function_ref<bool(const Op &)> Which) {
  ::assumeFastFP(K.Root, Which);
  computeRoles(K);
  classifyKernel(K);
}

bool dlopt::isPlain(const Leaf &L) {
  return L.Domain.empty() && !L.Predicate && L.Assigns.size() == 1;
}

std::optional<LeafNest> dlopt::getLeafNest(Node &N) {
  LeafNest R;
  Node *At = &N;
  while (At->K == Node::AxisNode && At->Children.size() == 1 &&
         At->Locals.empty()) {
    R.Axes.push_back(At->Ax);
    At = At->Children.front().get();
  }
  if (At->K != Node::LeafNode)
    return std::nullopt;
  R.L = &At->L;
  return R;
}

OpId dlopt::copyExpression(const Leaf &From, OpId Id, Leaf &To,
                           function_ref<bool(OpId, Op &)> Replace) {
  DenseMap<OpId, OpId> Copies;
  auto Copy = [&](OpId Old, auto &Self) -> OpId {
    if (auto Known = Copies.find(Old); Known != Copies.end())
      return Known->second;
    Op New = From.Ops[Old];
    if (!Replace(Old, New))
      for (OpId &Arg : New.Args)
        Arg = Self(Arg, Self);
    To.Ops.push_back(std::move(New));
    return Copies[Old] = static_cast<OpId>(To.Ops.size() - 1);
  };
  return Copy(Id, Copy);
}

static bool
isSameAccess(const Access &Base, const Access &Other, const Kernel &K,
             function_ref<std::optional<Poly>(const Poly &)> Map,
             SmallVectorImpl<std::pair<BufferId, BufferId>> &Locals) {
  if (Base.Subs.size() != Other.Subs.size() || Base.Strides != Other.Strides)
    return false;
  for (auto [P, Q] : zip(Base.Subs, Other.Subs)) {
    std::optional<Poly> Mapped = Map(P);
    if (!Mapped || *Mapped != Q)
      return false;
  }
  const Buffer &X = K.Buffers[Base.Buf], &Y = K.Buffers[Other.Buf];
  if (!X.IsLocal || !Y.IsLocal)
    return Base.Buf == Other.Buf;
  if (X.Ty != Y.Ty || !X.Shape.empty() || !Y.Shape.empty())
    return false;
  for (auto [From, To] : Locals)
    if (From == Base.Buf || To == Other.Buf)
      return From == Base.Buf && To == Other.Buf;
  Locals.push_back({Base.Buf, Other.Buf});
  return true;
}

bool dlopt::isSameLeaf(const Leaf &Base, const Leaf &Other, const Kernel &K,
                       function_ref<std::optional<Poly>(const Poly &)> Map,
                       SmallVectorImpl<std::pair<BufferId, BufferId>> &Locals) {
  if (!Base.Domain.empty() || !Other.Domain.empty() || Base.Predicate ||
      Other.Predicate || Base.Assigns.size() != Other.Assigns.size())
    return false;
  DenseSet<std::pair<OpId, OpId>> Known;
  auto Same = [&](OpId A, OpId B, auto &Self) -> bool {
    // Values with several uses are compared once.
    if (!Known.insert({A, B}).second)
      return true;
    const Op &X = Base.Ops[A], &Y = Other.Ops[B];
    if (!isSameOperation(X, Y))
      return false;
    if (X.K == Op::Load && !isSameAccess(X.Acc, Y.Acc, K, Map, Locals))
      return false;
    if (X.K == Op::Index) {
      std::optional<Poly> Mapped = Map(X.Idx);
      if (!Mapped || *Mapped != Y.Idx)
        return false;
    }
    for (auto [P, Q] : zip(X.Args, Y.Args))
      if (!Self(P, Q, Self))
        return false;
    return true;
  };
  for (auto [A, B] : zip(Base.Assigns, Other.Assigns))
    if (!isSameAccess(A.Target, B.Target, K, Map, Locals) ||
        !Same(A.Value, B.Value, Same))
      return false;
  return true;
}

/// Innermost first, so that what a step makes is seen by those around it.
static bool normalizeNode(Kernel &K, Node &N, ArrayRef<BufferId> Private) {
  bool Changed = false;
  for (std::unique_ptr<Node> &Child : N.Children)
    Changed |= normalizeNode(K, *Child, Private);
  Changed |= boundByConditions(K, N);
  Changed |= forwardStores(K, N);
  Changed |= splitLeaves(K, N);
  Changed |= reroll(K, N);
  Changed |= roll(K, N, Private);
  Changed |= mergeTilesOfSiblings(K, N);
  Changed |= mergeSiblings(K, N);
  Changed |= mergeLastRound(K, N);
  Changed |= storeAsComputed(K, N, Private);
  Changed |= forwardCopies(K, N, Private);
  Changed |= contractArrays(K, N, Private);
  Changed |= storeFirstRound(K, N);
  Changed |= hoistFirstRound(K, N);
  Changed |= useMemory(K, N);
  while (splitFlat(K, N))
    Changed = true;
  Changed |= reverse(K, N);
  return Changed;
}

static bool isProduct(const Kernel &K, const Node &N, bool Triangular = false,
                      function_ref<bool(AxisId)> IsParallel = nullptr) {
  auto V = matchContraction(K, N, Triangular, IsParallel);
  return V && V->M.size() <= 1 && V->N.size() <= 1 && V->K.size() == 1 &&
         V->M.size() + V->N.size() != 0;
}

static bool isProduct(const Kernel &K) {
  if (K.Root.Children.size() != 1)
    return false;
  std::optional<AxisRoles> Roles;
  auto MayRunInAnyOrder = [&](AxisId A) {
    if (!Roles)
      Roles = Dependences(K).findRoles();
    return Roles->get(A) == Role::Parallel;
  };
  return isProduct(K, *K.Root.Children.front(), /*Triangular=*/false,
                   MayRunInAnyOrder);
}

/// Whether \p K or a part of it is a product, maybe of a triangle, where loops
/// do more than that.
static bool hasProduct(const Kernel &K) {
  if (K.Root.Children.size() != 1)
    return false;
  Kernel Probe;
  copyKernel(K, Probe);
  if (!squareTriangles(Probe))
    computeRoles(Probe);
  distribute(Probe, 0, Distribution::ByTarget);
  auto IsPart = [&](const Node &N) {
    return isProduct(Probe, N, /*Triangular=*/true);
  };
  for (size_t I = Probe.Root.Children.size(); I-- > 0;)
    if (!IsPart(*Probe.Root.Children[I]))
      distribute(Probe, static_cast<unsigned>(I), Distribution::Full);
  return any_of(Probe.Root.Children,
                [&](const auto &Child) { return IsPart(*Child); });
}

std::string dlopt::getAxisName(unsigned Depth) {
  static constexpr StringLiteral Letters = "ijklmnopq";
  return Depth < Letters.size() ? Letters.substr(Depth, 1).str()
                                : "x" + std::to_string(Depth);
}

/// What is left of unrolled loops when those that follow have been merged, and
/// of two bounds when tiles have been.
static bool simplifyExtents(Kernel &K, Node &N) {
  bool Changed = roundExtent(K, N);
  Changed |= pickBound(K, N);
  for (std::unique_ptr<Node> &Child : N.Children)
    Changed |= simplifyExtents(K, *Child);
  return Changed;
}

bool dlopt::needsLostAxes(const Kernel &K) {
  std::vector<bool> HasAxis(K.Axes.size());
  auto Find = [&](const Node &N, auto &Self) -> void {
    if (N.K == Node::AxisNode)
      HasAxis[N.Ax] = true;
    for (const std::unique_ptr<Node> &Child : N.Children)
      Self(*Child, Self);
  };
  Find(K.Root, Find);
  return any_of(K.Needs, [&](const Need &N) {
    return K.anyNestedAtom(N.P, [&](const Atom &A) {
      return A.K == Atom::Axis && !HasAxis[A.Ref];
    });
  });
}

bool dlopt::compact(Kernel &K) {
  if (needsLostAxes(K))
    return false;
  std::vector<bool> HasAxis(K.Axes.size()), HasLocal(K.Buffers.size());
  auto Find = [&](const Node &N, auto &Self) -> void {
    if (N.K == Node::AxisNode)
      HasAxis[N.Ax] = true;
    for (BufferId B : N.Locals)
      HasLocal[B] = true;
    for (const std::unique_ptr<Node> &Child : N.Children)
      Self(*Child, Self);
  };
  Find(K.Root, Find);
  auto IsLost = [&](const Atom &A) {
    return A.K == Atom::Axis && !HasAxis[A.Ref];
  };
  std::vector<uint32_t> NewAxis, NewBuffer;
  std::vector<Axis> Axes;
  for (AxisId A = 0; A != K.Axes.size(); ++A) {
    NewAxis.push_back(static_cast<uint32_t>(Axes.size()));
    if (HasAxis[A])
      Axes.push_back(std::move(K.Axes[A]));
  }
  std::vector<Buffer> Buffers;
  for (BufferId B = 0; B != K.Buffers.size(); ++B) {
    NewBuffer.push_back(static_cast<uint32_t>(Buffers.size()));
    if (!K.Buffers[B].IsLocal || HasLocal[B])
      Buffers.push_back(std::move(K.Buffers[B]));
  }
  // What reads nothing names the first buffer, also where there is none.
  auto RenumberBuffer = [&](BufferId &B) {
    B = NewBuffer.empty() ? 0 : NewBuffer[B];
  };
  for (Need &N : K.Needs)
    if (N.K != Need::InRange) {
      RenumberBuffer(N.Buf);
      for_each(N.Others, RenumberBuffer);
    }
  K.Axes = std::move(Axes);
  K.Buffers = std::move(Buffers);
  for (auto [Id, A] : enumerate(K.Atoms)) {
    if (IsLost(A)) {
      // Used by nothing, and dropped with what is unused.
      A = Atom();
      A.K = Atom::Mod;
      A.Den = Poly(static_cast<int64_t>(Id) + 1); // equal to no other
      continue;
    }
    if (A.K == Atom::Axis)
      A.Ref = NewAxis[A.Ref];
    RenumberBuffer(A.Source.Buf);
  }
  unsigned Depth = 0;
  auto Renumber = [&](Node &N, auto &Self) -> void {
    bool IsAxis = N.K == Node::AxisNode;
    if (IsAxis) {
      N.Ax = NewAxis[N.Ax];
      K.Axes[N.Ax].Name = getAxisName(Depth);
    }
    Depth += IsAxis;
    for_each(N.Locals, RenumberBuffer);
    for (Op &O : N.L.Ops)
      RenumberBuffer(O.Acc.Buf);
    for (Assign &A : N.L.Assigns)
      RenumberBuffer(A.Target.Buf);
    for (std::unique_ptr<Node> &Child : N.Children)
      Self(*Child, Self);
    Depth -= IsAxis;
  };
  Renumber(K.Root, Renumber);
  return true;
}

void dlopt::normalizeKernel(Kernel &K, ArrayRef<BufferId> Private) {
  // Kernels with a great many leaves are no product in disguise.
  unsigned Leaves = 0;
  forEachLeaf(K.Root, [&](const Leaf &, ArrayRef<AxisId>) { ++Leaves; });
  if (Leaves > 64 || isProduct(K))
    return;
  Kernel New;
  copyKernel(K, New);
  Kernel Dense;
  const bool Drops = dropZeroTests(New);
  if (Drops)
    copyKernel(New, Dense);
  bool Changed = Drops;
  Changed |= joinFlat(New, New.Root);
  Changed |= normalizeNode(New, New.Root, Private);
  Changed |= mergeTiles(New, New.Root);
  Changed |= simplifyExtents(New, New.Root);
  if (Changed && isProduct(New) && compact(New)) {
    K = std::move(New);
    return;
  }
  // Loops of which a part is one.
  if (Drops && hasProduct(Dense) && compact(Dense))
    K = std::move(Dense);
}
