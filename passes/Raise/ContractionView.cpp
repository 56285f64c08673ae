//===- ContractionView.cpp - A kernel as a tensor contraction -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionMatcher.h"
#include "dlopt/Triangle.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

/// Flattens the subtree; only single assignments can be part of a contraction.
bool ContractionMatcher::collect(const Node &N, Axes &Around) {
  if (N.K == Node::LeafNode) {
    if (N.L.Assigns.size() != 1)
      return false;
    Stages.push_back({&N.L, Around});
    return Stages.size() <= 12;
  }
  bool IsAxis = N.K == Node::AxisNode;
  if (IsAxis) {
    Around.push_back(N.Ax);
    for (BufferId Local : N.Locals)
      Owners.push_back({N.Ax, Local});
  }
  for (const auto &Child : N.Children)
    if (!collect(*Child, Around))
      return false;
  if (IsAxis)
    Around.pop_back();
  return true;
}

/// Where all leaves that store to memory are under one condition between two
/// axes, that is the view's, and leaves are seen without it.
void ContractionMatcher::takeTriangle() {
  auto IsStore = [&](const Stage &S) {
    return isExternal(S.L->Assigns[0].Target);
  };
  auto *First = find_if(Stages, IsStore);
  if (First == Stages.end() || First->L->Domain.size() != 1)
    return;
  const Constraint Bound = First->L->Domain[0];
  auto HasBound = [&](const Stage &S) {
    return S.L->Domain.size() == 1 && S.L->Domain[0].P == Bound.P &&
           !S.L->Domain[0].IsEquality;
  };
  if (!HasBound(*First) || none_of(First->Around, [&](AxisId A) {
        return getDiagonalBound(K, Bound, A, First->Around);
      }))
    return;
  if (!all_of(Stages,
              [&](const Stage &S) { return !IsStore(S) || HasBound(S); }))
    return;
  for (Stage &S : Stages)
    if (HasBound(S)) {
      Leaf &Free = Freed.emplace_back(*S.L);
      Free.Domain.clear();
      S.L = &Free;
    }
  if (!DLOPT_PLANTED(TriangleIgnored))
    V.Triangle = Bound;
}

/// The condition is one between a row and a column of C.
bool ContractionMatcher::isOneTriangle() const {
  auto Bounds = [&](ArrayRef<AxisId> Columns, ArrayRef<AxisId> Rows) {
    return any_of(Columns, [&](AxisId A) {
      return getDiagonalBound(K, *V.Triangle, A, Rows).has_value();
    });
  };
  return !V.Triangle || Bounds(V.N, V.M) || Bounds(V.M, V.N);
}

/// \p Extent as that of a row of a triangle: one of the axes around, or what is
/// left of it, and a number.
std::optional<TriangularSteps>
ContractionMatcher::getSteps(const Poly &Extent) const {
  for (AxisId Row : Stages[*Update].Around) {
    std::optional<AtomId> Mine = axisAtom(Row);
    std::optional<Poly> Slope = Mine ? Extent.coefficient(*Mine) : std::nullopt;
    std::optional<int64_t> C = Slope ? Slope->getConstant() : std::nullopt;
    if (C && std::abs(*C) == 1 && K.isFixed(Extent.without(*Mine)))
      return TriangularSteps{Row, Extent.without(*Mine), *C < 0};
  }
  return std::nullopt;
}

/// Takes the extents of \p A as the steps of the view, which count from the
/// start of the rows. Rows of a band have neither their start nor their end in
/// common.
bool ContractionMatcher::takeSteps(AxisId A) {
  if (!Triangular || V.Steps || V.Triangle)
    return false;
  SmallVector<Poly, 1> Most;
  for (const Poly &Extent : K.Axes[A].Extents) {
    if (K.isFixed(Extent)) {
      Most.push_back(Extent);
      continue;
    }
    std::optional<TriangularSteps> Steps = getSteps(Extent);
    if (V.Steps || !Steps)
      return false;
    V.Steps = Steps;
  }
  std::optional<AtomId> Step = axisAtom(A), Row = axisAtom(V.Steps->Row);
  V.Steps->Most = std::move(Most);
  if (!V.Steps->FromDiagonal)
    return true;
  if (Step)
    for (Access *X : {&V.A, &V.B})
      for (Poly &Sub : X->Subs)
        Sub = Sub.substitute(*Step, Poly::atom(*Step) - Poly::atom(*Row));
  return V.Steps->Most.empty();
}

/// Which axes the operands and C use decides what they are. For a local
/// accumulator C is the element that the result is stored to.
bool ContractionMatcher::classifyAxes() {
  // A product in place, or of a matrix that changes meanwhile, is none.
  if (V.A.Buf == V.C.Buf || V.B.Buf == V.C.Buf)
    return false;
  auto IsLinear = [&](const Access &X) {
    auto Is = [&](const Poly &P) {
      return !P.anyAtom([&](AtomId A) {
        return K.Atoms[A].K != Atom::Axis && !K.isFixed(Poly::atom(A));
      });
    };
    return all_of(X.Subs, Is) && all_of(X.Strides, Is);
  };
  if (!IsLinear(V.A) || !IsLinear(V.B) || !IsLinear(V.C))
    return false;
  const Axes &Around = Stages[*Update].Around;
  // A box, but for one axis of K: every element of a row gets the same number
  // of products.
  for (AxisId A : Around)
    if (!K.hasFixedExtents(A) && !takeSteps(A))
      return false;
  for (AxisId A : Around) {
    bool InA = K.dependsOn(V.A, A), InB = K.dependsOn(V.B, A),
         InC = K.dependsOn(V.C, A);
    if (InC && InA && InB)
      V.Batch.push_back(A);
    else if (InC && InA)
      V.M.push_back(A);
    else if (InC && InB)
      V.N.push_back(A);
    else if (!InC && InA && InB)
      V.K.push_back(A);
    else
      return false;
    // Rows of C must not overlap: that is what makes its axes parallel.
    if (InC && !(IsParallel ? IsParallel(A) : K.Axes[A].R == Role::Parallel))
      return false;
  }
  return V.Steps ? V.K.size() == 1 && !K.hasFixedExtents(V.K[0]) &&
                       (is_contained(V.M, V.Steps->Row) ||
                        is_contained(V.N, V.Steps->Row))
                 : !V.K.empty();
}

/// Locals of one iteration of all of \p Around.
SmallVector<BufferId, 4>
ContractionMatcher::getLocalsOf(const Axes &Around) const {
  SmallVector<BufferId, 4> Locals;
  for (auto [A, Local] : Owners)
    if (!Around.empty() && A == Around.back())
      Locals.push_back(Local);
  return Locals;
}

/// Evaluates the leaves in front of the sum, which are in the loops of \p
/// Around; what is the same for all elements may be further out. No other leaf
/// assigns the same local, so its value is that of the latest iteration around.
bool ContractionMatcher::evaluateStart(ArrayRef<unsigned> Before,
                                       const Axes &Around,
                                       LeafEvaluator &E) const {
  for (unsigned I : Before) {
    const Stage &S = Stages[I];
    const Access &To = S.L->Assigns[0].Target;
    if (!E.add(*S.L))
      return false;
    if (S.Around == Around)
      continue;
    std::optional<OpId> Value = E.getValue(To);
    unsigned Assignments = count_if(Stages, [&](const Stage &Other) {
      return Other.L->Assigns[0].Target.Buf == To.Buf;
    });
    if (!isLocalScalar(To) || To.Buf == Target.Buf || Assignments != 1 ||
        !Value || !E.isUniform(*Value) || S.Around.size() > Around.size() ||
        !std::equal(S.Around.begin(), S.Around.end(), Around.begin()))
      return false;
  }
  return true;
}

/// `test ? element : other`, where the element is read only if it is chosen.
bool ContractionMatcher::matchConditionalStart(const LeafEvaluator &E,
                                               OpId Select) {
  const Op &O = E[Select];
  if (O.K != Op::Inst || O.Opcode != Instruction::Select)
    return false;
  for (unsigned Arm : {1, 2}) {
    OpId Element = O.Args[Arm], Other = O.Args[3 - Arm];
    std::optional<OpId> Condition = E.getCondition(Element);
    if (!Condition || !E.isUniform(Other))
      continue;
    if (Arm == 1 ? *Condition != O.Args[0]
                 : !E.areOpposite(*Condition, O.Args[0]))
      continue;
    V.StartAccess = E.getOperand(Element)->X;
    V.StartCondition = E.extractScalar(*Condition);
    V.StartValue = E.extractScalar(Other);
    return true;
  }
  return false;
}

/// The start value: the same for all, or an element that is no accumulator.
bool ContractionMatcher::matchStart(const LeafEvaluator &E, OpId Value) {
  if (E.isUniform(Value)) {
    V.StartValue = E.extractScalar(Value);
    return true;
  }
  const ResultOperand *O = E.getOperand(Value);
  if (!O)
    return matchConditionalStart(E, Value);
  V.StartAccess = O->X;
  return true;
}

/// What is stored behind the sum, in one or several steps.
bool ContractionMatcher::matchResult(LeafEvaluator &E,
                                     ArrayRef<unsigned> After) {
  E.setSum(Target, V.Ty);
  for (unsigned I : After)
    if (!E.add(*Stages[I].L) && !DLOPT_PLANTED(ExtraStoreIgnored))
      return false;
  if (!E.getOutput())
    return false;
  V.C = *E.getOutput();
  std::optional<OpId> Value = E.getValue(V.C);
  if (!Value)
    return false;
  V.Result = E.extract(*Value, V.Operands);
  // Another element of C may have its result already. What does not depend on
  // the sum is no contraction.
  bool UsesSum = false;
  for (const ResultOperand &O : V.Operands) {
    UsesSum |= O.K == ResultOperand::Sum;
    if (O.K == ResultOperand::Element && O.X.Buf == V.C.Buf &&
        !isSameElement(O.X, V.C))
      return false;
  }
  if (E.getOperand(*Value))
    V.Result = Expression();
  if (DLOPT_PLANTED(PostAddAsStart) && V.readsOutput()) {
    V.Result = Expression();
    V.Operands.clear();
    V.StartValue = ScalarExpression();
    V.StartAccess = V.C;
  }
  return UsesSum;
}

/// start; k loops { update }; result: start and result in the same iteration,
/// around them exactly the axes of C.
bool ContractionMatcher::matchLocalAccumulator() {
  SmallVector<unsigned, 2> Before, After;
  for (unsigned I = 0; I != Stages.size(); ++I)
    if (I != *Update && !is_contained(Copies, I))
      (I < *Update ? Before : After).push_back(I);
  if (After.empty())
    return false;
  const Axes &Outer = Stages[After[0]].Around, &All = Stages[*Update].Around;
  SmallVector<BufferId, 4> Fresh = getLocalsOf(Outer);
  LeafEvaluator E(K, Fresh);
  if (!evaluateStart(Before, Outer, E))
    return false;
  std::optional<OpId> First = E.getValue(Target);
  if (!First || !matchStart(E, *First) || !matchResult(E, After) ||
      !classifyAxes())
    return false;
  return all_of(After, [&](unsigned I) { return Stages[I].Around == Outer; }) &&
         Outer.size() + V.K.size() == All.size() &&
         std::equal(Outer.begin(), Outer.end(), All.begin()) &&
         none_of(V.K, [&](AxisId A) { return is_contained(Outer, A); });
}

/// Rewrites \p X from the axes around \p S to those of the update that have the
/// same role: equal extents, in order. False if an axis has no partner.
bool ContractionMatcher::renameAxes(const Stage &S, Access &X) const {
  const Axes &All = Stages[*Update].Around;
  unsigned Common = 0;
  while (Common < S.Around.size() && Common < All.size() &&
         S.Around[Common] == All[Common])
    ++Common;
  // The values must be set once for all updates, so no k loop is around both.
  for (unsigned I = 0; I != Common; ++I)
    if (is_contained(V.K, All[I]))
      return false;
  // Partners: the axes of C that are not shared, matched by the coefficient
  // they have in C.
  SmallVector<AxisId, 4> Free;
  for (AxisId A : All)
    if (!is_contained(V.K, A) &&
        !is_contained(ArrayRef<AxisId>(All).take_front(Common), A))
      Free.push_back(A);
  if (Free.size() != S.Around.size() - Common)
    return false;
  Poly Offset = V.C.offset();
  const Access &First = S.L->Assigns[0].Target;
  Poly FirstOffset = First.offset();
  for (AxisId Mine : ArrayRef<AxisId>(S.Around).drop_front(Common)) {
    std::optional<AtomId> MyAtom = axisAtom(Mine);
    if (!MyAtom)
      return false;
    std::optional<Poly> Stride = FirstOffset.coefficient(*MyAtom);
    auto *Partner = find_if(Free, [&](AxisId A) {
      std::optional<AtomId> Theirs = axisAtom(A);
      return Theirs && Stride && Offset.coefficient(*Theirs) == *Stride &&
             K.Axes[A].Extents == K.Axes[Mine].Extents;
    });
    if (Partner == Free.end())
      return false;
    Poly Theirs = Poly::atom(*axisAtom(*Partner));
    for (Poly &Sub : X.Subs)
      Sub = Sub.substitute(*MyAtom, Theirs);
    for (Poly &Stride : X.Strides)
      Stride = Stride.substitute(*MyAtom, Theirs);
    Free.erase(Partner);
  }
  return true;
}

/// A start that is stored to C itself, in the same loops or in its own ones.
bool ContractionMatcher::matchSeparateStart(ArrayRef<unsigned> Before) {
  const Stage &S = Stages[Before.back()];
  SmallVector<BufferId, 4> Fresh = getLocalsOf(S.Around);
  LeafEvaluator E(K, Fresh);
  if (!evaluateStart(Before, S.Around, E) || !E.getOutput())
    return false;
  Access To = *E.getOutput();
  std::optional<OpId> Value = E.getValue(To);
  if (!Value || !matchStart(E, *Value) || !renameAxes(S, To) ||
      !isSameElement(To, Target))
    return false;
  return !V.StartAccess || renameAxes(S, *V.StartAccess);
}

/// Updates of C in memory, perhaps after a start that is stored to C.
bool ContractionMatcher::matchMemoryAccumulator() {
  V.C = Target;
  if (!classifyAxes())
    return false;
  SmallVector<unsigned, 2> Others;
  for (unsigned I = 0; I != Stages.size(); ++I)
    if (I != *Update && !is_contained(Copies, I))
      Others.push_back(I);
  if (Others.empty())
    return true;
  return Others.back() < *Update && matchSeparateStart(Others);
}

std::optional<ContractionView> ContractionMatcher::match(const Node &Subtree) {
  Axes Around;
  if (!collect(Subtree, Around))
    return std::nullopt;
  takeTriangle();
  if (!findUpdate() || !resolveCopy(V.A, V.FactorA) ||
      !resolveCopy(V.B, V.FactorB))
    return std::nullopt;
  bool Ok = isLocalScalar(Target) ? matchLocalAccumulator()
            : isExternal(Target)  ? matchMemoryAccumulator()
                                  : false;
  // A start from C is C's own element: another one may have its result already.
  if (!Ok || !isOneTriangle() ||
      (V.StartAccess && V.StartAccess->Buf == V.C.Buf &&
       !isSameElement(*V.StartAccess, V.C)))
    return std::nullopt;
  return V;
}

bool ContractionView::readsOutput() const {
  return any_of(Operands, [&](const ResultOperand &O) {
    return O.K == ResultOperand::Element && isSameElement(O.X, C);
  });
}

std::optional<ContractionView>
dlopt::matchContraction(const Kernel &K, const Node &Subtree, bool Triangular,
                        function_ref<bool(AxisId)> IsParallel) {
  return ContractionMatcher(K, Triangular, IsParallel).match(Subtree);
}
