//===- ContractionBinding.cpp - Kernels as matrix products ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionStrategy.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Triangle.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

//===----------------------------------------------------------------------===//
// Find: the view's accesses as matrices
//===----------------------------------------------------------------------===//

/// The stride of the innermost axis of \p G (zero if there is none), if the
/// others continue it.
static std::optional<Poly> getStride(const Kernel &K, const Poly &Offset,
                                     const AxisGroup &G) {
  Poly Innermost, Expected;
  for (AxisId A : reverse(G)) {
    if (A != G.front() && K.Axes[A].Extents.size() != 1)
      return std::nullopt;
    std::optional<Poly> Own = getStride(K, Offset, A);
    if (A == G.back() && Own)
      Innermost = Expected = *Own;
    if (!Own || (*Own != Expected && !DLOPT_PLANTED(GroupStrideUnchecked)))
      return std::nullopt;
    Expected = Expected * K.Axes[A].Extents[0];
  }
  return Innermost;
}

/// \p X as a matrix over \p Row and \p Column with column stride \p ColStride
/// (nullopt: any); nullopt if it is anything else.
static std::optional<MatrixOperand>
getMatrix(const Kernel &K, const Access &X, const ContractionChoice &Choice,
          const AxisGroup &Row, const AxisGroup &Column,
          std::optional<int64_t> ColStride) {
  if (K.Buffers[X.Buf].IsLocal)
    return std::nullopt;
  Poly Offset = X.offset();
  std::optional<Poly> RowStride = getStride(K, Offset, Row);
  std::optional<Poly> Stride = getStride(K, Offset, Column);
  if (!RowStride || !Stride ||
      (!Column.empty() && ColStride && Stride->getConstant() != *ColStride))
    return std::nullopt;
  MatrixOperand Op;
  Op.Buf = X.Buf;
  Op.Ld = *RowStride;
  Op.ColumnStep = *Stride;
  Op.Base = Offset;
  // No axis may hide in a stride, a base, a div or a loaded value.
  for (AxisId A : Choice.Outer) {
    std::optional<Poly> Step = getStride(K, Offset, A);
    if (!Step || !K.isFixed(*Step))
      return std::nullopt;
    Op.Steps.push_back(*Step);
  }
  for (auto [Id, At] : enumerate(K.Atoms))
    if (At.K == Atom::Axis &&
        (is_contained(Row, At.Ref) || is_contained(Column, At.Ref) ||
         is_contained(Choice.Outer, At.Ref)))
      Op.Base = Op.Base.without(Id);
  if (!K.isFixed(Op.Base) || !K.isFixed(Op.Ld) || !K.isFixed(Op.ColumnStep))
    return std::nullopt;
  return Op;
}

/// As many of \p Axes as are one axis for all of \p Offsets, with \p Innermost.
static AxisGroup getGroup(const Kernel &K, ArrayRef<AxisId> Axes,
                          AxisId Innermost, ArrayRef<Poly> Offsets) {
  AxisGroup G = {Innermost};
  auto Continues = [&](AxisId A) {
    return !is_contained(G, A) && all_of(Offsets, [&](const Poly &Offset) {
      std::optional<Poly> Inner = getStride(K, Offset, G.front());
      std::optional<Poly> Own = getStride(K, Offset, A);
      if (DLOPT_PLANTED(GroupStrideUnchecked))
        return true;
      ArrayRef<Poly> Extents = K.Axes[G.front()].Extents;
      return Inner && Own && Extents.size() == 1 &&
             *Own == *Inner * Extents.front();
    });
  };
  for (auto *It = find_if(Axes, Continues); It != Axes.end();
       It = find_if(Axes, Continues))
    G.insert(G.begin(), *It);
  return G;
}

/// The axes of \p Axes that are not in \p G go around the products.
static void addOuter(ArrayRef<AxisId> Axes, const AxisGroup &G,
                     ContractionChoice &Choice) {
  for (AxisId A : Axes)
    if (!is_contained(G, A))
      Choice.Outer.push_back(A);
}

/// A factor: as it lies in memory or, with \p Trans, as its transpose. Of
/// matrices that have no adjacent elements, rows are what is closer together.
static std::optional<MatrixOperand> getFactor(const Kernel &K, const Access &X,
                                              const ContractionChoice &Choice,
                                              const AxisGroup &Row,
                                              const AxisGroup &Column,
                                              bool &Trans, int64_t &Step) {
  Step = 1;
  for (bool T : {false, true})
    if (auto Op =
            getMatrix(K, X, Choice, T ? Column : Row, T ? Row : Column, 1)) {
      Trans = T;
      return Op;
    }
  auto Op = getMatrix(K, X, Choice, Row, Column, std::nullopt);
  if (!Op)
    return std::nullopt;
  auto GetFew = [](const Poly &P) {
    int64_t C = P.getConstant().value_or(0);
    return std::abs(C) <= ContractionSpec::MaxStep ? C : 0;
  };
  int64_t Ld = GetFew(Op->Ld);
  Step = GetFew(Op->ColumnStep);
  if (DLOPT_PLANTED(StepsForwards))
    Step = std::abs(Step);
  Trans = Ld && (!Step || std::abs(Ld) < std::abs(Step));
  if (Trans) {
    std::swap(Op->Ld, Op->ColumnStep);
    Step = Ld;
  }
  return Op;
}

/// Binds rows and columns one way round: C[m][n] with n contiguous.
static bool bindOperands(const Kernel &K, const ContractionView &V,
                         ArrayRef<AxisId> M, ArrayRef<AxisId> N,
                         const Access &A, const Access &B, bool AnyColumns,
                         ContractionChoice &Choice) {
  Poly OffsetA = A.offset(), OffsetB = B.offset(), OffsetC = V.C.offset();
  auto IsColumn = [&](AxisId X) {
    std::optional<Poly> Stride = getStride(K, OffsetC, X);
    return Stride && Stride->getConstant() == 1;
  };
  auto *Column = find_if(N, IsColumn);
  if (Column == N.end() && !N.empty()) {
    if (!AnyColumns)
      return false;
    Column = find_if(N, [&](AxisId X) {
      std::optional<Poly> Stride = getStride(K, OffsetC, X);
      return Stride && Stride->getConstant();
    });
    if (Column == N.end())
      Column = &N.back();
  }
  Choice.Outer.assign(V.Batch.begin(), V.Batch.end());
  Choice.M =
      M.empty() ? AxisGroup() : getGroup(K, M, M.back(), {OffsetA, OffsetC});
  Choice.N =
      N.empty() ? AxisGroup() : getGroup(K, N, *Column, {OffsetB, OffsetC});
  Choice.K = getGroup(K, V.K, V.K.back(), {OffsetA, OffsetB});
  // Chains run over all axes of K, in the order of the loops.
  ArrayRef<AxisId> Chain(V.K);
  if (Chain.size() < Choice.K.size() ||
      Chain.take_back(Choice.K.size()) != ArrayRef(Choice.K) ||
      (Chain.size() != Choice.K.size() && !Choice.SplitsSums))
    return false;
  addOuter(M, Choice.M, Choice);
  addOuter(N, Choice.N, Choice);
  // Innermost, in their order: each goes on with the sums of the one before.
  addOuter(V.K, Choice.K, Choice);
  if (DLOPT_PLANTED(PiecesBackwards))
    std::reverse(Choice.Outer.end() - (Chain.size() - Choice.K.size()),
                 Choice.Outer.end());
  ContractionSpec &Spec = Choice.Spec;
  auto MatA =
      getFactor(K, A, Choice, Choice.M, Choice.K, Spec.TransA, Spec.StepA);
  auto MatB =
      getFactor(K, B, Choice, Choice.K, Choice.N, Spec.TransB, Spec.StepB);
  std::optional<int64_t> StepC = 1;
  if (AnyColumns)
    StepC = std::nullopt;
  auto MatC = getMatrix(K, V.C, Choice, Choice.M, Choice.N, StepC);
  if (!MatA || !MatB || !MatC)
    return false;
  if (!Choice.N.empty() && MatC->ColumnStep != Poly(1))
    Spec.StepC = ContractionSpec::AnyStep;
  Choice.A = std::move(*MatA);
  Choice.B = std::move(*MatB);
  Choice.C = std::move(*MatC);
  return true;
}

/// Row-major, or column-major, which is the transposed product row-major. Of
/// what can be seen both ways, the one with fewer copies; a single column is
/// better a row.
static bool bindBestOperands(const Kernel &K, const ContractionView &V,
                             ContractionChoice &Choice) {
  auto Rank = [](const ContractionChoice &C) {
    return 2 * C.N.empty() + C.Spec.TransA + C.Spec.TransB +
           (C.Spec.StepA != 1) + (C.Spec.StepB != 1);
  };
  ContractionChoice Swapped = Choice;
  Choice.Spec.FactorA = Swapped.Spec.FactorB = V.FactorA;
  Choice.Spec.FactorB = Swapped.Spec.FactorA = V.FactorB;
  const ContractionChoice Before = Choice, SwappedBefore = Swapped;
  // A C without neighbours is stored element by element.
  for (bool AnyColumns : {false, true}) {
    bool Ok = bindOperands(K, V, V.M, V.N, V.A, V.B, AnyColumns, Choice);
    bool SwappedOk =
        bindOperands(K, V, V.N, V.M, V.B, V.A, AnyColumns, Swapped);
    if (SwappedOk && (!Ok || Rank(Swapped) < Rank(Choice)))
      Choice = std::move(Swapped);
    if (Ok || SwappedOk)
      return true;
    Choice = Before;
    Swapped = SwappedBefore;
  }
  return false;
}

static bool bindStart(const Kernel &K, const ContractionView &V,
                      ContractionChoice &Choice) {
  Choice.StartValue = V.StartValue;
  Choice.StartCondition = V.StartCondition;
  if (DLOPT_PLANTED(StartConstantLost) && !V.StartValue.empty())
    for (Op &O : Choice.StartValue.Value.Ops)
      O.Bits = 0;
  if (!V.StartAccess && !V.StartValue.empty())
    return true;
  if (DLOPT_PLANTED(UpdateBecomesSet) && !V.StartAccess) {
    Op Zero;
    Zero.Ty = V.Ty;
    Choice.StartValue.Value.add(Zero);
    return true;
  }
  const Access &X = V.StartAccess ? *V.StartAccess : V.C;
  Choice.Start = getMatrix(K, X, Choice, Choice.M, Choice.N, 1);
  if (!Choice.Start) {
    Choice.Start = getMatrix(K, X, Choice, Choice.M, Choice.N, 0);
    Choice.StartColumns = false;
  }
  if (!Choice.Start) {
    Choice.Start = getMatrix(K, X, Choice, Choice.M, Choice.N, std::nullopt);
    Choice.Spec.StepsOfStart = Choice.StartColumns = true;
  }
  return Choice.Start.has_value();
}

/// A triangle of C has the axes of the matrix, and an element in its first row
/// and column. Those of the last ones follow from the sizes, see emitSizeTests.
static bool bindTriangle(const Kernel &K, const ContractionView &V,
                         ContractionChoice &Choice) {
  if (!V.Triangle)
    return true;
  if (Choice.M.size() != 1 || Choice.N.size() != 1)
    return false;
  auto Bound = getDiagonalBound(K, *V.Triangle, Choice.N[0], {Choice.M[0]});
  std::optional<int64_t> Rest =
      Bound ? Bound->Rest.getConstant() : std::nullopt;
  constexpr int64_t Max = 1 << 28;
  if (!Rest || *Rest < -Max || *Rest > Max)
    return false;
  bool IsLower = Bound->Sign < 0;
  Choice.Spec.Elements =
      IsLower ? ContractionSpec::LowerTriangle : ContractionSpec::UpperTriangle;
  Choice.Diagonal = IsLower ? *Rest + 1 : -*Rest;
  if (DLOPT_PLANTED(DiagonalMoved))
    ++Choice.Diagonal;
  return IsLower ? Choice.Diagonal >= 1 : Choice.Diagonal <= 0;
}

static bool isSupported(ScalarType T) {
  return T == ScalarType::F32 || T == ScalarType::F64;
}

/// The operands of what is stored, in the rows and columns of the product.
static bool bindEpilogue(const Kernel &K, const ContractionView &V,
                         ContractionChoice &Choice) {
  using Kind = ContractionEpilogue;
  ContractionEpilogue &To = Choice.Spec.Epilogue;
  To.Value = V.Result;
  for (const ResultOperand &O : V.Operands) {
    ContractionChoice::EpilogueOperand X;
    Kind::OperandKind OK = Kind::Sum;
    bool IsStepped = false;
    if (O.K == ResultOperand::Scalar) {
      OK = Kind::Scalar;
      X.P = O.P;
    } else if (O.K == ResultOperand::Element && O.X.Buf == V.C.Buf) {
      OK = Kind::Output;
    } else if (O.K == ResultOperand::Element) {
      auto Mat = getMatrix(K, O.X, Choice, Choice.M, Choice.N, 1);
      OK = Kind::PerElement;
      if (!Mat) {
        Mat = getMatrix(K, O.X, Choice, Choice.M, Choice.N, 0);
        OK = Kind::PerRow;
      }
      if (!Mat) {
        Mat = getMatrix(K, O.X, Choice, Choice.M, Choice.N, std::nullopt);
        OK = Kind::PerElement;
        IsStepped = true;
      }
      if (!Mat || !isSupported(O.Ty))
        return false;
      X.IsLoaded = OK == Kind::PerRow && O.Condition.empty() &&
                   Mat->Ld.isZero() &&
                   all_of(Mat->Steps, [](const Poly &P) { return P.isZero(); });
      if (X.IsLoaded)
        OK = Kind::Scalar;
      X.X = std::move(*Mat);
      X.Condition = O.Condition;
    }
    To.Operands.push_back({OK, O.Ty, !O.Condition.empty(), IsStepped});
    Choice.Operands.push_back(std::move(X));
  }
  // Factors are made in front of the sums.
  auto HasScalars = [&](const Expression &Factor) {
    return all_of(Factor.Ops, [&](const Op &O) {
      return O.K != Op::Param || !O.Ref ||
             To.Operands[O.Ref - 1].K == Kind::Scalar;
    });
  };
  if (V.Scale && To.Operands[*V.Scale].K != Kind::Scalar)
    return false;
  return HasScalars(V.FactorA) && HasScalars(V.FactorB);
}

static bool bindSpec(const Kernel &K, const ContractionView &V,
                     ContractionSpec &Spec) {
  Spec.Ty = V.Ty;
  ScalarType OutputTy = K.Buffers[V.C.Buf].Ty;
  if (!isSupported(V.Ty) || !isSupported(V.OperandTy) || !isSupported(OutputTy))
    return false;
  if (V.OperandTy != V.Ty)
    Spec.OperandTy = V.OperandTy;
  if (OutputTy != V.Ty)
    Spec.OutputTy = OutputTy;
  Spec.MulFlags = V.MulFlags;
  Spec.AddFlags = V.AddFlags;
  Spec.Subtracts = V.Subtracts;
  Spec.Scale = V.Scale;
  Spec.ScaleFlags = V.ScaleFlags;
  if (DLOPT_PLANTED(FlagsInvented)) {
    Spec.MulFlags.setAllowContract();
    Spec.AddFlags.setAllowContract();
  }
  switch (V.Comb) {
  case ContractionView::FMulAdd:
    Spec.Comb = ContractionSpec::FMulAdd;
    return true;
  case ContractionView::FMA:
    Spec.Comb = ContractionSpec::FMA;
    return true;
  case ContractionView::MulAdd:
    Spec.Comb = ContractionSpec::MulAdd;
    return true;
  }
  return false;
}

/// Of the last operation of \p L that the source has, or of what \p L stores.
static DebugLoc getLastLoc(const Leaf &L) {
  for (const Op &O : reverse(L.Ops))
    if (const auto *I = dyn_cast_or_null<Instruction>(O.Origin);
        I && O.K != Op::Load && I->getDebugLoc())
      return I->getDebugLoc();
  return L.Loc;
}

/// Start values come in front of sums, results behind them.
static void locate(const Node &Subtree, const ContractionView &V,
                   ContractionSpec &Spec) {
  forEachLeaf(Subtree, [&](const Leaf &L, ArrayRef<AxisId> Axes) {
    bool Sums = all_of(V.K, [&](AxisId A) { return is_contained(Axes, A); });
    if (Sums && !Spec.SumLoc)
      Spec.SumLoc = getLastLoc(L);
    else if (!Sums)
      (Spec.SumLoc ? Spec.ResultLoc : Spec.StartLoc) = L.Loc;
  });
}

/// Rows with sums of their own length are computed in several parts: C is where
/// sums wait, as they are.
static bool bindSteps(const ContractionView &V, ContractionChoice &Choice) {
  if (!V.Steps)
    return true;
  const ContractionSpec &Spec = Choice.Spec;
  if (Choice.M.size() != 1 || Choice.M[0] != V.Steps->Row || Choice.N.empty() ||
      Spec.hasResults() || Spec.keepsSums() ||
      any_of(Spec.Epilogue.Operands, [](const auto &O) {
        return O.K != ContractionEpilogue::Sum &&
               O.K != ContractionEpilogue::Scalar;
      }))
    return false;
  Choice.Steps = V.Steps;
  return true;
}

//===----------------------------------------------------------------------===//
// Legal? Worth it?
//===----------------------------------------------------------------------===//

/// Start values that are not those of C itself must not be in C's memory: the
/// tiles of C are written before later tiles read their start.
static bool startMayBeOverwritten(const ContractionChoice &Choice) {
  if (!Choice.Start || Choice.Start->Buf != Choice.C.Buf)
    return false;
  return Choice.Start->Base != Choice.C.Base ||
         Choice.Start->Ld != Choice.C.Ld ||
         (!Choice.N.empty() &&
          Choice.Start->ColumnStep != Choice.C.ColumnStep) ||
         Choice.Start->Steps != Choice.C.Steps || !Choice.StartColumns;
}

/// A plan for \p Choice: where a known row is shorter than a vector, for
/// narrower ones.
static std::optional<ContractionPlan>
planShortRow(const Kernel &K, TargetModel Target, uint64_t StackLimit,
             const ContractionChoice &Choice) {
  constexpr unsigned LeastBits = 128;
  std::optional<uint64_t> Outputs = getExtent(K, Choice.N);
  for (;; Target.VectorBits /= 2) {
    auto Plan =
        planContraction(Choice.Spec, Target, StackLimit, Choice.Overrides);
    if (!Plan || !Choice.Spec.SingleRow || !Outputs ||
        *Outputs >= Plan->MinOutputs || Target.VectorBits <= LeastBits)
      return Plan;
  }
}

Verdict dlopt::chooseContraction(const Kernel &K, const Node &Subtree,
                                 const TargetModel &Target, const Options &O,
                                 uint64_t StackLimit,
                                 ContractionChoice &Choice) {
  std::optional<ContractionView> V =
      matchContraction(K, Subtree, /*Triangular=*/true);
  // Where rows of a triangle are none of blocks, they may be something else.
  auto No = [&](Reason R, StringRef Detail = "") {
    return Verdict{V && V->Steps ? Reason::NoStrategy : R, nullptr,
                   Detail.str()};
  };
  if (!V || (V->M.empty() && V->N.empty()))
    return No(Reason::NoStrategy);
  for (ArrayRef<AxisId> Axes :
       {ArrayRef(V->M), ArrayRef(V->N), ArrayRef(V->K), ArrayRef(V->Batch)})
    if (!all_of(Axes, [&](AxisId A) {
          return K.hasFixedExtents(A) || (V->Steps && A == V->K[0]);
        }))
      return No(Reason::NoStrategy);
  // What C holds between two products is the sum so far, as in the source.
  if (Choice.SplitsSums &&
      (V->Steps || V->StartAccess || !V->StartValue.empty() ||
       !V->Result.empty() || !V->Operands.empty()))
    return No(Reason::NoStrategy);
  if (!bindBestOperands(K, *V, Choice))
    return No(Reason::NoStrategy);
  Choice.Spec.SingleRow = Choice.M.empty();
  if (!bindTriangle(K, *V, Choice) || !bindStart(K, *V, Choice) ||
      !bindEpilogue(K, *V, Choice) || !bindSpec(K, *V, Choice.Spec) ||
      !bindSteps(*V, Choice))
    return No(Reason::NoStrategy);
  locate(Subtree, *V, Choice.Spec);
  if (Choice.A.Buf == Choice.C.Buf || Choice.B.Buf == Choice.C.Buf ||
      startMayBeOverwritten(Choice))
    return No(Reason::MayAlias);
  if (!Target.NoSIMD.empty())
    return No(Reason::NoTargetSupport, Target.NoSIMD);
  Choice.Overrides.TileRows = O.TileRows;
  Choice.Overrides.TileVectors = O.TileVectors;
  Choice.Overrides.Pack = O.Pack;
  Choice.Overrides.BlockSteps = O.BlockSteps;
  Choice.Overrides.BlockColumns = O.BlockColumns;
  Choice.Overrides.InPlaceBytes = O.InPlaceBytes;
  Choice.Overrides.Scalable = O.Scalable;
  auto Plan = planShortRow(K, Target, StackLimit, Choice);
  if (!Plan)
    return No(Reason::NoTargetSupport);
  Choice.Plan = *Plan;
  // The loops of the source go through memory in each step, too: one step of
  // several rows is vectors of them.
  if (Choice.SplitsSums)
    Choice.Plan.MinK = 1;
  if (isKnownTooSmall(K, Choice))
    return No(Reason::TooSmall);
  if (isVectorizedByLLVM(K, Subtree, Choice))
    return No(Reason::NoGain);
  Choice.Plan.MinRows = getLeastRows(K, Subtree, Choice);
  return {};
}
