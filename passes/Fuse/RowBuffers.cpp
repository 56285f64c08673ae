//===- RowBuffers.cpp - Rows of results in place of temporary ones --------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   for i {
///     for j { T[j] = f(i, j); s += T[j]; }
///     for j { O[i][j] = g(T[j], s); }
///   }
///
/// is, if nobody else reads T,
///
///   for i {
///     for j { O[i][j] = f(i, j); s += O[i][j]; }
///     for j { O[i][j] = g(O[i][j], s); }
///   }
///
/// whose rows have nothing in common any more: several may be summed at once.
///
//===----------------------------------------------------------------------===//
#include "Fusion.h"
#include "dlopt/Dependences.h"
#include "dlopt/Lanes.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// One array below one axis of rows.
class RowKeeper {
public:
  RowKeeper(Kernel &K, Node &Rows, BufferId Array)
      : K(K), Rows(Rows), Array(Array) {}
  /// Finds the result whose rows can take the place of the array.
  bool match();
  void apply();

private:
  bool usesArray(const Node &N) const { return uses(K, N, Array); }
  bool isPlainLoop(const Node &N) const;
  bool isElement(const Access &X, AxisId A) const;
  bool setsFirst(const Node &Loop) const;
  const Assign *getResult(const Node &Loop) const;
  bool isOnlyResult(const Assign &To) const;
  bool readsBefore(const Node &Loop, const Assign &To) const;
  Access getElement(AxisId A) const;

  Kernel &K;
  Node &Rows;
  BufferId Array;
  AxisId Last = 0; ///< the loop that writes the result
  Assign Result;
};

} // namespace

/// A loop of leaves that run always.
bool RowKeeper::isPlainLoop(const Node &N) const {
  return N.K == Node::AxisNode && all_of(N.Children, [](const auto &C) {
           return C->K == Node::LeafNode && C->L.Domain.empty() &&
                  !C->L.Predicate;
         });
}

bool RowKeeper::isElement(const Access &X, AxisId A) const {
  return X.offset() == Poly::atom(K.getAxisAtom(A));
}

/// Whether each round of \p Loop sets its element of the array before it reads
/// that.
bool RowKeeper::setsFirst(const Node &Loop) const {
  for (const auto &Child : Loop.Children) {
    if (reads(Child->L, Array))
      return false;
    if (assigns(Child->L, Array))
      return true;
  }
  return false;
}

/// What \p Loop writes that may be a row of the array's.
const Assign *RowKeeper::getResult(const Node &Loop) const {
  for (const auto &Child : Loop.Children)
    for (const Assign &A : Child->L.Assigns) {
      const Buffer &To = K.Buffers[A.Target.Buf];
      if (To.IsLocal || A.Target.Buf == Array || To.Ty != K.Buffers[Array].Ty)
        continue;
      std::optional<Poly> Along = getStride(K, A.Target.offset(), Loop.Ax),
                          Apart = getStride(K, A.Target.offset(), Rows.Ax);
      if (Along && Along->getConstant() == 1 && Apart && !Apart->isZero())
        return &A;
    }
  return nullptr;
}

/// Whether nothing else uses the buffer of \p To.
bool RowKeeper::isOnlyResult(const Assign &To) const {
  bool Only = none_of(K.Atoms, [&](const Atom &A) {
    return A.K == Atom::Load && A.Source.Buf == To.Target.Buf;
  });
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      Only &= O.K != Op::Load || O.Acc.Buf != To.Target.Buf;
    for (const Assign &A : L.Assigns)
      Only &= &A == &To || A.Target.Buf != To.Target.Buf;
  });
  return Only;
}

/// Whether nothing in a round of \p Loop uses the array behind \p To, but what
/// is assigned at the same time.
bool RowKeeper::readsBefore(const Node &Loop, const Assign &To) const {
  bool Behind = false;
  for (const auto &Child : Loop.Children) {
    if (Behind && usesArray(*Child))
      return false;
    for (const Assign &A : Child->L.Assigns) {
      if (A.Target.Buf == Array)
        return false;
      Behind |= &A == &To;
    }
  }
  return true;
}

bool RowKeeper::match() {
  const Node *First = nullptr, *Final = nullptr;
  for (const auto &Child : Rows.Children) {
    if (!usesArray(*Child))
      continue;
    if (!isPlainLoop(*Child))
      return false;
    First = First ? First : Child.get();
    Final = Child.get();
  }
  if (!First || First == Final ||
      (!setsFirst(*First) && !DLOPT_PLANTED(RowBufferUnset)))
    return false;
  for (const auto &Child : Rows.Children)
    if (usesArray(*Child)) {
      bool Ok = K.Axes[Child->Ax].Extents == K.Axes[Final->Ax].Extents;
      forEachLeaf(*Child, [&](const Leaf &L, ArrayRef<AxisId>) {
        for (const Op &O : L.Ops)
          Ok &= O.K != Op::Load || O.Acc.Buf != Array ||
                isElement(O.Acc, Child->Ax);
        for (const Assign &A : L.Assigns)
          Ok &= A.Target.Buf != Array || isElement(A.Target, Child->Ax);
      });
      if (!Ok)
        return false;
    }
  const Assign *To = getResult(*Final);
  if (!To || !isOnlyResult(*To) || !readsBefore(*Final, *To))
    return false;
  Last = Final->Ax;
  Result = *To;
  return true;
}

/// The element of the result in a round of the axis \p A.
Access RowKeeper::getElement(AxisId A) const {
  Access X = Result.Target;
  AtomId From = K.getAxisAtom(Last);
  Poly By = Poly::atom(K.getAxisAtom(A));
  for (Poly &P : X.Subs)
    P = P.substitute(From, By);
  return X;
}

void RowKeeper::apply() {
  for (auto &Child : Rows.Children) {
    if (!usesArray(*Child))
      continue;
    Access X = getElement(Child->Ax);
    for (auto &Leaf : Child->Children) {
      for (Op &O : Leaf->L.Ops)
        if (O.K == Op::Load && O.Acc.Buf == Array) {
          O.Acc = X;
          O.Origin = Result.Origin;
        }
      for (Assign &A : Leaf->L.Assigns)
        if (A.Target.Buf == Array) {
          A.Target = X;
          A.Origin = Result.Origin;
        }
    }
  }
}

/// Whether lanes of several rows have something to gain: sums in the order of
/// the source, and no calls, which keep theirs.
static bool hasChain(const Kernel &K, const Node &Rows) {
  bool Chain = false, Calls = false;
  for (const auto &Child : Rows.Children) {
    if (Child->K != Node::AxisNode)
      continue;
    Chain |=
        K.Axes[Child->Ax].R != Role::Parallel && !getLaneReductions(K, *Child);
    forEachLeaf(*Child, [&](const Leaf &L, ArrayRef<AxisId>) {
      Calls |= any_of(L.Ops, [](const Op &O) { return O.K == Op::LibCall; });
    });
  }
  return Chain && !Calls;
}

static bool keepRows(Kernel &K, Node &N, ArrayRef<BufferId> Private) {
  bool Changed = false;
  if (N.K == Node::AxisNode && hasChain(K, N))
    for (BufferId B : Private)
      if (RowKeeper Keeper(K, N, B); isFloat(K.Buffers[B].Ty) &&
                                     !isUsedBeside(K, K.Root, N, B) &&
                                     Keeper.match()) {
        Keeper.apply();
        Changed = true;
      }
  for (const auto &Child : N.Children)
    Changed |= keepRows(K, *Child, Private);
  return Changed;
}

/// Whether \p K has a parallel axis that \p Before has not.
static bool hasNewLanes(const Kernel &K, const Kernel &Before) {
  for (auto [New, Old] : zip(K.Axes, Before.Axes))
    if (New.R == Role::Parallel && Old.R != Role::Parallel)
      return true;
  return false;
}

bool dlopt::keepInRows(Kernel &K, ArrayRef<BufferId> Private) {
  if (Private.empty())
    return false;
  Kernel Trial;
  copyKernel(K, Trial);
  if (!keepRows(Trial, Trial.Root, Private))
    return false;
  computeRoles(Trial);
  if (!hasNewLanes(Trial, K))
    return false;
  K = std::move(Trial);
  return true;
}
