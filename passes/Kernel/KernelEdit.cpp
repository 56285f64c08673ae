//===- KernelEdit.cpp - Walks over kernels and copies of them -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/KernelEdit.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

void dlopt::copyNode(const Node &From, Node &To) {
  To.K = From.K;
  To.Locals = From.Locals;
  To.Cases = From.Cases;
  To.CasesAreOne = From.CasesAreOne;
  To.Ax = From.Ax;
  To.L = From.L;
  To.Children.clear();
  for (const std::unique_ptr<Node> &Child : From.Children) {
    To.Children.push_back(std::make_unique<Node>());
    copyNode(*Child, *To.Children.back());
  }
}

void dlopt::copyKernel(const Kernel &From, Kernel &To) {
  To.Id = From.Id;
  To.Function = From.Function;
  To.Location = From.Location;
  To.Kind = From.Kind;
  To.Atoms = From.Atoms;
  To.Params = From.Params;
  To.Buffers = From.Buffers;
  To.Axes = From.Axes;
  To.Needs = From.Needs;
  copyNode(From.Root, To.Root);
}

void dlopt::forEachLeafBelow(Node &N, function_ref<void(Leaf &)> Visit) {
  if (N.K == Node::LeafNode)
    Visit(N.L);
  for (std::unique_ptr<Node> &Child : N.Children)
    forEachLeafBelow(*Child, Visit);
}

void dlopt::forEachPoly(Leaf &L, function_ref<void(Poly &)> Visit) {
  auto VisitAccess = [&](Access &X) {
    for_each(X.Subs, Visit);
    for_each(X.Strides, Visit);
  };
  for (Constraint &C : L.Domain)
    Visit(C.P);
  for (Op &O : L.Ops) {
    VisitAccess(O.Acc);
    Visit(O.Idx);
  }
  for (Assign &A : L.Assigns)
    VisitAccess(A.Target);
  if (L.Prefetch)
    VisitAccess(*L.Prefetch);
}

void dlopt::forEachPolyBelow(Kernel &K, Node &N,
                             function_ref<void(Poly &)> Visit) {
  if (N.K == Node::LeafNode)
    forEachPoly(N.L, Visit);
  for (Constraint &C : N.Cases)
    Visit(C.P);
  for (std::unique_ptr<Node> &Child : N.Children) {
    if (Child->K == Node::AxisNode) {
      for_each(K.Axes[Child->Ax].Extents, Visit);
      for_each(K.Axes[Child->Ax].Begins, Visit);
    }
    forEachPolyBelow(K, *Child, Visit);
  }
}

void dlopt::collectLocals(const Node &N, SmallVectorImpl<BufferId> &Out) {
  Out.append(N.Locals.begin(), N.Locals.end());
  for (const std::unique_ptr<Node> &Child : N.Children)
    collectLocals(*Child, Out);
}

void dlopt::collectAxes(const Node &N, SmallVectorImpl<AxisId> &Out) {
  if (N.K == Node::AxisNode && !is_contained(Out, N.Ax))
    Out.push_back(N.Ax);
  for (const std::unique_ptr<Node> &Child : N.Children)
    collectAxes(*Child, Out);
}

static void renumberAxes(Node &N, ArrayRef<AxisId> New) {
  if (N.K == Node::AxisNode)
    N.Ax = New[N.Ax];
  for (const std::unique_ptr<Node> &Child : N.Children)
    renumberAxes(*Child, New);
}

void dlopt::dropUnusedAxes(Kernel &K) {
  SmallVector<AxisId, 16> Used;
  collectAxes(K.Root, Used);
  if (Used.size() == K.Axes.size())
    return;
  constexpr AxisId None = ~AxisId(0);
  SmallVector<AxisId, 16> New(K.Axes.size(), None);
  std::vector<Axis> Axes;
  for (AxisId A = 0; A < K.Axes.size(); ++A)
    if (is_contained(Used, A)) {
      New[A] = static_cast<AxisId>(Axes.size());
      Axes.push_back(std::move(K.Axes[A]));
    }
  K.Axes = std::move(Axes);
  for (auto [Id, A] : enumerate(K.Atoms)) {
    if (A.K != Atom::Axis && A.K != Atom::Size)
      continue;
    A.Ref = New[A.Ref];
    if (A.Ref != None)
      continue;
    // Nothing uses it any more, and it is like no other: a zero of its own.
    A = Atom();
    A.K = Atom::FloorDiv;
    A.Den = Poly(static_cast<int64_t>(Id) + 2);
  }
  renumberAxes(K.Root, New);
}

static Poly substituteAtom(Kernel &K, AtomId Id, AtomMap Map) {
  // Interning may move the atoms.
  Atom A = K.Atoms[Id];
  if (std::optional<Poly> By = Map(A))
    return *By;
  switch (A.K) {
  case Atom::Axis:
  case Atom::Param:
  case Atom::Size:
  case Atom::VL:
    return Poly::atom(Id);
  case Atom::FloorDiv:
  case Atom::Mod: {
    Poly Num = substituteAtoms(K, A.Num, Map);
    Poly Den = substituteAtoms(K, A.Den, Map);
    if (Den.getConstant() == 1)
      return A.K == Atom::FloorDiv ? Num : Poly();
    return Poly::atom(A.K == Atom::FloorDiv ? K.getFloorDivAtom(Num, Den)
                                            : K.getModAtom(Num, Den));
  }
  case Atom::Load:
    for (Poly &P : A.Source.Subs)
      P = substituteAtoms(K, P, Map);
    for (Poly &P : A.Source.Strides)
      P = substituteAtoms(K, P, Map);
    return Poly::atom(K.getLoadAtom(std::move(A.Source), A.Signed));
  }
  llvm_unreachable("all atom kinds are listed");
}

Poly dlopt::substituteAtoms(Kernel &K, const Poly &P, AtomMap Map) {
  Poly Result;
  for (const auto &[Product, Coef] : P.terms()) {
    Poly Term(Coef);
    for (AtomId Id : Product)
      Term = Term * substituteAtom(K, Id, Map);
    Result += Term;
  }
  return Result;
}

void dlopt::substituteBelow(Kernel &K, Node &N, AtomMap Map) {
  auto Replace = [&](Poly &P) { P = substituteAtoms(K, P, Map); };
  forEachPolyBelow(K, N, Replace);
  SmallVector<BufferId, 8> Locals;
  collectLocals(N, Locals);
  for (BufferId B : Locals)
    for_each(K.Buffers[B].Shape, Replace);
}

void dlopt::substituteAxis(Kernel &K, Node &N, AxisId Old, AxisId New) {
  substituteBelow(K, N, [&](const Atom &A) -> std::optional<Poly> {
    if (A.Ref != Old)
      return std::nullopt;
    if (A.K == Atom::Axis)
      return Poly::atom(K.getAxisAtom(New));
    if (A.K == Atom::Size)
      return Poly::atom(K.getSizeAtom(New));
    return std::nullopt;
  });
}

bool dlopt::isSameOperation(const Op &A, const Op &B) {
  return A.K == B.K && A.Ty == B.Ty && A.Opcode == B.Opcode &&
         A.Pred == B.Pred && !(A.FMF != B.FMF) && A.NUW == B.NUW &&
         A.NSW == B.NSW && A.Exact == B.Exact && A.Disjoint == B.Disjoint &&
         A.NNeg == B.NNeg && A.Bits == B.Bits && A.Ref == B.Ref &&
         A.Callee == B.Callee && A.WritesErrno == B.WritesErrno &&
         A.Args.size() == B.Args.size();
}

void dlopt::mergeSameOps(Leaf &L) {
  SmallVector<OpId, 32> NewIds;
  for (auto [Id, O] : enumerate(L.Ops)) {
    for (OpId &Arg : O.Args)
      Arg = NewIds[Arg];
    auto IsSame = [&, &O = O](const Op &Other) {
      return isSameOperation(O, Other) && O.Args == Other.Args &&
             O.Acc == Other.Acc && O.Idx == Other.Idx;
    };
    auto Before = ArrayRef(L.Ops).take_front(Id);
    const Op *Same =
        O.K == Op::LibCall ? Before.end() : find_if(Before, IsSame);
    NewIds.push_back(static_cast<OpId>(Same - Before.begin()));
  }
  if (L.Predicate)
    L.Predicate = NewIds[*L.Predicate];
  for (Assign &A : L.Assigns)
    A.Value = NewIds[A.Value];
  dropUnusedOps(L);
}

void dlopt::dropUnusedOps(Leaf &L) {
  std::vector<bool> Used(L.Ops.size());
  for (const Assign &A : L.Assigns)
    Used[A.Value] = true;
  if (L.Predicate)
    Used[*L.Predicate] = true;
  for (size_t Id = L.Ops.size(); Id-- > 0;)
    if (Used[Id])
      for (OpId Arg : L.Ops[Id].Args)
        Used[Arg] = true;
  std::vector<OpId> NewId(L.Ops.size());
  std::vector<Op> Ops;
  for (auto [Id, O] : enumerate(L.Ops)) {
    if (!Used[Id])
      continue;
    NewId[Id] = static_cast<OpId>(Ops.size());
    for (OpId &Arg : O.Args)
      Arg = NewId[Arg];
    Ops.push_back(std::move(O));
  }
  for (Assign &A : L.Assigns)
    A.Value = NewId[A.Value];
  if (L.Predicate)
    L.Predicate = NewId[*L.Predicate];
  L.Ops = std::move(Ops);
}

void dlopt::forEachAccess(Node &N, function_ref<void(Access &)> Visit) {
  for (Op &O : N.L.Ops)
    if (O.K == Op::Load)
      Visit(O.Acc);
  for (Assign &A : N.L.Assigns)
    Visit(A.Target);
  for (auto &Child : N.Children)
    forEachAccess(*Child, Visit);
}

void dlopt::renameBuffer(Node &N, BufferId From, BufferId To) {
  forEachAccess(N, [&](Access &X) {
    if (X.Buf == From)
      X.Buf = To;
  });
}

std::unique_ptr<Node> dlopt::copyWithOwn(Kernel &K, const Node &N) {
  Node Holder;
  Holder.Children.push_back(std::make_unique<Node>());
  copyNode(N, *Holder.Children.front());
  SmallVector<std::pair<AxisId, AxisId>, 8> Renamed;
  auto Visit = [&](Node &Of, auto &Self) -> void {
    if (Of.K == Node::AxisNode) {
      Axis New = K.Axes[Of.Ax];
      New.L = nullptr;
      Renamed.push_back({Of.Ax, static_cast<AxisId>(K.Axes.size())});
      K.Axes.push_back(std::move(New));
      Of.Ax = Renamed.back().second;
    }
    for (BufferId &B : Of.Locals) {
      BufferId Old = B;
      K.Buffers.push_back(Buffer(K.Buffers[Old]));
      B = static_cast<BufferId>(K.Buffers.size() - 1);
      renameBuffer(Of, Old, B);
    }
    for (auto &Child : Of.Children)
      Self(*Child, Self);
  };
  Visit(*Holder.Children.front(), Visit);
  // Bounds and shapes are the copy's own by now.
  for (auto [Old, New] : Renamed)
    substituteAxis(K, Holder, Old, New);
  return std::move(Holder.Children.front());
}
