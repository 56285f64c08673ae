//===- ThreadVectors.cpp - Vectors that a thread of a GPU reads -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread of a GPU computes with scalars, but one instruction reads or writes
/// up to 16 aligned bytes of memory. LLVM uses that where it knows the
/// alignment, which of pointers that are arguments nobody knows: it is tested.
///
//===----------------------------------------------------------------------===//
#include "LaneChooser.h"
#include "LaneStrategy.h"
#include "dlopt/Expression.h"
#include "dlopt/Options.h"
#include "llvm/IR/DataLayout.h"

using namespace llvm;
using namespace dlopt;

/// Adds the axes with nothing but leaves inside.
static void addInnermost(const Node &N, SmallVectorImpl<const Node *> &Axes) {
  if (N.K == Node::AxisNode &&
      all_of(N.Children, [](const auto &C) { return C->K == Node::LeafNode; }))
    Axes.push_back(&N);
  for (const auto &Child : N.Children)
    addInnermost(*Child, Axes);
}

/// Calls \p Visit for what \p N reads and writes as aligned vectors along its
/// axis.
static void forEachVector(
    const Kernel &K, const Node &N, unsigned Elems,
    function_ref<void(const Access &, ScalarType, const VectorStart &)> Visit) {
  auto Use = [&](const Access &X, ScalarType Ty) {
    if (auto Start = getVectorStart(K, X, N.Ax, Elems))
      Visit(X, Ty, *Start);
    for (auto [Id, A] : enumerate(K.Atoms))
      if (A.K == Atom::Load && getOffset(K, X).uses(Id))
        if (auto Start = getVectorStart(K, A.Source, N.Ax, Elems))
          Visit(A.Source, K.Buffers[A.Source.Buf].Ty, *Start);
  };
  for (const auto &Child : N.Children) {
    for (const Op &O : Child->L.Ops)
      if (O.K == Op::Load)
        Use(O.Acc, O.Ty);
    for (const Assign &A : Child->L.Assigns)
      Use(A.Target, K.Buffers[A.Target.Buf].Ty);
  }
}

/// There is no library on a GPU.
static bool hasCalls(const Node &N, const LanePlan &Plan) {
  return any_of(N.Children, [&](const auto &Child) {
    return any_of(Child->L.Ops, [&](const Op &O) {
      return O.K == Op::LibCall && !getInlineMath(O, Plan) &&
             !(isRoot(O) && !O.WritesErrno);
    });
  });
}

Verdict dlopt::chooseThreadVectors(Kernel &K, const TargetModel &Target,
                                   const Options &O, const Function &F,
                                   LanePlan &Plan) {
  constexpr unsigned VectorBytes = 16;
  Verdict Left = {Reason::NoTargetSupport, nullptr, Target.NoSIMD.str()};
  if (!O.runs(Transformation::DeviceVectors) ||
      F.getDataLayout().getPointerSizeInBits() != 64)
    return Left;
  Plan.Math = getMathTarget(F, Target);
  Plan.Accuracy = getMathAccuracy(O, Plan.Math);
  SmallVector<const Node *, 2> Innermost, Taken;
  addInnermost(K.Root, Innermost);
  unsigned Bytes = 1;
  for (const Node *N : Innermost) {
    LaneChooser Chooser(K, Target, Plan, O.FastFP);
    std::optional<Candidate> C =
        K.Axes[N->Ax].R == Role::Parallel && !hasCalls(*N, Plan)
            ? Chooser.pick(*N)
            : std::nullopt;
    if (!C || C->Axes.size() != 1 || C->Axes.front() != N->Ax ||
        !C->Splits.empty() || C->Blocked || C->Searches)
      continue;
    Taken.push_back(N);
    Bytes = std::max(Bytes, C->Bytes);
  }
  Plan.VectorElems = VectorBytes / Bytes;
  for (const Node *N : Taken) {
    bool Any = false;
    forEachVector(K, *N, Plan.VectorElems,
                  [&](auto &, auto, auto &) { Any = true; });
    if (Any)
      Plan.Axes.push_back(N->Ax);
  }
  if (Plan.Axes.empty())
    return Left;
  Plan.Vectors = 1;
  Plan.PerThread = true;
  return {};
}

namespace {

/// Tests that vectors begin at multiples of their size.
class AlignmentTests {
public:
  AlignmentTests(GuardEmitter &E, const Kernel &K, const LanePlan &Plan)
      : E(E), K(K), Plan(Plan) {}

  /// All vectors below \p N. False: that cannot be tested.
  bool add(const Node &N);

private:
  bool add(const Access &X, ScalarType Ty, const VectorStart &Start);

  GuardEmitter &E;
  const Kernel &K;
  const LanePlan &Plan;
};

} // namespace

/// Masks in place of integers: LLVM goes on to see what is only read.
bool AlignmentTests::add(const Access &X, ScalarType Ty,
                         const VectorStart &Start) {
  uint64_t Size = getSizeInBytes(Ty);
  auto GetBytes = [&](const Poly &P) -> Value * {
    Value *V = E.getValue(P);
    return V ? E.builder().CreateMul(V, E.builder().getInt64(Size)) : nullptr;
  };
  Value *Base = E.getPointer(X.Buf), *First = GetBytes(Start.First);
  if (!Base || !First)
    return false;
  IRBuilderBase &B = E.builder();
  Value *Mask = B.getInt64(Size * Plan.VectorElems - 1);
  Value *Address = B.CreatePtrAdd(Base, First);
  Value *Rest =
      B.CreateIntrinsic(Intrinsic::ptrmask,
                        {Address->getType(), Mask->getType()}, {Address, Mask});
  E.addCondition(B.CreateIsNull(Rest));
  for (const Poly &Step : Start.Steps) {
    Value *Bytes = GetBytes(Step);
    if (!Bytes)
      return false;
    E.addCondition(
        E.builder().CreateIsNull(E.builder().CreateAnd(Bytes, Mask)));
  }
  return true;
}

bool AlignmentTests::add(const Node &N) {
  bool Ok = true;
  if (N.K == Node::AxisNode && is_contained(Plan.Axes, N.Ax))
    forEachVector(
        K, N, Plan.VectorElems,
        [&](const Access &X, ScalarType Ty, const VectorStart &Start) {
          Ok = Ok && add(X, Ty, Start);
        });
  return Ok &&
         all_of(N.Children, [&](const auto &Child) { return add(*Child); });
}

bool dlopt::addAlignmentTests(GuardEmitter &E, const Kernel &K,
                              const LanePlan &Plan) {
  return AlignmentTests(E, K, Plan).add(K.Root);
}
