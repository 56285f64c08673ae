//===- RFactor.cpp - Partial sums -----------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// rfactor s k 16 2 part z,q,u,l,r,t: the terms of an integer sum in 16 partial
/// sums, 2 of each at a time (Halide's rfactor: Suriano et al., Parallel
/// Associative Reductions in Halide, CGO 2017)
///
///   red k[K]  s = add(s, f(k))
///   ->
///   par z[16]  part[z] = 0
///   red q[floordiv(K, 32)] red u[2] par l[16]
///     part[l] = add(part[l], f(32*q + 2*l + u))
///   red r[mod(K, 32)]  s = add(s, f(32*floordiv(K, 32) + r))
///   red t[16]  s = add(s, part[t])
///
/// or the same with several terms in each round. Legal as integers modulo 2^n
/// are summed in any order; that a sum does not wrap around on its way (nsw) is
/// said of no other order.
///
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

struct Step::RFactor {
  Place P; ///< of the sum's axis
  BufferId Local = 0, Partial = 0;
  int64_t Lanes = 0, Depth = 0;
  SmallVector<StringRef, 6> Names;
};

/// s = add(s, x), where x is made without s; null: something else.
static Op *findAddition(Leaf &L, BufferId Local) {
  if (L.Assigns.size() != 1 || L.Assigns[0].Target.Buf != Local ||
      !L.Assigns[0].Target.Subs.empty() || L.Predicate || !L.Domain.empty())
    return nullptr;
  Op &Sum = L.Ops[L.Assigns[0].Value];
  auto IsLocal = [&](const Op &O) {
    return O.K == Op::Load && O.Acc.Buf == Local;
  };
  if (Sum.K != Op::Inst || Sum.Opcode != Instruction::Add ||
      count_if(L.Ops, IsLocal) != 1)
    return nullptr;
  // What is added is not made of the sum so far.
  auto IsOther = [&](OpId Arg) { return !isComputedOf(L, Arg, IsLocal); };
  return count_if(Sum.Args, [&](OpId Arg) { return IsLocal(L.Ops[Arg]); }) ==
                     1 &&
                 count_if(Sum.Args, IsOther) == 1
             ? &Sum
             : nullptr;
}

/// s = 0.
static Leaf makeZero(const Access &To, ScalarType Ty) {
  Leaf L;
  Op Zero;
  Zero.K = Op::Const;
  Zero.Ty = Ty;
  L.Ops.push_back(std::move(Zero));
  Assign A;
  A.Target = To;
  L.Assigns.push_back(std::move(A));
  return L;
}

/// s = add(s, x).
static Leaf makeAddition(const Access &To, const Access &Of, ScalarType Ty) {
  Leaf L;
  for (const Access &X : {To, Of}) {
    Op Load;
    Load.K = Op::Load;
    Load.Ty = Ty;
    Load.Acc = X;
    L.Ops.push_back(std::move(Load));
  }
  Op Add;
  Add.K = Op::Inst;
  Add.Opcode = Instruction::Add;
  Add.Ty = Ty;
  Add.Args = {0, 1};
  L.Ops.push_back(std::move(Add));
  Assign A;
  A.Target = To;
  A.Value = 2;
  L.Assigns.push_back(std::move(A));
  return L;
}

std::unique_ptr<Node> Step::makeLoop(StringRef Name, Role R, Poly Extent,
                                     std::unique_ptr<Node> Child) {
  Axis A;
  A.Name = Name.str();
  A.R = R;
  A.Extents.push_back(std::move(Extent));
  auto N = makeAxisNode(addAxis(std::move(A)));
  N->Children.push_back(std::move(Child));
  return N;
}

static std::unique_ptr<Node> makeLeafNode(Leaf L) {
  auto N = std::make_unique<Node>();
  N->K = Node::LeafNode;
  N->L = std::move(L);
  return N;
}

bool Step::findRFactor(RFactor &R) {
  Place Owner;
  StringRef Axis, Name;
  if (takeLocal(Owner, R.Local) || takeWord(Axis, "an axis") ||
      findAxis(Axis, R.P) || takeSize(R.Lanes) || takeSize(R.Depth) ||
      takeNewName(Name) || takeNames(R.Names) || expectEnd())
    return true;
  const std::string &Local = K.Buffers[R.Local].Name;
  if (R.Names.size() != 6)
    return fail("expected six names of axes");
  if (&Owner.node() == &K.Root || &Owner.node() != &R.P.parent() ||
      !K.Buffers[R.Local].Shape.empty() || isReadBySubscripts(K, R.Local))
    return fail("'" + Local + "' is no scalar that lives around '" + Axis +
                "' alone");
  Node &N = R.P.node();
  if (refuseBlocks(R.P) || refuseLanes(R.P) || refuseLoadedBounds(N) ||
      refuseNeedsBelow(N))
    return true;
  const auto &A = axisOf(N);
  if (!A.Begins.empty() || A.Extents.size() != 1 || A.Schedule.Unrolled ||
      !A.Schedule.Row.empty())
    return fail("'" + A.Name + "' has several bounds");
  if (refuseUnsafe(A.Extents) || requireSmall(R.P.around(), A.Extents.front()))
    return true;
  bool Adds = all_of(N.Children, [&](const auto &Child) {
    return Child->K == Node::LeafNode && findAddition(Child->L, R.Local);
  });
  if (!Adds || !N.Locals.empty())
    return fail("'" + Axis + "' does more than to add integers to '" + Local +
                "'");
  Buffer Partial = K.Buffers[R.Local];
  Partial.Name = Name.str();
  Partial.Shape = {Poly(R.Lanes)};
  Partial.Where = Buffer::Register;
  R.Partial = static_cast<BufferId>(K.Buffers.size());
  K.Buffers.push_back(std::move(Partial));
  Owner.node().Locals.push_back(R.Partial);
  return false;
}

/// The additions of the element \p At of the axis, to \p To, in \p Loop.
void Step::addTerms(const RFactor &R, const Access &To, const Poly &At,
                    Node &Loop) {
  Loop.Children.clear();
  for (const auto &Term : R.P.node().Children)
    Loop.Children.push_back(makeTerm(R, *Term, To, At));
}

/// One of them, \p Term.
std::unique_ptr<Node> Step::makeTerm(const RFactor &R, const Node &Term,
                                     const Access &To, const Poly &At) {
  auto N = std::make_unique<Node>();
  copyNode(Term, *N);
  Op &Add = *findAddition(N->L, R.Local);
  Add.NSW = Add.NUW = false;
  forEachAccess(*N, [&](Access &X) {
    if (X.Buf == R.Local)
      X = To;
  });
  substituteBelow(K, *N, [&](const Atom &A) {
    return A.K == Atom::Axis && A.Ref == R.P.node().Ax ? std::optional(At)
                                                       : std::nullopt;
  });
  return N;
}

bool Step::rfactor() {
  RFactor R;
  if (findRFactor(R))
    return true;
  Node &N = R.P.node(), &Parent = R.P.parent();
  Poly Extent = axisOf(N).Extents.front(), Some(R.Lanes * R.Depth);
  std::optional<int64_t> Number = Extent.getConstant();
  Poly Times = Number ? Poly(divideFloorSigned(*Number, R.Lanes * R.Depth))
                      : Poly::atom(K.getFloorDivAtom(Extent, Some));
  Poly Rest =
      Number ? Extent - Some * Times : Poly::atom(K.getModAtom(Extent, Some));
  if (Number && *Number < R.Lanes * R.Depth)
    return fail("'" + axisOf(N).Name + "' has fewer elements");
  ScalarType Ty = K.Buffers[R.Local].Ty;
  Access Sum, Partial;
  Sum.Buf = R.Local;
  Partial.Buf = R.Partial;
  std::vector<std::unique_ptr<Node>> Parts;
  auto Add = [&](StringRef Name, Role Is, Poly Rounds, auto Make) {
    auto Loop = makeLoop(Name, Is, std::move(Rounds), nullptr);
    Loop->Children.front() = Make(Poly::atom(K.getAxisAtom(Loop->Ax)));
    return Loop;
  };
  auto AtPartial = [&](const Poly &At) {
    Partial.Subs = {At};
    return Partial;
  };
  Parts.push_back(Add(R.Names[0], Role::Parallel, Poly(R.Lanes), [&](Poly Z) {
    return makeLeafNode(makeZero(AtPartial(Z), Ty));
  }));
  Parts.push_back(Add(R.Names[1], Role::Reduction, Times, [&](Poly Q) {
    return Add(R.Names[2], Role::Reduction, Poly(R.Depth), [&](Poly U) {
      auto Loop = makeLoop(R.Names[3], Role::Parallel, Poly(R.Lanes), nullptr);
      Poly L = Poly::atom(K.getAxisAtom(Loop->Ax));
      addTerms(R, AtPartial(L), Some * Q + Poly(R.Depth) * L + U, *Loop);
      return Loop;
    });
  }));
  if (!(Number && Rest.isZero())) {
    if (DLOPT_PLANTED(FactorRestLost))
      Rest = Rest - 1;
    auto Loop = makeLoop(R.Names[4], Role::Reduction, Rest, nullptr);
    Poly At = Poly::atom(K.getAxisAtom(Loop->Ax));
    addTerms(R, Sum, Some * Times + At, *Loop);
    Parts.push_back(std::move(Loop));
    // A negative number has a remainder, too.
    if (!Number)
      axisOf(*Parts.back()).Extents.push_back(Extent);
  }
  Parts.push_back(Add(R.Names[5], Role::Reduction, Poly(R.Lanes), [&](Poly T) {
    return makeLeafNode(makeAddition(Sum, AtPartial(T), Ty));
  }));
  size_t At = R.P.index();
  Parent.Children.erase(Parent.Children.begin() + static_cast<ptrdiff_t>(At));
  Parent.Children.insert(Parent.Children.begin() + static_cast<ptrdiff_t>(At),
                         std::make_move_iterator(Parts.begin()),
                         std::make_move_iterator(Parts.end()));
  dropUnusedAxes(K);
  return false;
}
