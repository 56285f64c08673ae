//===- Calls.cpp - Calls apart from what is carried from round to round ---===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A call keeps no vector register, so that a sum around it goes through memory
/// in every round. A loop of calls and sums becomes blocks of a few rounds:
/// first all calls of a block, whose results are kept, then all that is
/// carried. Both keep their order.
///
//===----------------------------------------------------------------------===//
#include "Normalize.h"
#include "dlopt/Dependences.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/SmallSet.h"

using namespace llvm;
using namespace dlopt;

namespace {

class CallSeparator {
public:
  CallSeparator(Kernel &K, function_ref<bool(const Op &)> IsCall)
      : K(K), IsCall(IsCall) {}
  bool visit(Node &N);

private:
  struct Stage {
    Leaf L;
    bool IsLate; ///< behind all calls of its block
  };
  using BufferSet = SmallSet<BufferId, 8>;

  bool separate(Node &N);
  bool hasCalls(const Leaf &L) const { return any_of(L.Ops, IsCall); }
  bool isCarried(const Node &N, BufferId Buf) const {
    return K.Buffers[Buf].IsLocal && !is_contained(N.Locals, Buf) &&
           !is_contained(Kept, Buf) && Carried.count(Buf);
  }
  bool addLeaf(const Node &N, const Leaf &L);
  void splitLeaf(const Node &N, const Leaf &L, ArrayRef<bool> Late);
  bool mayPart() const;
  bool storesAmongCalls() const;
  std::unique_ptr<Node> makeLoop(const Node &N, AxisId Block, bool IsLate);

  Kernel &K;
  function_ref<bool(const Op &)> IsCall;
  BufferSet Carried;
  std::vector<Stage> Stages;
  /// Values that stages pass on, made for that.
  SmallVector<BufferId, 4> Kept;
  /// What of the loop's own locals is passed from one part to the other.
  SmallVector<BufferId, 4> Passed;
};

} // namespace

/// The operations of \p L that \p Roots need, which become the new numbers.
/// Those in \p Loads are loads of locals.
static Leaf extract(const Leaf &L, MutableArrayRef<OpId> Roots,
                    const DenseMap<OpId, BufferId> &Loads) {
  SmallVector<bool, 16> Needed(L.Ops.size(), false);
  for (OpId Id : Roots)
    Needed[Id] = true;
  for (OpId Id = L.Ops.size(); Id-- > 0;)
    if (Needed[Id] && !Loads.contains(Id))
      for (OpId Arg : L.Ops[Id].Args)
        Needed[Arg] = true;
  Leaf Result;
  Result.Loc = L.Loc;
  SmallVector<OpId, 16> Numbers(L.Ops.size(), 0);
  for (auto [Id, O] : enumerate(L.Ops)) {
    if (!Needed[Id])
      continue;
    Numbers[Id] = static_cast<OpId>(Result.Ops.size());
    Op New;
    if (auto It = Loads.find(Id); It != Loads.end()) {
      New.K = Op::Load;
      New.Ty = O.Ty;
      New.Acc.Buf = It->second;
    } else {
      New = O;
      for (OpId &Arg : New.Args)
        Arg = Numbers[Arg];
    }
    Result.Ops.push_back(std::move(New));
  }
  for (OpId &Id : Roots)
    Id = Numbers[Id];
  return Result;
}

/// What \p L carries goes into a leaf of its own, behind the other things it
/// does. \p Late: the operations that need what is carried.
void CallSeparator::splitLeaf(const Node &N, const Leaf &L,
                              ArrayRef<bool> Late) {
  SmallVector<Assign, 2> Early, Last;
  for (const Assign &A : L.Assigns)
    (isCarried(N, A.Target.Buf) || Late[A.Value] ? Last : Early).push_back(A);
  // What late operations need of early ones.
  DenseMap<OpId, BufferId> Values;
  auto Keep = [&](OpId Id) {
    const Op &O = L.Ops[Id];
    if (Late[Id] || O.K == Op::Const || O.K == Op::Param || Values.contains(Id))
      return;
    Buffer New;
    New.Name = "t";
    New.Ty = O.Ty;
    New.IsLocal = true;
    Assign A;
    A.Target.Buf = Values[Id] = static_cast<BufferId>(K.Buffers.size());
    A.Value = Id;
    Kept.push_back(A.Target.Buf);
    K.Buffers.push_back(std::move(New));
    Early.push_back(std::move(A));
  };
  for (auto [Id, O] : enumerate(L.Ops))
    if (Late[Id])
      for_each(O.Args, Keep);
  for (const Assign &A : Last)
    Keep(A.Value);
  auto Add = [&](SmallVectorImpl<Assign> &Assigns,
                 const DenseMap<OpId, BufferId> &Loads, bool IsLate) {
    SmallVector<OpId, 4> Roots;
    for (const Assign &A : Assigns)
      Roots.push_back(A.Value);
    Leaf New = extract(L, Roots, Loads);
    for (auto [A, Id] : zip_equal(Assigns, Roots)) {
      A.Value = Id;
      New.Assigns.push_back(A);
    }
    Stages.push_back({std::move(New), IsLate});
  };
  Add(Early, DenseMap<OpId, BufferId>(), false);
  Add(Last, Values, true);
}

bool CallSeparator::addLeaf(const Node &N, const Leaf &L) {
  SmallVector<bool, 16> Late;
  for (const Op &O : L.Ops)
    Late.push_back((O.K == Op::Load && isCarried(N, O.Acc.Buf)) ||
                   any_of(O.Args, [&](OpId Arg) { return Late[Arg]; }));
  bool AnyLate = is_contained(Late, true), AnyEarly = hasCalls(L);
  for (auto [O, IsLate] : zip_equal(L.Ops, Late))
    if (IsLate && (IsCall(O) || O.WritesErrno))
      return false;
  for (const Assign &A : L.Assigns) {
    bool IsLate = Late[A.Value] || isCarried(N, A.Target.Buf);
    AnyLate |= IsLate;
    AnyEarly |= !IsLate;
  }
  if (!AnyLate || !AnyEarly) {
    Stages.push_back({L, AnyLate});
    return true;
  }
  if (!L.Domain.empty() || L.Predicate)
    return false;
  splitLeaf(N, L, Late);
  return true;
}

/// Whether all stages that are late may run behind all others of a block.
bool CallSeparator::mayPart() const {
  BufferSet Reads[2], Writes[2];
  bool Errno = false, HasInteger = false, Overwrites = false;
  for (const Stage &S : Stages) {
    auto Use = [&](BufferSet &Set, BufferId Buf) {
      Set.insert(Buf);
      HasInteger |=
          S.IsLate && !K.Buffers[Buf].IsLocal && !isFloat(K.Buffers[Buf].Ty);
    };
    for (const Op &O : S.L.Ops) {
      if (O.K == Op::Load)
        Use(Reads[S.IsLate], O.Acc.Buf);
      Errno |= O.WritesErrno;
      if (S.IsLate && (O.WritesErrno || IsCall(O)))
        return false;
    }
    for (const Assign &A : S.L.Assigns) {
      // What the late stage in front of this one reads is not there any more.
      Overwrites |= !S.IsLate && Reads[1].count(A.Target.Buf);
      Use(Writes[S.IsLate], A.Target.Buf);
    }
  }
  if (DLOPT_PLANTED(CallsPartUnchecked))
    return true;
  if (Overwrites)
    return false;
  for (BufferId Buf : Writes[1])
    if (Reads[0].count(Buf) || Writes[0].count(Buf))
      return false;
  for (BufferId Buf : Reads[1])
    if (Writes[0].count(Buf) && !K.Buffers[Buf].IsLocal)
      return false;
  // The integer may be errno.
  return !(Errno && HasInteger);
}

/// Whether what is called is stored: as many stores more, and the end of each
/// block, take longer than what sums lose in memory.
bool CallSeparator::storesAmongCalls() const {
  return !DLOPT_PLANTED(CallsPartUnchecked) &&
         any_of(Stages, [&](const Stage &S) {
           return !S.IsLate && any_of(S.L.Assigns, [&](const Assign &A) {
             return !K.Buffers[A.Target.Buf].IsLocal;
           });
         });
}

/// The stages of one kind, for the rounds of a block of \p Block.
std::unique_ptr<Node> CallSeparator::makeLoop(const Node &N, AxisId Block,
                                              bool IsLate) {
  auto Loop = std::make_unique<Node>();
  Loop->K = Node::AxisNode;
  Loop->Ax = static_cast<AxisId>(K.Axes.size());
  Axis Inner = K.Axes[N.Ax];
  Poly First = Poly::atom(K.getAxisAtom(Block)) * Poly(CallBlock);
  for (Poly &Extent : Inner.Extents)
    Extent = Extent - First;
  Inner.Extents.insert(Inner.Extents.begin(), Poly(CallBlock));
  Inner.L = nullptr;
  K.Axes.push_back(std::move(Inner));
  AtomId Own = K.getAxisAtom(Loop->Ax), Old = K.getAxisAtom(N.Ax);
  BufferSet Used;
  for (Stage &S : Stages) {
    if (S.IsLate != IsLate)
      continue;
    auto Leaf = std::make_unique<Node>();
    Leaf->K = Node::LeafNode;
    Leaf->L = std::move(S.L);
    auto Pass = [&](Access &X) {
      Used.insert(X.Buf);
      if (is_contained(Passed, X.Buf))
        X.Subs.assign(1, Poly::atom(Own));
    };
    forEachPoly(Leaf->L, [&](Poly &P) {
      P = P.substitute(Old, First + Poly::atom(Own));
    });
    for (Op &O : Leaf->L.Ops)
      if (O.K == Op::Load)
        Pass(O.Acc);
    for (Assign &A : Leaf->L.Assigns)
      Pass(A.Target);
    Loop->Children.push_back(std::move(Leaf));
  }
  for (ArrayRef<BufferId> List : {ArrayRef(N.Locals), ArrayRef(Kept)})
    for (BufferId Buf : List)
      if (Used.count(Buf) && !is_contained(Passed, Buf))
        Loop->Locals.push_back(Buf);
  return Loop;
}

/// Makes blocks of the loop \p N of leaves.
bool CallSeparator::separate(Node &N) {
  Carried.clear();
  Stages.clear();
  Kept.clear();
  Passed.clear();
  bool Ok = false;
  for (const auto &Child : N.Children) {
    Ok |= hasCalls(Child->L);
    for (const Assign &A : Child->L.Assigns)
      if (K.Buffers[A.Target.Buf].IsLocal &&
          !is_contained(N.Locals, A.Target.Buf))
        Carried.insert(A.Target.Buf);
  }
  forEachPolyBelow(K, N, [&](const Poly &P) {
    Ok &= !P.anyAtom([&](AtomId Id) {
      return K.Atoms[Id].K != Atom::Axis && K.dependsOn(Poly::atom(Id), N.Ax);
    });
  });
  auto IsScalar = [&](BufferId Buf) { return K.Buffers[Buf].Shape.empty(); };
  size_t NumBuffers = K.Buffers.size();
  if (!Ok || Carried.empty() || !all_of(Carried, IsScalar) ||
      !all_of(N.Locals, IsScalar) ||
      !all_of(N.Children,
              [&](const auto &Child) { return addLeaf(N, Child->L); }) ||
      !mayPart() || storesAmongCalls()) {
    K.Buffers.resize(NumBuffers);
    return false;
  }
  for (ArrayRef<BufferId> List : {ArrayRef(N.Locals), ArrayRef(Kept)})
    for (BufferId Buf : List)
      if (any_of(Stages,
                 [&](const Stage &S) { return S.IsLate && reads(S.L, Buf); }))
        Passed.push_back(Buf);
  for (BufferId Buf : Passed)
    K.Buffers[Buf].Shape.assign(1, Poly(CallBlock));
  auto Block = static_cast<AxisId>(K.Axes.size());
  Axis Blocks = K.Axes[N.Ax];
  for (Poly &Extent : Blocks.Extents)
    Extent = Poly::atom(
        K.getFloorDivAtom(Extent + Poly(CallBlock - 1), Poly(CallBlock)));
  Blocks.L = nullptr;
  K.Axes.push_back(std::move(Blocks));
  auto Calls = makeLoop(N, Block, false), Rest = makeLoop(N, Block, true);
  N.Ax = Block;
  N.Locals.assign(Passed.begin(), Passed.end());
  N.Children.clear();
  N.Children.push_back(std::move(Calls));
  N.Children.push_back(std::move(Rest));
  return true;
}

bool CallSeparator::visit(Node &N) {
  if (N.K == Node::AxisNode && !N.Children.empty() &&
      all_of(N.Children, [](const auto &C) { return C->K == Node::LeafNode; }))
    return separate(N);
  bool Changed = false;
  for (const auto &Child : N.Children)
    Changed |= visit(*Child);
  return Changed;
}

bool dlopt::separateCalls(Kernel &K, function_ref<bool(const Op &)> IsCall) {
  bool Changed = CallSeparator(K, IsCall).visit(K.Root);
  if (Changed)
    computeRoles(K);
  return Changed;
}
