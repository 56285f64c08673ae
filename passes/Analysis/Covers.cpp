//===- Covers.cpp - What a kernel certainly reads and writes --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel reads anyway can be read, whenever and in whichever order. The
/// elements are sets of subscripts: of the plain kernel exactly those that it
/// reads (nothing is left out of the constraints that they fulfil, and none
/// holds a product of unknowns), of what is asked about at least those that it
/// names. The other axes are projected out by isl. A window that moves by a
/// parameter multiplies an axis by it, which is no linear constraint; what is
/// read in one round of that axis is a part of what the kernel reads:
///
///   s*x + r >= pad, s*x + r < pad + w     in round pad: s*pad + r >= pad, ...
///
/// What is assigned before it is read, in the same round of some axes, is found
/// in the same way: these axes are coordinates, too.
///
//===----------------------------------------------------------------------===//
#include "../Support/IntegerSet.h"
#include "Instances.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p L loads \p O whenever it runs.
static bool isLoadedAlways(const Leaf &L, const Op &O) {
  auto IsIt = [&](const Op &X) { return &X == &O; };
  return O.K == Op::Load && !L.Predicate &&
         any_of(L.Assigns, [&](const Assign &A) {
           return isComputedOf(L, A.Value, IsIt);
         });
}

/// Whether the polynomials that say when \p N runs, and its element, are
/// numbers of axes and parameters.
static bool isExact(const Kernel &K, const Access &X, const Leaf &L,
                    ArrayRef<const Node *> Path) {
  auto IsLoad = [](const Atom &A) {
    return A.K == Atom::Load || A.K == Atom::Size || A.K == Atom::VL;
  };
  auto IsFine = [&](const Poly &P) { return !K.anyNestedAtom(P, IsLoad); };
  return all_of(X.Subs, IsFine) &&
         all_of(L.Domain, [&](const Constraint &C) { return IsFine(C.P); }) &&
         all_of(Path, [&](const Node *N) {
           const Axis &A = K.Axes[N->Ax];
           return A.Begins.empty() && A.Schedule.isPlain() &&
                  all_of(A.Extents, IsFine);
         });
}

/// Whether parameters of \p Plain, and quotients of these, are the same atoms
/// in \p K.
static bool isMadeOf(const Kernel &K, const Kernel &Plain) {
  return !Plain.isScheduled() && Plain.Atoms.size() <= K.Atoms.size() &&
         all_of(enumerate(Plain.Atoms), [&](const auto &It) {
           auto Id = static_cast<AtomId>(It.index());
           bool IsNumber =
               Plain.isFixed(Poly::atom(Id)) || K.isFixed(Poly::atom(Id));
           return !IsNumber || It.value() == K.Atoms[Id];
         });
}

/// Of the axes \p Around that parameters multiply in conditions of \p L the
/// rounds that may be chosen: where the condition holds whatever other axes
/// add.
static std::map<AxisId, Poly> findRounds(const Kernel &K, const Leaf &L,
                                         ArrayRef<const Node *> Around) {
  std::map<AxisId, Poly> Rounds;
  for (const Constraint &C : L.Domain)
    for (const Node *N : Around) {
      std::optional<Poly> Step = getStride(K, C.P, N->Ax);
      if (!Step || Step->getConstant() || !K.isFixed(*Step) ||
          Step->terms().front().second < 0)
        continue;
      Poly Least;
      for (const auto &[Product, Coef] : C.P.terms())
        if (Poly Term = Poly::monomial(Product, Coef); K.isFixed(Term))
          Least += Term;
      Rounds.insert({N->Ax, Poly() - Least});
    }
  return Rounds;
}

bool Dependences::isReadIn(const Kernel &Plain, const Access &X,
                           ArrayRef<const Node *> Path,
                           ArrayRef<Constraint> Domain) const {
  if (K.Buffers[X.Buf].IsLocal || !isMadeOf(K, Plain))
    return false;
  // They need not hold in rounds in which the conditions of leaves do not.
  if (any_of(K.Needs, [&](const Need &Of) {
        return Of.isOfPoints() && any_of(Path, [&](const Node *N) {
                 return K.dependsOn(Of.P, N->Ax);
               });
      }))
    return false;
  auto IsSameSpace = [&](const Access &Y) {
    return X.Buf == Y.Buf && X.Subs.size() == Y.Subs.size() &&
           X.Strides == Y.Strides && all_of(X.Strides, [&](const Poly &P) {
             return !P.anyAtom(
                 [&](AtomId Id) { return K.Atoms[Id].K != Atom::Param; });
           });
  };
  SmallVector<const Node *, 8> Around;
  auto Covers = [&](const Leaf &L, const Access &Read) {
    if (!isExact(Plain, Read, L, Around))
      return false;
    Instances Mine(K), Theirs(Plain);
    Mine.enter(0, Path);
    Mine.assume(0, Domain);
    for (auto &[A, Round] : findRounds(Plain, L, Around))
      Theirs.fix(A, Round);
    // What the plain kernel needs the other one does, too: of that there are
    // no fewer elements, and it need not be exact.
    Theirs.enterLoops(0, Around);
    if (!DLOPT_PLANTED(CopyReadElsewhere))
      Theirs.assume(0, L.Domain);
    for (auto [Of, From] : zip_equal(X.Subs, Read.Subs)) {
      Mine.addCoordinate(Of);
      Theirs.addCoordinate(From);
    }
    // Of what the plain kernel does not name nothing is known there.
    std::set<Monomial> Params;
    Theirs.collectParams(Params);
    IntegerSet Few, All;
    Mine.fill(Few, Params);
    return Theirs.fill(All, Params) &&
           Few.isCoveredBy(
               All, static_cast<unsigned>(X.Subs.size() + Params.size()));
  };
  auto Visit = [&](const Node &N, auto &Self) -> bool {
    if (N.K == Node::AxisNode)
      Around.push_back(&N);
    bool Found =
        any_of(N.L.Ops,
               [&](const Op &O) {
                 return isLoadedAlways(N.L, O) && IsSameSpace(O.Acc) &&
                        Covers(N.L, O.Acc);
               }) ||
        any_of(N.Children, [&](const auto &C) { return Self(*C, Self); });
    if (N.K == Node::AxisNode)
      Around.pop_back();
    return Found;
  };
  return Visit(Plain.Root, Visit);
}

bool Dependences::isWrittenBefore(const MemoryUse &Read,
                                  unsigned NumShared) const {
  // The children of the innermost shared axis that both are in.
  auto GetChild = [&](const MemoryUse &U) {
    ArrayRef Children(U.Path[NumShared - 1]->Children);
    return find_if(Children, [&](const auto &C) { return isBelow(U, *C); }) -
           Children.begin();
  };
  auto IsAboutPoints = [&](ArrayRef<const Node *> Path) {
    return any_of(K.Needs, [&](const Need &Of) {
      return Of.isOfPoints() && any_of(Path, [&](const Node *N) {
               return K.dependsOn(Of.P, N->Ax);
             });
    });
  };
  auto Covers = [&](const MemoryUse &W) {
    if (W.K != MemoryUse::Write || W.X->Buf != Read.X->Buf ||
        getCommon(W, Read) < NumShared || W.N->L.Predicate ||
        GetChild(W) >= GetChild(Read) || IsAboutPoints(W.Path) ||
        IsAboutPoints(Read.Path) || !isExact(K, *W.X, W.N->L, W.Path))
      return false;
    Instances Mine(K), Theirs(K);
    Mine.enter(0, Read.Path);
    Theirs.enter(0, W.Path);
    Mine.assume(0, Read.domain());
    Theirs.assume(0, W.domain());
    unsigned NumCoordinates = 0;
    auto AddCoordinate = [&](const Poly &Of, const Poly &From) {
      Mine.addCoordinate(Of);
      Theirs.addCoordinate(From);
      ++NumCoordinates;
    };
    for (auto [Id, A] : enumerate(K.Atoms))
      if (A.K == Atom::Axis &&
          any_of(ArrayRef(W.Path).take_front(NumShared),
                 [&, Ref = A.Ref](const Node *N) { return N->Ax == Ref; }))
        AddCoordinate(Poly::atom(static_cast<AtomId>(Id)),
                      Poly::atom(static_cast<AtomId>(Id)));
    // An element that is a number is of no row or column.
    bool AreAlike = W.X->Strides == Read.X->Strides &&
                    W.X->Subs.size() == Read.X->Subs.size();
    if (AreAlike)
      for (auto [Of, From] : zip_equal(Read.X->Subs, W.X->Subs))
        AddCoordinate(Of, From);
    else
      AddCoordinate(Read.X->offset(), W.X->offset());
    std::set<Monomial> Params;
    Theirs.collectParams(Params);
    IntegerSet Few, All;
    Mine.fill(Few, Params);
    return Theirs.fill(All, Params) &&
           Few.isCoveredBy(All, NumCoordinates +
                                    static_cast<unsigned>(Params.size()));
  };
  return any_of(uses(), Covers);
}

bool Dependences::mayRunTwice(const Node &N) const {
  if (DLOPT_PLANTED(RowsTwiceUnasked))
    return true;
  SmallVector<BufferId, 8> OfRound;
  collectLocals(N, OfRound);
  // Buffers that are the same are written where one of them is.
  auto IsWritten = [&](BufferId Buf) {
    return assigns(N, Buf) || any_of(K.Needs, [&](const Need &Of) {
             auto Assigns = [&](BufferId Id) { return assigns(N, Id); };
             return Of.K == Need::Same &&
                    (Of.Buf == Buf || is_contained(Of.Others, Buf)) &&
                    (Assigns(Of.Buf) || any_of(Of.Others, Assigns));
           });
  };
  return none_of(uses(), [&](const MemoryUse &U) {
    if (U.writes() || !isBelow(U, N) || is_contained(OfRound, U.X->Buf) ||
        !IsWritten(U.X->Buf))
      return false;
    auto NumShared = static_cast<unsigned>(find(U.Path, &N) - U.Path.begin());
    return !isWrittenBefore(U, NumShared + 1);
  });
}
