//===- ContractionView.cpp - A kernel as a tensor contraction -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/ContractionView.h"
#include "LeafEvaluator.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

namespace {

using Axes = SmallVector<AxisId, 4>;

/// A leaf and the axes of the subtree around it, outermost first.
struct Stage {
  const Leaf *L = nullptr;
  Axes Around;
  bool isPlain() const {
    return (L->Domain.empty() || DLOPT_PLANTED(TriangleIgnored)) &&
           (!L->Predicate || DLOPT_PLANTED(PredicateIgnored));
  }
};

/// Matches one subtree. Every step narrows what the leaves may be and gives up
/// at the first that is something else.
class Matcher {
public:
  explicit Matcher(const Kernel &K) : K(K) {}
  std::optional<ContractionView> match(const Node &Subtree);

private:
  bool collect(const Node &N, Axes &Around);
  bool findUpdate();
  bool matchUpdate(const Stage &S);
  bool matchOperand(const Leaf &L, OpId Id, Access &X);
  bool matchFactor(const Leaf &L, OpId Id, Access &X, Expression &Factor);
  bool resolveCopy(Access &X, Expression &Factor);
  bool classifyAxes();
  bool matchLocalAccumulator();
  bool matchMemoryAccumulator();
  bool evaluateStart(ArrayRef<unsigned> Before, const Axes &Around,
                     LeafEvaluator &E) const;
  SmallVector<BufferId, 4> getLocalsOf(const Axes &Around) const;
  bool matchStart(const LeafEvaluator &E, OpId Value);
  bool matchConditionalStart(const LeafEvaluator &E, OpId Select);
  bool matchResult(LeafEvaluator &E, ArrayRef<unsigned> After);
  bool matchSeparateStart(ArrayRef<unsigned> Before);
  bool renameAxes(const Stage &S, Access &X) const;

  const Op &op(const Leaf &L, OpId Id) const { return L.Ops[Id]; }
  bool isLocalScalar(const Access &X) const {
    return K.Buffers[X.Buf].IsLocal && K.Buffers[X.Buf].Shape.empty();
  }
  bool isExternal(const Access &X) const { return !K.Buffers[X.Buf].IsLocal; }
  std::optional<AtomId> axisAtom(AxisId A) const {
    for (auto [Id, At] : enumerate(K.Atoms))
      if (At.K == Atom::Axis && At.Ref == A)
        return Id;
    return std::nullopt;
  }

  const Kernel &K;
  SmallVector<Stage, 4> Stages;
  /// Axes, and the locals that live for one iteration of them.
  SmallVector<std::pair<AxisId, BufferId>, 4> Owners;
  std::optional<unsigned> Update;
  SmallVector<unsigned, 2> Copies; ///< stages that copy an operand to a local
  Access Target;                   ///< the accumulator
  ContractionView V;
};

} // namespace

/// Flattens the subtree; only single assignments can be part of a contraction.
bool Matcher::collect(const Node &N, Axes &Around) {
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

/// A load of an external element or of a local scalar.
bool Matcher::matchOperand(const Leaf &L, OpId Id, Access &X) {
  const Op &O = op(L, Id);
  if (O.K != Op::Load || O.Ty != K.Buffers[O.Acc.Buf].Ty)
    return false;
  X = O.Acc;
  return isExternal(X) || isLocalScalar(X);
}

/// An operand, or its product with a parameter.
bool Matcher::matchFactor(const Leaf &L, OpId Id, Access &X,
                          Expression &Factor) {
  if (matchOperand(L, Id, X))
    return true;
  const Op &O = op(L, Id);
  if (O.K != Op::Inst || O.Opcode != Instruction::FMul || !Factor.empty())
    return false;
  for (unsigned I : {0u, 1u}) {
    const Op &P = op(L, O.Args[I]);
    if (P.K != Op::Param || !matchOperand(L, O.Args[1 - I], X))
      continue;
    ResultOperand Scalar;
    Scalar.K = ResultOperand::Scalar;
    Scalar.Ty = O.Ty;
    Scalar.P = P.Ref;
    OpId Args[2];
    Args[1 - I] = Factor.addOperand(0, O.Ty);
    Args[I] = Factor.addOperand(1 + V.Operands.size(), O.Ty);
    Factor.Result = Factor.addInst(Instruction::FMul, O.Ty, Args, O.FMF);
    V.Operands.push_back(std::move(Scalar));
    return true;
  }
  return false;
}

/// acc = fmuladd(a, b, acc), fma(a, b, acc), acc + a * b, a * b + acc.
bool Matcher::matchUpdate(const Stage &S) {
  const Leaf &L = *S.L;
  const Assign &To = L.Assigns[0];
  const Op &O = op(L, To.Value);
  auto IsTarget = [&](OpId Id) {
    Access X;
    return matchOperand(L, Id, X) && isSameElement(X, To.Target);
  };
  OpId Factors[2];
  if (O.K == Op::Intrinsic &&
      (O.Opcode == Intrinsic::fmuladd || O.Opcode == Intrinsic::fma)) {
    if (!IsTarget(O.Args[2]))
      return false;
    V.Comb = O.Opcode == Intrinsic::fma ? ContractionView::FMA
                                        : ContractionView::FMulAdd;
    Factors[0] = O.Args[0];
    Factors[1] = O.Args[1];
  } else if (O.K == Op::Inst && (O.Opcode == Instruction::FAdd ||
                                 (DLOPT_PLANTED(SubtractionAsAddition) &&
                                  O.Opcode == Instruction::FSub))) {
    unsigned Product = IsTarget(O.Args[0]) ? 1 : 0;
    if (!IsTarget(O.Args[1 - Product]))
      return false;
    const Op &Mul = op(L, O.Args[Product]);
    if (Mul.K != Op::Inst || Mul.Opcode != Instruction::FMul)
      return false;
    V.Comb = ContractionView::MulAdd;
    V.MulFlags = Mul.FMF;
    Factors[0] = Mul.Args[0];
    Factors[1] = Mul.Args[1];
  } else {
    return false;
  }
  V.AddFlags = O.FMF;
  V.Ty = O.Ty;
  Target = To.Target;
  // Both factors may be extended.
  auto IsExtended = [&](OpId Id) {
    return op(L, Id).K == Op::Inst && op(L, Id).Opcode == Instruction::FPExt;
  };
  if (IsExtended(Factors[0]) && IsExtended(Factors[1]))
    for (OpId &Factor : Factors)
      Factor = op(L, Factor).Args[0];
  if (!matchFactor(L, Factors[0], V.A, V.FactorA) ||
      !matchFactor(L, Factors[1], V.B, V.FactorB))
    return false;
  V.OperandTy = K.Buffers[V.A.Buf].Ty;
  return K.Buffers[V.B.Buf].Ty == V.OperandTy &&
         K.Buffers[Target.Buf].Ty == V.Ty;
}

bool Matcher::findUpdate() {
  for (unsigned I = 0; I != Stages.size(); ++I) {
    ContractionView Saved = V;
    if (Stages[I].isPlain() && matchUpdate(Stages[I])) {
      if (Update)
        return false;
      Update = I;
    } else {
      V = Saved;
    }
  }
  return Update.has_value();
}

/// `a = A[i,k]` in front of the update, in loops around it: the operand is the
/// element itself. The local has this one assignment, so its value in the
/// update is that of the latest iteration of the enclosing axes, which are the
/// element's own.
bool Matcher::resolveCopy(Access &X, Expression &Factor) {
  if (isExternal(X))
    return true;
  if (X.Buf == Target.Buf)
    return false;
  std::optional<unsigned> Source;
  for (unsigned I = 0; I != Stages.size(); ++I) {
    if (Stages[I].L->Assigns[0].Target.Buf != X.Buf)
      continue;
    if (Source || I > *Update)
      return false;
    Source = I;
  }
  if (!Source)
    return false;
  const Stage &S = Stages[*Source];
  if (!S.isPlain())
    return false;
  const Axes &Inner = Stages[*Update].Around;
  if (S.Around.size() > Inner.size() ||
      !std::equal(S.Around.begin(), S.Around.end(), Inner.begin()))
    return false;
  Access From;
  if (!matchFactor(*S.L, S.L->Assigns[0].Value, From, Factor) ||
      !isExternal(From))
    return false;
  X = From;
  if (!is_contained(Copies, *Source))
    Copies.push_back(*Source);
  return true;
}

/// Which axes the operands and C use decides what they are. For a local
/// accumulator C is the element that the result is stored to.
bool Matcher::classifyAxes() {
  // A product in place, or of a matrix that changes meanwhile, is none.
  if (V.A.Buf == V.C.Buf || V.B.Buf == V.C.Buf)
    return false;
  auto IsFixed = [&](const Poly &P) {
    return !K.anyNestedAtom(P, [](const Atom &At) {
      return At.K == Atom::Axis || At.K == Atom::Load;
    });
  };
  auto IsLinear = [&](const Access &X) {
    auto Is = [&](const Poly &P) {
      return !P.anyAtom([&](AtomId A) {
        return K.Atoms[A].K != Atom::Axis && !IsFixed(Poly::atom(A));
      });
    };
    return all_of(X.Subs, Is) && all_of(X.Strides, Is);
  };
  if (!IsLinear(V.A) || !IsLinear(V.B) || !IsLinear(V.C))
    return false;
  for (AxisId A : Stages[*Update].Around) {
    // A box: every element of C gets the same number of products.
    if (K.Axes[A].Extents.size() != 1 || !IsFixed(K.Axes[A].Extents[0]))
      return false;
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
    if (InC && K.Axes[A].R != Role::Parallel)
      return false;
  }
  return !V.K.empty();
}

/// Locals of one iteration of all of \p Around.
SmallVector<BufferId, 4> Matcher::getLocalsOf(const Axes &Around) const {
  SmallVector<BufferId, 4> Locals;
  for (auto [A, Local] : Owners)
    if (!Around.empty() && A == Around.back())
      Locals.push_back(Local);
  return Locals;
}

/// Evaluates the leaves in front of the sum, which are in the loops of \p
/// Around; what is the same for all elements may be further out. No other leaf
/// assigns the same local, so its value is that of the latest iteration around.
bool Matcher::evaluateStart(ArrayRef<unsigned> Before, const Axes &Around,
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
bool Matcher::matchConditionalStart(const LeafEvaluator &E, OpId Select) {
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
bool Matcher::matchStart(const LeafEvaluator &E, OpId Value) {
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
bool Matcher::matchResult(LeafEvaluator &E, ArrayRef<unsigned> After) {
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
bool Matcher::matchLocalAccumulator() {
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
bool Matcher::renameAxes(const Stage &S, Access &X) const {
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
bool Matcher::matchSeparateStart(ArrayRef<unsigned> Before) {
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
bool Matcher::matchMemoryAccumulator() {
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

std::optional<ContractionView> Matcher::match(const Node &Subtree) {
  Axes Around;
  if (!collect(Subtree, Around) || !findUpdate() ||
      !resolveCopy(V.A, V.FactorA) || !resolveCopy(V.B, V.FactorB))
    return std::nullopt;
  bool Ok = isLocalScalar(Target) ? matchLocalAccumulator()
            : isExternal(Target)  ? matchMemoryAccumulator()
                                  : false;
  // A start from C is C's own element: another one may have its result already.
  if (!Ok || (V.StartAccess && V.StartAccess->Buf == V.C.Buf &&
              !isSameElement(*V.StartAccess, V.C)))
    return std::nullopt;
  return V;
}

bool ContractionView::readsOutput() const {
  return any_of(Operands, [&](const ResultOperand &O) {
    return O.K == ResultOperand::Element && isSameElement(O.X, C);
  });
}

std::optional<ContractionView> dlopt::matchContraction(const Kernel &K,
                                                       const Node &Subtree) {
  return Matcher(K).match(Subtree);
}
