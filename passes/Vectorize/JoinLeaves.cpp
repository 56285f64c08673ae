//===- JoinLeaves.cpp - Work on a sum as one expression -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `if (s < 0 && t) s = 0; else s = s >> n;` and functions that return early
/// leave a leaf for each branch, and locals for conditions and results:
///
///   c = and(icmp<slt>(s, 0), %t)
///   x = 0  if c
///   x = ashr(s, %n)  if xor(c, true)
///   y = x
///   ->
///   y = select(xor(and(...), true), ashr(s, %n), 0)
///
/// What can be computed in any case is chosen, and what other leaves read is a
/// part of these. What loads from arrays, may trap or sets errno stays under
/// its condition. If that is one number of the run, a script may have the leaf
/// that reads it twice:
///
///   s = add(s, %bias[k])  if %p
///   %y[k] = ashr(s, 8)
///   ->
///   %y[k] = ashr(add(s, %bias[k]), 8)  where %p == 1
///   %y[k] = ashr(s, 8)  where %p == 0
///
//===----------------------------------------------------------------------===//
#include "LaneStrategy.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/Lanes.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p O may be computed where the source does not: it has no effect,
/// and what it yields is not looked at.
static bool mayRunAnyway(const Kernel &K, const Leaf &L, const Op &O) {
  switch (O.K) {
  case Op::Load:
    return (K.Buffers[O.Acc.Buf].IsLocal && O.Acc.Subs.empty()) ||
           DLOPT_PLANTED(BranchLoadsAnyway);
  case Op::LibCall:
    return false;
  case Op::Index:
    // Quotients by what may be 0, elements that need not exist.
    return !K.anyNestedAtom(O.Idx, [](const Atom &A) {
      return A.K != Atom::Axis && A.K != Atom::Param;
    });
  case Op::Inst:
    if (!Instruction::isIntDivRem(O.Opcode))
      return true;
    // The least number has no quotient by -1.
    return L.Ops[O.Args[1]].K == Op::Const && L.Ops[O.Args[1]].Bits != 0 &&
           SignExtend64(L.Ops[O.Args[1]].Bits, getBitWidth(O.Ty)) != -1;
  default:
    return true;
  }
}

static bool isScalar(const Kernel &K, const Node &N, BufferId Local) {
  return is_contained(N.Locals, Local) && K.Buffers[Local].Shape.empty() &&
         !isReadBySubscripts(K, Local);
}

/// Whether \p C is a leaf for all points that assigns scalars of \p N, and does
/// nothing else.
static bool assignsScalars(const Kernel &K, const Node &N, const Node &C) {
  return C.K == Node::LeafNode && C.L.Domain.empty() &&
         all_of(C.L.Assigns,
                [&](const Assign &A) { return isScalar(K, N, A.Target.Buf); });
}

/// Whether that holds for all of the leaf \p Child of \p N; elements that the
/// round reads in any case are there.
static bool mayRunAnyway(const Kernel &K, const Node &N, size_t Child) {
  DenseSet<const Op *> Safe;
  addSafeLoads(K, N, Safe);
  const Leaf &L = N.Children[Child]->L;
  return all_of(L.Ops, [&](const Op &O) {
    return Safe.contains(&O) || mayRunAnyway(K, L, O);
  });
}

/// Puts the operations of \p From in front of those of \p To, which may read
/// what \p From assigns to \p Local.
static void prepend(const Leaf &From, Leaf &To, BufferId Local) {
  std::vector<Op> Ops = From.Ops;
  SmallVector<OpId, 16> NewIds;
  for (Op &O : To.Ops) {
    if (O.K == Op::Load && O.Acc.Buf == Local) {
      NewIds.push_back(From.Assigns[0].Value);
      continue;
    }
    for (OpId &Arg : O.Args)
      Arg = NewIds[Arg];
    NewIds.push_back(static_cast<OpId>(Ops.size()));
    Ops.push_back(std::move(O));
  }
  for (Assign &A : To.Assigns)
    A.Value = NewIds[A.Value];
  if (To.Predicate)
    To.Predicate = NewIds[*To.Predicate];
  To.Ops = std::move(Ops);
}

/// Whether \p Local has a value in front of the child \p Child of \p N;
/// nullopt: if a condition holds.
static std::optional<bool> hasValue(const Node &N, size_t Child,
                                    BufferId Local) {
  bool IsAssigned = false;
  for (const auto &C : ArrayRef(N.Children).take_front(Child)) {
    if (!assigns(*C, Local))
      continue;
    IsAssigned = true;
    if (C->K == Node::LeafNode && C->L.Domain.empty() && !C->L.Predicate)
      return true;
  }
  return IsAssigned ? std::nullopt : std::optional(false);
}

/// Where the condition of a leaf does not hold its scalars keep what they have.
/// What has nothing yet is read only where this or a later leaf runs.
static bool dropCondition(const Kernel &K, Node &N, size_t Child) {
  Node &C = *N.Children[Child];
  Leaf &L = C.L;
  if (!assignsScalars(K, N, C) || !L.Predicate || !mayRunAnyway(K, N, Child))
    return false;
  SmallVector<bool, 2> HaveValue;
  for (const Assign &A : L.Assigns) {
    std::optional<bool> Has = hasValue(N, Child, A.Target.Buf);
    if (!Has)
      return false;
    HaveValue.push_back(*Has && !DLOPT_PLANTED(BranchLosesValue));
  }
  for (auto [A, Has] : zip_equal(L.Assigns, HaveValue)) {
    if (!Has)
      continue;
    Op Load, Select;
    Load.K = Op::Load;
    Load.Ty = K.Buffers[A.Target.Buf].Ty;
    Load.Acc = A.Target;
    Select.K = Op::Inst;
    Select.Opcode = Instruction::Select;
    Select.Ty = Load.Ty;
    Select.Args = {*L.Predicate, A.Value, static_cast<OpId>(L.Ops.size())};
    L.Ops.push_back(std::move(Load));
    A.Value = static_cast<OpId>(L.Ops.size());
    L.Ops.push_back(std::move(Select));
  }
  L.Predicate.reset();
  dropUnusedOps(L);
  return true;
}

/// Each may choose another value.
static bool hasFreeze(const Leaf &L) {
  return any_of(L.Ops, [](const Op &O) {
    return O.K == Op::Inst && O.Opcode == Instruction::Freeze;
  });
}

/// Whether several scalars that \p L assigns are made of one choice.
static bool sharesFreeze(const Leaf &L) {
  return any_of(L.Ops, [&](const Op &O) {
    bool IsFreeze = O.K == Op::Inst && O.Opcode == Instruction::Freeze;
    return IsFreeze && count_if(L.Assigns, [&](const Assign &A) {
                         return isComputedOf(L, A.Value, [&](const Op &Of) {
                           return &Of == &O;
                         });
                       }) > 1;
  });
}

/// One leaf for each scalar, which may live around other loops.
static bool splitAssigns(const Kernel &K, Node &N, size_t Child) {
  const Node &C = *N.Children[Child];
  auto IsOfScalar = [&](const Assign &A) {
    const Buffer &To = K.Buffers[A.Target.Buf];
    return To.IsLocal && To.Shape.empty() &&
           !isReadBySubscripts(K, A.Target.Buf);
  };
  if (C.K != Node::LeafNode || C.L.Assigns.size() < 2 || !C.L.Domain.empty() ||
      C.L.Predicate || sharesFreeze(C.L) || !all_of(C.L.Assigns, IsOfScalar))
    return false;
  // All are assigned at once.
  SmallVector<BufferId, 2> Before;
  for (const Assign &A : C.L.Assigns) {
    if (isComputedOf(C.L, A.Value, [&](const Op &O) {
          return O.K == Op::Load && is_contained(Before, O.Acc.Buf);
        }))
      return false;
    Before.push_back(A.Target.Buf);
  }
  std::vector<std::unique_ptr<Node>> Parts;
  for (const Assign &A : C.L.Assigns) {
    Parts.push_back(std::make_unique<Node>());
    copyNode(C, *Parts.back());
    Parts.back()->L.Assigns = {A};
    dropUnusedOps(Parts.back()->L);
  }
  N.Children.erase(N.Children.begin() + Child);
  N.Children.insert(N.Children.begin() + Child,
                    std::make_move_iterator(Parts.begin()),
                    std::make_move_iterator(Parts.end()));
  return true;
}

/// Whether what \p X computes is the same behind \p Child as in front of it.
static bool keepsValue(const Kernel &K, const Leaf &X, const Node &Child) {
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  if (any_of(X.Ops, [&](const Op &O) {
        return K.anyNestedAtom(O.Idx, IsLoad) || K.anyNestedAtom(O.Acc, IsLoad);
      }))
    return false;
  bool Stores = false;
  forEachLeaf(Child, [&](const Leaf &L, ArrayRef<AxisId>) {
    Stores |= any_of(L.Assigns, [&](const Assign &A) {
      return !K.Buffers[A.Target.Buf].IsLocal;
    });
  });
  return none_of(X.Ops, [&](const Op &O) {
    return O.K == Op::Load &&
           (K.Buffers[O.Acc.Buf].IsLocal ? assigns(Child, O.Acc.Buf) : Stores);
  });
}

/// The leaves that read what the one at \p First assigns to \p Local, if all
/// can compute it instead.
static std::optional<SmallVector<Leaf *, 4>>
findReaders(const Kernel &K, Node &N, size_t First, BufferId Local) {
  const Leaf &X = N.Children[First]->L;
  SmallVector<Leaf *, 4> Readers;
  bool IsSame = true;
  for (auto &Child : MutableArrayRef(N.Children).drop_front(First + 1)) {
    if (uses(K, *Child, Local)) {
      Leaf &L = Child->L;
      if (Child->K != Node::LeafNode || !L.Domain.empty())
        return std::nullopt;
      if (reads(L, Local)) {
        if (!IsSame && !DLOPT_PLANTED(LeafReadsLater))
          return std::nullopt;
        Readers.push_back(&L);
      }
      if (assigns(L, Local)) {
        if (L.Predicate)
          return std::nullopt;
        break;
      }
    }
    IsSame &= keepsValue(K, X, *Child);
  }
  return Readers;
}

/// What a leaf always assigns is a part of those that read it: of one or none,
/// or it is little.
static bool joinReaders(const Kernel &K, Node &N, size_t First) {
  constexpr size_t MostOps = 8, MostJoined = 100;
  const Node &C = *N.Children[First];
  const Leaf &X = C.L;
  if (!assignsScalars(K, N, C) || X.Predicate || X.Assigns.size() != 1 ||
      any_of(X.Ops, [](const Op &O) { return O.K == Op::LibCall; }))
    return false;
  BufferId Local = X.Assigns[0].Target.Buf;
  auto Readers = findReaders(K, N, First, Local);
  // All of it is code for each vector of a tile.
  auto IsLong = [&](const Leaf *Reader) {
    return X.Ops.size() + Reader->Ops.size() > MostJoined;
  };
  if (!Readers || any_of(*Readers, IsLong) ||
      (Readers->size() > 1 && (X.Ops.size() > MostOps || hasFreeze(X))))
    return false;
  for (Leaf *Reader : *Readers) {
    prepend(X, *Reader, Local);
    mergeSameOps(*Reader);
  }
  N.Children.erase(N.Children.begin() + First);
  return true;
}

/// What several scalars are made of is joined before each gets a leaf, which
/// would be as many readers.
static bool joinAny(const Kernel &K, Node &N) {
  auto TryAll = [&](auto Try) {
    return any_of(seq(N.Children.size()),
                  [&](size_t Child) { return Try(K, N, Child); });
  };
  return TryAll(dropCondition) || TryAll(joinReaders) || TryAll(splitAssigns);
}

/// Whether the condition of \p L is a parameter, or that it is not.
static std::optional<Constraint> getTest(Kernel &K, const Leaf &L) {
  if (!L.Predicate)
    return std::nullopt;
  const Op *O = &L.Ops[*L.Predicate];
  bool Holds = true;
  while (O->K == Op::Inst && O->Opcode == Instruction::Xor &&
         L.Ops[O->Args[1]].K == Op::Const && L.Ops[O->Args[1]].Bits) {
    Holds = !Holds;
    O = &L.Ops[O->Args[0]];
  }
  if (O->K != Op::Param || O->Ty != ScalarType::I1)
    return std::nullopt;
  Poly P = Poly::atom(K.getParamAtom(O->Ref));
  int64_t True = K.Params[O->Ref].Signed ? -1 : 1;
  return Constraint{P - Poly(Holds ? True : 0), /*IsEquality=*/true};
}

/// The same, but that it does not hold.
static Constraint getOtherwise(const Kernel &K, const Constraint &C) {
  Poly P = C.P - Poly(C.P.getConstantTerm());
  bool WasTrue = C.P.getConstantTerm() != 0;
  int64_t True = K.Params[K.Atoms[*P.getAtom()].Ref].Signed ? -1 : 1;
  return {P - Poly(WasTrue ? 0 : True), /*IsEquality=*/true};
}

/// Makes the leaf that alone reads what the one at \p Test assigns two.
static bool splitReader(Kernel &K, Node &N, size_t Test) {
  Node &C = *N.Children[Test];
  if (!assignsScalars(K, N, C) || C.L.Assigns.size() != 1 || hasFreeze(C.L))
    return false;
  BufferId Local = C.L.Assigns[0].Target.Buf;
  std::optional<Constraint> Holds = getTest(K, C.L);
  auto Readers = Holds ? findReaders(K, N, Test, Local) : std::nullopt;
  if (!Readers || Readers->size() != 1 || Readers->front()->Predicate)
    return false;
  auto Reader = find_if(N.Children, [&](const auto &Child) {
    return &Child->L == Readers->front();
  });
  auto Otherwise = std::make_unique<Node>();
  copyNode(**Reader, *Otherwise);
  Otherwise->L.Domain.push_back(
      DLOPT_PLANTED(TestSplitAlways) ? *Holds : getOtherwise(K, *Holds));
  Leaf &L = (*Reader)->L;
  C.L.Predicate.reset();
  prepend(C.L, L, Local);
  dropUnusedOps(L);
  L.Domain.push_back(std::move(*Holds));
  N.Children.insert(std::next(Reader), std::move(Otherwise));
  N.Children.erase(N.Children.begin() + Test);
  return true;
}

bool dlopt::assumeTest(Kernel &K, Node &N) {
  for (const auto &Child : N.Children)
    if (assumeTest(K, *Child))
      return true;
  if (N.K != Node::AxisNode)
    return false;
  for (const auto &C : N.Children) {
    bool Reads = C->K == Node::LeafNode && any_of(C->L.Ops, [&](const Op &O) {
                   return O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal;
                 });
    if (Reads && getTest(K, C->L)) {
      C->L.Predicate.reset();
      dropUnusedOps(C->L);
      joinLeaves(K, N);
      return true;
    }
  }
  return false;
}

bool dlopt::splitTest(Kernel &K, Node &N) {
  for (const auto &Child : N.Children)
    if (splitTest(K, *Child))
      return true;
  if (N.K != Node::AxisNode)
    return false;
  for (size_t I = 0; I != N.Children.size(); ++I)
    if (splitReader(K, N, I))
      return true;
  return false;
}

static void dropUnread(const Kernel &K, Node &N) {
  erase_if(N.Locals, [&](BufferId Local) { return !uses(K, N, Local); });
}

bool dlopt::joinLeaves(Kernel &K, Node &N) {
  bool Any = false;
  for (const auto &Child : N.Children)
    Any |= joinLeaves(K, *Child);
  // What lives around all axes may be read behind them.
  if (N.K != Node::AxisNode)
    return Any;
  while (joinAny(K, N))
    Any = true;
  if (Any)
    dropUnread(K, N);
  return Any;
}
