//===- WindowSteps.cpp - Windows that move by 1 or 2 ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interpreters of nets have the steps of windows in structs, and hardly any
/// convolution has other steps than 1 or 2, or leaves out pixels:
///
///   for (y) for (r) { h = y * step + r * dilation - pad; if (h >= 0) ... }
///
///   for (y) for (r) { h = y + r - pad; ... }     needs step == dilation == 1
///
/// So have transposed convolutions, for (y) for (r) out[y * step + r - pad],
/// whose loops are no sums: there it is the outer one that a step is of.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Dependences.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;
using namespace dlopt;

namespace {
/// Parameters that are factors of axes where two of these are added.
struct WindowSteps {
  SmallSetVector<AtomId, 4> Steps;     ///< of parallel axes
  SmallSetVector<AtomId, 4> Dilations; ///< of others
  bool empty() const { return Steps.empty() && Dilations.empty(); }
};
} // namespace

/// Whether \p A is a number of the whole nest that is no bound of a loop.
static bool mayBeStep(const Kernel &K, AtomId A) {
  const Atom &Of = K.Atoms[A];
  if (Of.K != Atom::Param || K.Params[Of.Ref].Depth)
    return false;
  return none_of(K.Axes, [&](const Axis &X) {
    return any_of(X.Extents, [&](const Poly &P) {
      return K.anyNestedAtom(P, [&](const Atom &Y) { return Y == Of; });
    });
  });
}

/// Adds the factors of axes in \p P, an index of a window's row or column;
/// \p Around: all axes, outermost first.
static void addSteps(const Kernel &K, const Poly &P, ArrayRef<AxisId> Around,
                     WindowSteps &S) {
  SmallSetVector<AxisId, 4> Axes;
  SmallVector<std::pair<AxisId, AtomId>, 2> Factors;
  for (const auto &[Product, Coef] : P.terms()) {
    std::optional<AxisId> Axis;
    std::optional<AtomId> Step;
    for (AtomId A : Product)
      if (K.Atoms[A].K == Atom::Axis)
        Axis = K.Atoms[A].Ref;
      else
        Step = A;
    if (!Axis)
      continue;
    Axes.insert(*Axis);
    if (Product.size() == 1)
      continue;
    if (Product.size() != 2 || !Step || !mayBeStep(K, *Step))
      return;
    Factors.push_back({*Axis, *Step});
  }
  if (Axes.size() != 2)
    return;
  auto IsSum = [&](AxisId A) {
    return K.Axes[A].R == Role::Reduction || K.Axes[A].R == Role::Window;
  };
  bool HasSum = any_of(Axes, IsSum);
  AxisId Outer = *find_if(Around, [&](AxisId A) { return Axes.contains(A); });
  for (auto [A, Step] : Factors)
    (HasSum ? !IsSum(A) : A == Outer) ? S.Steps.insert(Step)
                                      : S.Dilations.insert(Step);
}

/// Which is a row or column if it is tested against the borders.
static WindowSteps findSteps(const Kernel &K) {
  WindowSteps S;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    for (const Constraint &C : L.Domain)
      addSteps(K, C.P, Around, S);
  });
  S.Dilations.remove_if([&](AtomId A) { return S.Steps.contains(A); });
  return S;
}

bool dlopt::assumeWindowSteps(Kernel &K, int64_t Step) {
  WindowSteps S = findSteps(K);
  if (S.Steps.empty() && (S.Dilations.empty() || Step != 1))
    return false;
  auto Assume = [&](AtomId A, int64_t Number) {
    auto Replace = [&](Poly &P) { P = P.substitute(A, Poly(Number)); };
    forEachPolyBelow(K, K.Root, Replace);
    for (Need &N : K.Needs)
      Replace(N.P);
    Need N;
    N.K = Need::InRange;
    N.P = Poly::atom(A);
    N.Lo = N.Hi = Number;
    if (!DLOPT_PLANTED(WindowStepAssumed))
      K.Needs.push_back(std::move(N));
  };
  dropNeedsOfRoles(K);
  for (AtomId A : S.Steps)
    Assume(A, Step);
  for (AtomId A : S.Dilations)
    Assume(A, 1);
  // Rows and columns show again.
  forEachAccess(K.Root, [&](Access &X) {
    if (K.Buffers[X.Buf].IsLocal)
      return;
    X.Subs = {X.offset()};
    X.Strides = {Poly(1)};
    delinearize(K, X);
  });
  computeRoles(K);
  return true;
}
