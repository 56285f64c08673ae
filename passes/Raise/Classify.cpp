//===- Classify.cpp - Names of kernels ------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interprets the rows of Kinds.def.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Combiners.h"
#include "dlopt/ContractionView.h"
#include "dlopt/Raise.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// How an operand of a contraction lies in memory.
enum class Layout : uint8_t { N, T, V, Unknown };

struct ContractionRow {
  StringLiteral Name;
  bool Batch, M, N;
  Layout A, B;
};
constexpr ContractionRow Contractions[] = {
#define DLOPT_CONTRACTION(NAME, BATCH, M, N, A, B)                             \
  {NAME, BATCH, M, N, Layout::A, Layout::B},
#include "dlopt/Kinds.def"
};

enum class Shape : uint8_t { Dot, Outer, Map, Reduce, Any };
struct KindRow {
  StringLiteral Name;
  Shape S;
};
constexpr KindRow Kinds[] = {
#define DLOPT_KIND(NAME, SHAPE) {NAME, Shape::SHAPE},
#include "dlopt/Kinds.def"
};

class Classifier {
public:
  explicit Classifier(Kernel &K) : K(K) {}
  std::string find();

private:
  bool hasUnitStride(const Access &X, ArrayRef<AxisId> Axes);
  bool hasConstantStride(const Access &X, ArrayRef<AxisId> Axes);
  Layout getLayout(const Access &X, ArrayRef<AxisId> Rows,
                   ArrayRef<AxisId> Columns);
  StringRef findContraction(ContractionView V);
  bool fits(Shape S);
  bool isProduct(const Leaf &L, OpId Id, const Op *&A, const Op *&B) const;
  bool isDot();
  bool isOuter();

  Kernel &K;
  SmallVector<const Leaf *, 8> Leaves;
  SmallVector<AxisId, 8> Axes;
  ScalarType Ty = ScalarType::F32; ///< of the last assignment
};

} // namespace

bool Classifier::hasUnitStride(const Access &X, ArrayRef<AxisId> Of) {
  Poly Offset = X.offset();
  return any_of(Of, [&](AxisId A) {
    std::optional<Poly> C = Offset.coefficient(K.getAxisAtom(A));
    return C && *C == Poly(1);
  });
}

bool Classifier::hasConstantStride(const Access &X, ArrayRef<AxisId> Of) {
  Poly Offset = X.offset();
  return any_of(Of, [&](AxisId A) {
    std::optional<Poly> C = Offset.coefficient(K.getAxisAtom(A));
    return C && C->getConstant();
  });
}

Layout Classifier::getLayout(const Access &X, ArrayRef<AxisId> Rows,
                             ArrayRef<AxisId> Columns) {
  if (Rows.empty() || Columns.empty())
    return Layout::V;
  if (hasUnitStride(X, Columns))
    return Layout::N;
  if (hasUnitStride(X, Rows))
    return Layout::T;
  // Backwards, or every so many columns.
  if (hasConstantStride(X, Columns))
    return Layout::N;
  return hasConstantStride(X, Rows) ? Layout::T : Layout::Unknown;
}

StringRef Classifier::findContraction(ContractionView V) {
  // A convolution is a contraction too, but not by that name.
  if (!V.Steps &&
      any_of(Axes, [&](AxisId A) { return K.Axes[A].R == Role::Window; }))
    return "";
  // The order of the factors says nothing: n is the axis along C's rows.
  bool Swap = V.M.empty() || V.N.empty()
                  ? V.M.empty()
                  : hasUnitStride(V.C, V.M) && !hasUnitStride(V.C, V.N);
  if (Swap) {
    std::swap(V.A, V.B);
    std::swap(V.M, V.N);
  }
  Layout A = getLayout(V.A, V.M, V.K), B = getLayout(V.B, V.K, V.N);
  // As arguments say: rows by default.
  for (Layout *L : {&A, &B})
    if (*L == Layout::Unknown && V.Batch.empty())
      *L = Layout::N;
  for (const ContractionRow &R : Contractions)
    if (R.Batch == !V.Batch.empty() && R.M == !V.M.empty() &&
        R.N == !V.N.empty() && R.A == A && R.B == B)
      return R.Name;
  return "";
}

/// A product of two elements.
bool Classifier::isProduct(const Leaf &L, OpId Id, const Op *&A,
                           const Op *&B) const {
  const Op &O = L.Ops[Id];
  unsigned Opcode = O.K == Op::Inst ? O.Opcode : 0;
  bool IsFMA = O.K == Op::Intrinsic &&
               (O.Opcode == Intrinsic::fmuladd || O.Opcode == Intrinsic::fma);
  if (!IsFMA && Opcode != Instruction::FMul && Opcode != Instruction::Mul)
    return false;
  A = &L.Ops[O.Args[0]];
  B = &L.Ops[O.Args[1]];
  auto IsElement = [&](const Op *X) {
    return X->K == Op::Load && !K.Buffers[X->Acc.Buf].IsLocal;
  };
  return IsElement(A) && IsElement(B);
}

/// acc = start; for k: acc += a[k] * b[k], and nothing else.
bool Classifier::isDot() {
  if (Axes.size() != 1 || K.Axes[Axes[0]].R != Role::Reduction ||
      Leaves.empty() || Leaves.size() > 2)
    return false;
  const Leaf &L = *Leaves.back();
  if (L.Assigns.size() != 1 || !L.Domain.empty() || L.Predicate ||
      !getCombiner(L, L.Assigns[0]))
    return false;
  const Op *A, *B;
  OpId Value = L.Assigns[0].Value;
  if (isProduct(L, Value, A, B))
    return true;
  const Op &O = L.Ops[Value];
  return O.K == Op::Inst &&
         (O.Opcode == Instruction::FAdd || O.Opcode == Instruction::Add) &&
         any_of(O.Args, [&](OpId Id) { return isProduct(L, Id, A, B); });
}

/// C[m,n] = a[m] * b[n], or += that.
bool Classifier::isOuter() {
  if (Leaves.size() != 1 || Axes.size() != 2)
    return false;
  const Leaf &L = *Leaves[0];
  if (L.Assigns.size() != 1 || !L.Domain.empty() || L.Predicate)
    return false;
  const Op *A = nullptr, *B = nullptr;
  const Assign &To = L.Assigns[0];
  bool Found = isProduct(L, To.Value, A, B);
  const Op &O = L.Ops[To.Value];
  if (!Found && getCombiner(L, To) && O.Opcode == Instruction::FAdd)
    Found = any_of(O.Args, [&](OpId Id) { return isProduct(L, Id, A, B); });
  if (!Found)
    return false;
  auto Uses = [&](const Access &X, unsigned I) {
    return K.dependsOn(X, Axes[I]);
  };
  bool Crossed = Uses(A->Acc, 1);
  return Uses(To.Target, 0) && Uses(To.Target, 1) && Uses(A->Acc, Crossed) &&
         !Uses(A->Acc, !Crossed) && Uses(B->Acc, !Crossed) &&
         !Uses(B->Acc, Crossed);
}

bool Classifier::fits(Shape S) {
  auto All = [&](bool AlsoReductions) {
    return all_of(Axes, [&](AxisId A) {
      Role R = K.Axes[A].R;
      return R == Role::Parallel ||
             (AlsoReductions && (R == Role::Reduction || R == Role::Window));
    });
  };
  switch (S) {
  case Shape::Dot:
    return isDot();
  case Shape::Outer:
    return All(false) && isOuter();
  case Shape::Map:
    return All(false);
  case Shape::Reduce:
    return All(true);
  case Shape::Any:
    return true;
  }
  return false;
}

std::string Classifier::find() {
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    Leaves.push_back(&L);
    for (AxisId A : Around)
      if (!is_contained(Axes, A))
        Axes.push_back(A);
    if (!L.Assigns.empty())
      Ty = K.Buffers[L.Assigns.back().Target.Buf].Ty;
  });
  StringRef Name;
  if (K.Root.Children.size() == 1)
    if (std::optional<ContractionView> V =
            matchContraction(K, *K.Root.Children[0], /*Triangular=*/true)) {
      Name = findContraction(*V);
      Ty = V->Ty;
    }
  for (const KindRow &R : Kinds)
    if (Name.empty() && fits(R.S))
      Name = R.Name;
  return (Name + " " + dlopt::getName(Ty)).str();
}

void dlopt::classifyKernel(Kernel &K) { K.Kind = Classifier(K).find(); }
