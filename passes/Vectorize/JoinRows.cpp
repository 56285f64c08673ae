//===- JoinRows.cpp - Loops around rows are rows, too ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   for b < B { for t < T { m = sum of x[b*T + t][..];
///                           for i y[b*T + t][i] = .. }}
///
/// has B * T rows: of one step in each of eight sequences eight, of a group of
/// each of eight images eight. What sums read, and what is done once a row,
/// follows from one group of rows to the next as it does inside of each; loops
/// along the row may ask which row of its group it is (the scales of a group).
///
//===----------------------------------------------------------------------===//
#include "LaneChooser.h"
#include "LaneStrategy.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// Whole = Part * Times, if the division of which Part is the quotient leaves
/// nothing: channels of an image, of a group, and groups.
struct Quotient {
  ParamId Whole = 0;
  Poly Product;
  bool IsAsked = false;
};

/// The parallel axis of Rows, and that of Outer directly around it.
class RowJoiner {
public:
  RowJoiner(Kernel &K, Node &Outer)
      : K(K), Outer(Outer), Rows(*Outer.Children.front()), Group(Outer.Ax),
        Row(Rows.Ax), Size(K.Axes[Row].Extents.front()) {
    findQuotients();
  }

  bool run();

private:
  bool isOf(const Access &X) const {
    return K.dependsOn(X, Group) || K.dependsOn(X, Row);
  }
  bool isOf(const Poly &P) const {
    return K.dependsOn(P, Group) || K.dependsOn(P, Row);
  }
  void findQuotients();
  bool usesElsewhere(const Node &N) const;
  bool follows(const Access &X);
  bool mayJoin(Node &Child);
  bool readsInside() const;
  void join(Access &X);

  Kernel &K;
  Node &Outer, &Rows;
  AxisId Group, Row, New = 0;
  Poly Size; ///< of a group
  SmallVector<Quotient, 2> Quotients;
};

} // namespace

void RowJoiner::findQuotients() {
  auto Find = [&](const Value *V) {
    return find_if(K.Params, [&](const Param &P) {
      return P.Bound && stripConversions(P.Bound) == stripConversions(V);
    });
  };
  for (auto [Id, P] : enumerate(K.Params)) {
    const auto *By =
        P.Bound ? dyn_cast<BinaryOperator>(stripConversions(P.Bound)) : nullptr;
    if (!By || (By->getOpcode() != Instruction::SDiv &&
                By->getOpcode() != Instruction::UDiv))
      continue;
    const auto *Number = dyn_cast<ConstantInt>(By->getOperand(1));
    auto Whole = Find(By->getOperand(0)), Times = Find(By->getOperand(1));
    if (Whole == K.Params.end() || (!Number && Times == K.Params.end()))
      continue;
    Poly Part = Poly::atom(K.getParamAtom(static_cast<ParamId>(Id)));
    auto GetId = [&](const Param *X) {
      return static_cast<ParamId>(X - K.Params.data());
    };
    Quotients.push_back(
        {GetId(&*Whole),
         Part * (Number ? Poly(Number->getSExtValue())
                        : Poly::atom(K.getParamAtom(GetId(&*Times))))});
  }
}

/// Whether \p N is made of the two axes in more than accesses of leaves.
bool RowJoiner::usesElsewhere(const Node &N) const {
  if (N.K == Node::AxisNode &&
      any_of(K.Axes[N.Ax].Extents, [&](const Poly &P) { return isOf(P); }))
    return true;
  if (N.K == Node::LeafNode)
    return any_of(N.L.Domain, [&](const Constraint &C) { return isOf(C.P); }) ||
           any_of(N.L.Ops,
                  [&](const Op &O) { return O.K == Op::Index && isOf(O.Idx); });
  return any_of(N.Children,
                [&](const auto &Child) { return usesElsewhere(*Child); });
}

/// Whether the guard reads in front of the loops what they read: it asks first
/// whether each of these runs, which their product does not say. (Of two
/// numbers below zero it is positive.)
bool RowJoiner::readsInside() const {
  if (DLOPT_PLANTED(JoinedLoopsAssumed))
    return false;
  const Loop *L = K.Axes[Group].L;
  auto IsInside = [&](const Value *V) {
    const auto *I = dyn_cast_or_null<Instruction>(V);
    return I && (!L || L->contains(I));
  };
  return any_of(K.Params, [&](const Param &P) { return IsInside(P.Bound); }) ||
         any_of(K.Buffers,
                [&](const Buffer &X) { return IsInside(X.Bound); }) ||
         any_of(K.Needs, [](const Need &Of) { return Of.K == Need::NonZero; });
}

/// Whether the first row of the next group is as far from the last one of a
/// group as rows of one group are from each other; that a division leaves
/// nothing is asked then.
bool RowJoiner::follows(const Access &X) {
  Poly Offset = X.offset();
  std::optional<Poly> Apart = getStride(K, Offset, Group),
                      Next = getStride(K, Offset, Row);
  if (!Apart || !Next)
    return false;
  Poly Between = *Apart - *Next * Size;
  if (Between.isZero() || DLOPT_PLANTED(GroupsFollow))
    return true;
  for (Quotient &Q : Quotients) {
    auto Map = [&](const Atom &A) -> std::optional<Poly> {
      if (A.K == Atom::Param && A.Ref == Q.Whole)
        return Q.Product;
      return std::nullopt;
    };
    if (substituteAtoms(K, Between, Map).isZero()) {
      Q.IsAsked = true;
      return true;
    }
  }
  return false;
}

/// Whether the number of the row among all is enough for \p Child of a row: a
/// loop along it may ask for that of its group, and that in its group.
bool RowJoiner::mayJoin(Node &Child) {
  bool IsAlong =
      Child.K == Node::AxisNode && K.Axes[Child.Ax].R == Role::Parallel;
  bool May = true;
  forEachAccess(Child, [&](Access &X) {
    May = May &&
          (!isOf(X) || (!K.Buffers[X.Buf].IsLocal && (IsAlong || follows(X))));
  });
  return May;
}

/// \p X by that number.
void RowJoiner::join(Access &X) {
  if (!isOf(X))
    return;
  Poly OfGroup, OfRow = Poly::atom(K.getAxisAtom(New));
  if (!follows(X)) {
    OfGroup = Poly::atom(K.getFloorDivAtom(OfRow, Size));
    OfRow = Poly::atom(K.getModAtom(OfRow, Size));
  }
  X.Subs = {
      substituteAtoms(K, X.offset(), [&](const Atom &A) -> std::optional<Poly> {
        if (A.K == Atom::Axis && A.Ref == Group)
          return OfGroup;
        if (A.K == Atom::Axis && A.Ref == Row)
          return OfRow;
        return std::nullopt;
      })};
  X.Strides = {Poly(1)};
}

bool RowJoiner::run() {
  constexpr int64_t Most = (int64_t(1) << 29) - 1;
  const Poly Groups = K.Axes[Group].Extents.front();
  if (usesElsewhere(Rows) || readsInside() ||
      any_of(K.Needs,
             [&](const Need &Of) { return Of.isOfPoints() && isOf(Of.P); }) ||
      !all_of(Rows.Children, [&](const auto &C) { return mayJoin(*C); }))
    return false;
  Axis Both;
  Both.Name = K.Axes[Row].Name;
  Both.R = Role::Parallel;
  Both.Extents = {Groups * Size};
  Both.L = K.Axes[Group].L;
  Both.Loc = K.Axes[Group].Loc;
  New = static_cast<AxisId>(K.Axes.size());
  K.Axes.push_back(std::move(Both));
  forEachAccess(Rows, [&](Access &X) { join(X); });
  // Of two numbers below zero the product is none.
  for (const Poly &P : {Groups, Size})
    if (!P.getConstant()) {
      Need Small = getAtLeast(P, 1);
      Small.Hi = Most;
      K.Needs.push_back(std::move(Small));
    }
  for (const Quotient &Q : Quotients)
    if (Q.IsAsked && !DLOPT_PLANTED(RemainderUnasked)) {
      Need Equal = getAtLeast(Poly::atom(K.getParamAtom(Q.Whole)) - Q.Product,
                              /*Least=*/0);
      Equal.Hi = 0;
      K.Needs.push_back(std::move(Equal));
    }
  Outer.Ax = New;
  Outer.Locals = Rows.Locals;
  std::vector<std::unique_ptr<Node>> Children = std::move(Rows.Children);
  Outer.Children = std::move(Children);
  return true;
}

/// The axis at \p N or below that has nothing but rows with sums in it.
static Node *findAroundRows(const Kernel &K, Node &N) {
  auto IsPlain = [&](const Node &X) {
    return X.K == Node::AxisNode && K.Axes[X.Ax].R == Role::Parallel &&
           K.hasFixedExtents(X.Ax) && K.Axes[X.Ax].Extents.size() == 1;
  };
  if (IsPlain(N) && N.Locals.empty() && N.Children.size() == 1 &&
      IsPlain(*N.Children.front()) &&
      any_of(N.Children.front()->Children, [&](const auto &Child) {
        return Child->K == Node::AxisNode &&
               K.Axes[Child->Ax].R != Role::Parallel;
      }))
    return &N;
  for (auto &Child : N.Children)
    if (Node *Found = findAroundRows(K, *Child))
      return Found;
  return nullptr;
}

std::optional<AxisId> dlopt::joinRows(Kernel &K) {
  Node *Joined = nullptr;
  while (Node *Around = findAroundRows(K, K.Root)) {
    if (!RowJoiner(K, *Around).run())
      break;
    Joined = Around;
  }
  if (!Joined)
    return std::nullopt;
  dropUnusedAxes(K);
  return Joined->Ax;
}
