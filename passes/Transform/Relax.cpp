//===- Relax.cpp - Conditions that need not be asked ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// relax t r: what is assigned to the local t below r is so whatever conditions
/// that speak of r say:
///
///   par r[16]  t[r] = fmul(%x[r], 2.0)  where r < size(R)
///   ->
///   par r[16]  t[r] = fmul(%x[r], 2.0)
///
/// Nobody may see it: an element that only such instances assign was junk, and
/// one that others assign is read by none but these instances. What they load
/// is read by the source, too (Covers.cpp), nothing of them traps or is called.
///
/// hoist %x r t: what a leaf below r loads under a condition is loaded in front
/// of it, without one, if the source reads it anyway:
///
///   m = fadd(m, %x[2*r])  where r >= 1
///   ->
///   t = %x[2*r]
///   m = fadd(m, t)  where r >= 1
///
/// so that lanes load whole vectors and mask what is made of them.
///
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/KernelText.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p O may be computed with whatever there is.
static bool isHarmless(const Kernel &K, const Op &O) {
  switch (O.K) {
  case Op::LibCall:
  case Op::View:
    return false;
  case Op::Load:
    return !K.Buffers[O.Acc.Buf].IsLocal ||
           K.Buffers[O.Acc.Buf].Where != Buffer::AnyPlace;
  case Op::Inst:
    return !Instruction::isIntDivRem(O.Opcode);
  case Op::Const:
  case Op::Param:
  case Op::Index:
  case Op::Intrinsic:
    return true;
  }
  llvm_unreachable("all operation kinds are listed");
}

/// The instances of a leaf for which one of \p Dropped does not hold, and \p
/// Kept do: one conjunction for each way.
static SmallVector<SmallVector<Constraint, 4>, 4>
getOthers(ArrayRef<Constraint> Kept, ArrayRef<Constraint> Dropped) {
  SmallVector<SmallVector<Constraint, 4>, 4> Others;
  auto Add = [&](Poly P) {
    auto &Domain = Others.emplace_back(Kept.begin(), Kept.end());
    Domain.push_back({std::move(P), /*IsEquality=*/false});
  };
  for (const Constraint &C : Dropped) {
    Add(Poly(-1) - C.P);
    if (C.IsEquality)
      Add(C.P - Poly(1));
  }
  return Others;
}

/// Nobody who matters reads what the instances of \p Leaf assign, which are
/// new: either nothing else assigns the element, in the same life of its local,
/// so that it was junk, or nothing that there was reads it.
bool Step::checkRelaxed(const Node &Leaf, ArrayRef<const Node *> Path) {
  Dependences D(K);
  for (const Assign &A : Leaf.L.Assigns) {
    MemoryUse Extra;
    Extra.K = MemoryUse::Write;
    Extra.N = &Leaf;
    Extra.Path.assign(Path.begin(), Path.end());
    Extra.X = &A.Target;
    Extra.Part = static_cast<unsigned>(&A - Leaf.L.Assigns.begin());
    auto Meets = [&](bool Writes) {
      return any_of(D.uses(), [&](const MemoryUse &U) {
        return U.X && U.X->Buf == A.Target.Buf && U.writes() == Writes &&
               D.mayMeet(Extra, U, {}) != Dependences::Answer::No;
      });
    };
    if (Meets(true) && Meets(false) && !DLOPT_PLANTED(RelaxedValueUnasked))
      return fail(text(A.Target) + " may be an element that is used");
  }
  return false;
}

/// \p N, at \p P, without \p Dropped.
bool Step::relaxLeaf(const Place &P, ArrayRef<Constraint> Kept,
                     ArrayRef<Constraint> Dropped) {
  const Leaf &L = P.node().L;
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  auto IsLoaded = [&](const Access &X) { return K.anyNestedAtom(X, IsLoad); };
  if (L.Predicate || !all_of(L.Ops, [&](const Op &O) {
        return isHarmless(K, O) && !K.anyNestedAtom(O.Idx, IsLoad) &&
               !IsLoaded(O.Acc);
      }))
    return fail("what is assigned divides, calls, or is loaded at places that "
                "are loaded");
  Node Others;
  Others.K = Node::LeafNode;
  Others.L = L;
  const auto Path = P.axes();
  for (auto &Domain : getOthers(Kept, Dropped)) {
    for (const Op &O : L.Ops) {
      if (O.K == Op::Index && refuseUnsafe(O.Idx))
        return true;
      if (O.K != Op::Load)
        continue;
      if (refuseUnsafe(O.Acc.Subs))
        return true;
      if (K.Buffers[O.Acc.Buf].IsLocal) {
        if (requireFits(P, O.Acc.Subs, O.Acc.Buf, Domain))
          return true;
      } else if (!Dependences(K).isReadIn(Plain, O.Acc, Path, Domain) &&
                 !DLOPT_PLANTED(RelaxedReadUnasked)) {
        return fail(text(O.Acc) + " may be read by nobody else");
      }
    }
    for (const Assign &A : L.Assigns) {
      if (K.Buffers[A.Target.Buf].Where == Buffer::AnyPlace)
        return fail(text(A.Target) + " has no place for junk");
      if (IsLoaded(A.Target))
        return fail("the place of " + text(A.Target) + " is loaded");
      if (refuseUnsafe(A.Target.Subs) ||
          requireFits(P, A.Target.Subs, A.Target.Buf, Domain))
        return true;
    }
    Others.L.Domain.assign(Domain.begin(), Domain.end());
    if (checkRelaxed(Others, Path))
      return true;
  }
  return false;
}

bool Step::relax() {
  Place Owner, P;
  BufferId Local = 0;
  if (takeLocal(Owner, Local) || takeAxis(P) || expectEnd() ||
      refuseLanesBelow(P.node()))
    return true;
  SmallVector<Node *, 4> Leaves;
  auto SpeaksOf = [&](const Constraint &C) {
    return K.dependsOn(C.P, P.node().Ax);
  };
  auto Visit = [&](Node &N, auto &Self) -> void {
    if (any_of(N.L.Assigns,
               [&](const Assign &A) { return A.Target.Buf == Local; }) &&
        any_of(N.L.Domain, SpeaksOf))
      Leaves.push_back(&N);
    for (auto &Child : N.Children)
      Self(*Child, Self);
  };
  Visit(P.node(), Visit);
  if (Leaves.empty())
    return fail("no condition of what is assigned to '" +
                K.Buffers[Local].Name + "' speaks of '" +
                axisOf(P.node()).Name + "'");
  for (Node *N : Leaves) {
    Place Of;
    find([&](const Node &M) { return &M == N; }, Of);
    SmallVector<Constraint, 4> Kept, Dropped;
    for (const Constraint &C : N->L.Domain)
      (SpeaksOf(C) ? Dropped : Kept).push_back(C);
    if (relaxLeaf(Of, Kept, Dropped))
      return true;
    N->L.Domain.assign(Kept.begin(), Kept.end());
  }
  return false;
}

/// The first leaf below \p P that loads an element of \p Buf under a condition.
const Access *Step::findConditionalLoad(const Place &P, BufferId Buf,
                                        Place &Of) {
  const Access *Found = nullptr;
  auto IsIt = [&](const Node &N) {
    if (N.L.Domain.empty() && !N.L.Predicate)
      return false;
    for (const Op &O : N.L.Ops)
      if (O.K == Op::Load && O.Acc.Buf == Buf && !Found)
        Found = &O.Acc;
    return Found != nullptr;
  };
  auto IsBelow = [&](const Node &N) {
    return is_contained(Of.Path, &P.node()) && IsIt(N);
  };
  return find(IsBelow, Of) ? Found : nullptr;
}

bool Step::hoist() {
  BufferId Buf = 0;
  Place P, Of;
  StringRef Name;
  if (takeBuffer(Buf) || takeAxis(P) || takeNewName(Name) || expectEnd() ||
      refuseLanesBelow(P.node()))
    return true;
  const Access *Found = findConditionalLoad(P, Buf, Of);
  if (!Found)
    return fail("'" + K.Buffers[Buf].Name +
                "' is not loaded under a condition below '" +
                axisOf(P.node()).Name + "'");
  const Access X = *Found;
  if (refuseUnsafe(X.Subs))
    return true;
  if (!Dependences(K).isReadIn(Plain, X, Of.axes()) &&
      !DLOPT_PLANTED(RelaxedReadUnasked))
    return fail(text(X) + " may be read by nobody else");
  Buffer New;
  New.Name = Name.str();
  New.Ty = K.Buffers[Buf].Ty;
  New.IsLocal = true;
  Access Local;
  Local.Buf = static_cast<BufferId>(K.Buffers.size());
  K.Buffers.push_back(std::move(New));
  auto Load = std::make_unique<Node>();
  Load->K = Node::LeafNode;
  for (Op &O : Of.node().L.Ops) {
    if (O.K != Op::Load || !(O.Acc == X))
      continue;
    if (Load->L.Ops.empty())
      Load->L.Ops.push_back(O);
    O.Acc = Local;
    O.Origin = nullptr;
  }
  Load->L.Assigns.push_back({Local, 0});
  Load->L.Loc = Of.node().L.Loc;
  Node &Parent = Of.parent();
  size_t At = Of.index();
  Parent.Locals.push_back(Local.Buf);
  Parent.Children.insert(Parent.Children.begin() + static_cast<ptrdiff_t>(At),
                         std::move(Load));
  return false;
}
