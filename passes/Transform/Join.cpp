//===- Join.cpp - Sums that are added to each other -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// join t s: two sums of integers that are read as their sum alone are one
///
///   s = 1                          s = 1
///   t = 0
///   red k { s = add(s, f(k))       red k { s = add(s, f(k))
///           t = add(t, g(k)) }             s = add(s, g(k)) }
///   %y = h(add(s, t))              %y = h(s)
///
/// Legal modulo 2^n: from both starts on the one is the sum of the two. That
/// none wraps around (nsw) is said of no other order.
///
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

static bool isLoadOf(const Op &O, BufferId B) {
  return O.K == Op::Load && O.Acc.Buf == B;
}

/// add(s, t), of which nothing else reads either.
static Op *findSumOfBoth(Leaf &L, BufferId S, BufferId T) {
  Op *Sum = nullptr;
  for (Op &O : L.Ops) {
    bool IsSum =
        O.K == Op::Inst && O.Opcode == Instruction::Add &&
        ((isLoadOf(L.Ops[O.Args[0]], S) && isLoadOf(L.Ops[O.Args[1]], T)) ||
         (isLoadOf(L.Ops[O.Args[0]], T) && isLoadOf(L.Ops[O.Args[1]], S)));
    if (IsSum && std::exchange(Sum, &O))
      return nullptr;
  }
  auto CountUses = [&](BufferId B) {
    unsigned Uses = 0;
    auto IsIt = [&](OpId Id) { return isLoadOf(L.Ops[Id], B); };
    for (const Op &O : L.Ops)
      Uses += static_cast<unsigned>(count_if(O.Args, IsIt));
    for (const Assign &A : L.Assigns)
      Uses += IsIt(A.Value);
    return Uses + (L.Predicate && IsIt(*L.Predicate));
  };
  return CountUses(S) == 1 && CountUses(T) == 1 ? Sum : nullptr;
}

namespace {

/// What the leaves below one child of the node in which both live do.
struct Users {
  bool Starts = false, Uses = false, IsOther = false;
};

} // namespace

/// \p L as one that uses \p S in the place of \p T, if \p Joins; what it does
/// comes to \p Of.
static void visit(Leaf &L, BufferId S, BufferId T, bool Joins, Users &Of) {
  bool Reads = any_of(
      L.Ops, [&](const Op &O) { return isLoadOf(O, S) || isLoadOf(O, T); });
  bool Assigns = assigns(L, S) || assigns(L, T);
  if (!Reads && !Assigns)
    return;
  if (!Reads) {
    bool IsZero = L.Assigns.size() == 1 && L.Domain.empty() && !L.Predicate &&
                  (L.Assigns[0].Target.Buf == S ||
                   (L.Ops[L.Assigns[0].Value].K == Op::Const &&
                    L.Ops[L.Assigns[0].Value].Bits == 0));
    (IsZero ? Of.Starts : Of.IsOther) = true;
    return;
  }
  Of.Uses = true;
  if (!Assigns) {
    Op *Sum = findSumOfBoth(L, S, T);
    if (!Sum) {
      Of.IsOther = true;
    } else if (Joins) {
      OpId Own = isLoadOf(L.Ops[Sum->Args[0]], S) ? Sum->Args[0] : Sum->Args[1];
      Op Load = L.Ops[Own];
      *Sum = std::move(Load);
      dropUnusedOps(L);
    }
    return;
  }
  // s = add(s, x), or the same of t.
  Op &Sum = L.Ops[L.Assigns.front().Value];
  BufferId Own = L.Assigns.front().Target.Buf;
  auto Loads = count_if(
      L.Ops, [&](const Op &O) { return isLoadOf(O, S) || isLoadOf(O, T); });
  bool Adds =
      L.Assigns.size() == 1 && !L.Predicate && Loads == 1 &&
      Sum.K == Op::Inst && Sum.Opcode == Instruction::Add &&
      any_of(Sum.Args, [&](OpId Arg) { return isLoadOf(L.Ops[Arg], Own); }) &&
      // What is added is not made of the sum so far.
      count_if(Sum.Args, [&](OpId Arg) {
        return isComputedOf(L, Arg,
                            [&](const Op &O) { return isLoadOf(O, Own); });
      }) == 1;
  Of.IsOther |= !Adds;
  if (!Adds || !Joins)
    return;
  Sum.NSW = Sum.NUW = false;
  L.Assigns.front().Target.Buf = S;
  for (Op &O : L.Ops)
    if (isLoadOf(O, T))
      O.Acc.Buf = S;
}

bool Step::join() {
  Place Of, At;
  BufferId T = 0, S = 0;
  if (takeLocal(Of, T) || takeLocal(At, S) || expectEnd())
    return true;
  Node &N = At.node();
  const Buffer &Sum = K.Buffers[S], &Other = K.Buffers[T];
  if (S == T || &Of.node() != &N || &N == &K.Root || !Sum.Shape.empty() ||
      !Other.Shape.empty() || Sum.Ty != Other.Ty || isFloat(Sum.Ty) ||
      isReadBySubscripts(K, S) || isReadBySubscripts(K, T))
    return fail("'" + Other.Name + "' and '" + Sum.Name +
                "' are no two integers that live in one loop");
  std::vector<std::unique_ptr<Node>> Kept;
  unsigned Starts = 0;
  for (auto &Child : N.Children) {
    Users Found;
    forEachLeafNode(*Child,
                    [&](Leaf &L) { visit(L, S, T, /*Joins=*/true, Found); });
    // Both start in front of whatever else is done with them, once.
    bool IsStart = Found.Starts && Child->K == Node::LeafNode;
    bool IsEarly = Found.Uses && Starts != 2 && !DLOPT_PLANTED(JoinedEarly);
    if (Found.IsOther || (Found.Starts && !IsStart) || IsEarly)
      return fail("'" + Other.Name + "' is more than a part of the sum of '" +
                  Sum.Name + "'");
    Starts += IsStart;
    if (!IsStart || assigns(Child->L, S))
      Kept.push_back(std::move(Child));
  }
  if (Starts != 2)
    return fail("'" + Other.Name + "' and '" + Sum.Name +
                "' do not start once each");
  N.Children = std::move(Kept);
  llvm::erase(N.Locals, T);
  return false;
}
