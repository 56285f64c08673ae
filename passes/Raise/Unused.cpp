//===- Unused.cpp - Atoms and parameters that nothing uses ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The raiser tries readings of a value and drops those that do not fit, and
/// terms cancel: what they were made of must not stay, since a parameter of a
/// kernel has to be known wherever the kernel is rewritten.
///
//===----------------------------------------------------------------------===//
#include "Unused.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

using PolyVisitor = function_ref<void(Poly &)>;

static void visitAccess(Access &A, PolyVisitor Visit) {
  for_each(A.Subs, Visit);
  for_each(A.Strides, Visit);
}

static void visitNode(Node &N, PolyVisitor Visit) {
  for (Constraint &C : N.L.Domain)
    Visit(C.P);
  for (Op &O : N.L.Ops) {
    visitAccess(O.Acc, Visit);
    Visit(O.Idx);
  }
  for (Assign &A : N.L.Assigns)
    visitAccess(A.Target, Visit);
  for (std::unique_ptr<Node> &Child : N.Children)
    visitNode(*Child, Visit);
}

static void visitAtom(Atom &A, PolyVisitor Visit) {
  Visit(A.Num);
  Visit(A.Den);
  visitAccess(A.Source, Visit);
}

/// Visits all polynomials but those inside of atoms.
static void visitPolys(RaisedKernel &R, PolyVisitor Visit) {
  Kernel &K = *R.K;
  for (Axis &A : K.Axes)
    for_each(A.Extents, Visit);
  for (Buffer &B : K.Buffers)
    for_each(B.Shape, Visit);
  visitNode(K.Root, Visit);
  for (Need &N : K.Needs)
    Visit(N.P);
  for (RaisedKernel::LiveOut &Out : R.LiveOuts)
    Visit(Out.IndexValue);
}

static void visitOps(Node &N, function_ref<void(Op &)> Visit) {
  for_each(N.L.Ops, Visit);
  for (std::unique_ptr<Node> &Child : N.Children)
    visitOps(*Child, Visit);
}

/// Erases the elements that are not \p Used. Returns the new number of each.
template <typename T>
static std::vector<uint32_t> erase(std::vector<T> &Elements,
                                   const std::vector<bool> &Used) {
  std::vector<uint32_t> NewId(Elements.size());
  uint32_t Next = 0;
  for (size_t I = 0; I != Elements.size(); ++I) {
    NewId[I] = Next;
    if (!Used[I])
      continue;
    if (Next != I)
      Elements[Next] = std::move(Elements[I]);
    ++Next;
  }
  Elements.resize(Next);
  return NewId;
}

static void renumber(Poly &P, const std::vector<uint32_t> &NewId) {
  Poly Result;
  for (const auto &[M, Coef] : P.terms()) {
    Monomial New;
    for (AtomId A : M)
      New.push_back(NewId[A]);
    Result += Poly::monomial(std::move(New), Coef);
  }
  P = std::move(Result);
}

void dlopt::dropUnused(RaisedKernel &R) {
  Kernel &K = *R.K;
  std::vector<bool> UsedAtoms(K.Atoms.size()), UsedParams(K.Params.size());
  auto Use = [&](Poly &P) {
    P.anyAtom([&](AtomId A) {
      UsedAtoms[A] = true;
      return false;
    });
  };
  visitPolys(R, Use);
  // Atoms are made of earlier ones.
  for (size_t I = K.Atoms.size(); I-- > 0;) {
    if (!UsedAtoms[I])
      continue;
    visitAtom(K.Atoms[I], Use);
    if (K.Atoms[I].K == Atom::Param)
      UsedParams[K.Atoms[I].Ref] = true;
  }
  visitOps(K.Root, [&](Op &O) {
    if (O.K == Op::Param)
      UsedParams[O.Ref] = true;
  });

  const std::vector<uint32_t> NewAtom = erase(K.Atoms, UsedAtoms);
  const std::vector<uint32_t> NewParam = erase(K.Params, UsedParams);
  auto Renumber = [&](Poly &P) { renumber(P, NewAtom); };
  visitPolys(R, Renumber);
  for (Atom &A : K.Atoms) {
    visitAtom(A, Renumber);
    if (A.K == Atom::Param)
      A.Ref = NewParam[A.Ref];
  }
  visitOps(K.Root, [&](Op &O) {
    if (O.K == Op::Param)
      O.Ref = NewParam[O.Ref];
  });
}
