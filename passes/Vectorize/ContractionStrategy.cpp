//===- ContractionStrategy.cpp - Matrix products to calls -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionStrategy.h"
#include "dlopt/Lower.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

//===----------------------------------------------------------------------===//
// Find: the view's accesses as matrices
//===----------------------------------------------------------------------===//

/// The coefficient of \p A in \p Offset, which must be linear in it; zero if
/// the axis does not occur.
static std::optional<Poly> getStride(const Kernel &K, const Poly &Offset,
                                     AxisId A) {
  for (auto [Id, At] : enumerate(K.Atoms))
    if (At.K == Atom::Axis && At.Ref == A)
      return Offset.coefficient(Id);
  return Poly();
}

/// \p X as a matrix over \p Row and \p Column with column stride \p ColStride;
/// nullopt if it is anything else.
static std::optional<MatrixOperand> getMatrix(const Kernel &K, const Access &X,
                                              AxisId Row, AxisId Column,
                                              int64_t ColStride) {
  if (K.Buffers[X.Buf].IsLocal)
    return std::nullopt;
  Poly Offset = X.offset();
  std::optional<Poly> RowStride = getStride(K, Offset, Row);
  std::optional<Poly> Stride = getStride(K, Offset, Column);
  if (!RowStride || !Stride || Stride->getConstant() != ColStride)
    return std::nullopt;
  MatrixOperand Op;
  Op.Buf = X.Buf;
  Op.Ld = *RowStride;
  Op.Base = Offset;
  for (auto [Id, At] : enumerate(K.Atoms))
    if (At.K == Atom::Axis && (At.Ref == Row || At.Ref == Column))
      Op.Base = Op.Base.without(Id);
  // No axis may hide in a stride, a base, a div or a loaded value.
  auto IsAxis = [](const Atom &At) { return At.K != Atom::Param; };
  if (K.anyNestedAtom(Op.Base, IsAxis) || K.anyNestedAtom(Op.Ld, IsAxis))
    return std::nullopt;
  return Op;
}

/// Binds rows and columns one way round: C[m][n] with n contiguous.
static bool bindOperands(const Kernel &K, const ContractionView &V, AxisId M,
                         AxisId N, const Access &A, const Access &B,
                         ContractionChoice &Choice) {
  auto MatA = getMatrix(K, A, M, V.K[0], 1);
  auto MatB = getMatrix(K, B, V.K[0], N, 1);
  auto MatC = getMatrix(K, V.C, M, N, 1);
  if (!MatA || !MatB || !MatC)
    return false;
  Choice.M = M;
  Choice.N = N;
  Choice.K = V.K[0];
  Choice.A = *MatA;
  Choice.B = *MatB;
  Choice.C = *MatC;
  return true;
}

static bool bindStart(const Kernel &K, const ContractionView &V,
                      ContractionChoice &Choice) {
  if (V.StartBits) {
    Choice.StartBits = DLOPT_PLANTED(StartConstantLost) ? 0 : *V.StartBits;
    return true;
  }
  if (DLOPT_PLANTED(UpdateBecomesSet) && !V.StartAccess)
    return true;
  const Access &X = V.StartAccess ? *V.StartAccess : V.C;
  Choice.Start = getMatrix(K, X, Choice.M, Choice.N, 1);
  if (!Choice.Start) {
    Choice.Start = getMatrix(K, X, Choice.M, Choice.N, 0);
    Choice.StartColumns = false;
  }
  return Choice.Start.has_value();
}

static bool bindSpec(const ContractionView &V, ContractionSpec &Spec) {
  Spec.Ty = V.Ty;
  Spec.MulFlags = V.MulFlags;
  Spec.AddFlags = V.AddFlags;
  Spec.PostAdd = V.PostAdd;
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

//===----------------------------------------------------------------------===//
// Legal? Worth it?
//===----------------------------------------------------------------------===//

/// Start values that are not those of C itself must not be in C's memory: the
/// tiles of C are written before later tiles read their start.
static bool startMayBeOverwritten(const ContractionChoice &Choice) {
  if (!Choice.Start || Choice.Start->Buf != Choice.C.Buf)
    return false;
  return Choice.Start->Base != Choice.C.Base ||
         Choice.Start->Ld != Choice.C.Ld || !Choice.StartColumns;
}

static bool hasOneExtent(const Kernel &K, AxisId A) {
  return K.Axes[A].Extents.size() == 1 &&
         !K.anyNestedAtom(K.Axes[A].Extents[0],
                          [](const Atom &At) { return At.K != Atom::Param; });
}

/// Where extents are constant, the guard's profitability tests are decided
/// here.
static bool isKnownTooSmall(const Kernel &K, const ContractionChoice &Choice) {
  auto Extent = [&](AxisId A) -> std::optional<uint64_t> {
    std::optional<int64_t> C = K.Axes[A].Extents[0].getConstant();
    if (!C)
      return std::nullopt;
    return std::max<int64_t>(*C, 0);
  };
  std::optional<uint64_t> M = Extent(Choice.M), N = Extent(Choice.N),
                          Depth = Extent(Choice.K);
  const ContractionPlan &Plan = Choice.Plan;
  if (M == 0 || N == 0 || Depth == 0 || (Depth && *Depth < Plan.MinK))
    return true;
  if (!M || !N)
    return false;
  uint64_t Outputs = SaturatingMultiply(*M, *N);
  return Outputs < Plan.MinOutputs ||
         (Depth && SaturatingMultiply(Outputs, *Depth) < Plan.MinWork);
}

Verdict dlopt::chooseContraction(const RaisedKernel &RK,
                                 const TargetModel &Target, const Options &O,
                                 uint64_t StackLimit,
                                 ContractionChoice &Choice) {
  const Kernel &K = *RK.K;
  const Instruction *Where = RK.Preheader->getTerminator();
  auto No = [&](Reason R, StringRef Detail = "") {
    return Verdict{R, Where, Detail.str()};
  };
  if (K.Root.Children.size() != 1)
    return No(Reason::NoStrategy);
  std::optional<ContractionView> V = matchContraction(K, *K.Root.Children[0]);
  if (!V || V->M.size() != 1 || V->N.size() != 1 || V->K.size() != 1 ||
      !V->Batch.empty() || V->Ty != ScalarType::F32)
    return No(Reason::NoStrategy);
  for (AxisId A : {V->M[0], V->N[0], V->K[0]})
    if (!hasOneExtent(K, A))
      return No(Reason::NoStrategy);
  // Row-major, or column-major, which is the transposed product row-major.
  if (!bindOperands(K, *V, V->M[0], V->N[0], V->A, V->B, Choice) &&
      !bindOperands(K, *V, V->N[0], V->M[0], V->B, V->A, Choice))
    return No(Reason::NoStrategy);
  if (!bindStart(K, *V, Choice) || !bindSpec(*V, Choice.Spec))
    return No(Reason::NoStrategy);
  if (Choice.A.Buf == Choice.C.Buf || Choice.B.Buf == Choice.C.Buf ||
      startMayBeOverwritten(Choice))
    return No(Reason::MayAlias);
  for (const RaisedKernel::LiveOut &Out : RK.LiveOuts)
    if (Out.Local)
      return No(Reason::LiveOut);
  if (!Target.NoSIMD.empty())
    return No(Reason::NoTargetSupport, Target.NoSIMD);
  Choice.Overrides.TileRows = O.TileRows;
  Choice.Overrides.TileVectors = O.TileVectors;
  Choice.Overrides.Pack = O.Pack;
  auto Plan =
      planContraction(Choice.Spec, Target, StackLimit, Choice.Overrides);
  if (!Plan)
    return No(Reason::NoTargetSupport);
  Choice.Plan = *Plan;
  if (isKnownTooSmall(K, Choice))
    return No(Reason::TooSmall);
  return {};
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {

/// The arguments of the generated function, as values of the guard.
struct Arguments {
  Value *Ptr[4] = {}; ///< C, A, B, S
  Value *Ld[4] = {};
  Value *StartColumns = nullptr;
  Value *M = nullptr, *N = nullptr, *K = nullptr;

  bool complete() const {
    return all_of(Ptr, [](Value *V) { return V; }) &&
           all_of(Ld, [](Value *V) { return V; }) && M && N && K;
  }
};

} // namespace

/// A constant in memory for the start values; equal ones are one.
static Value *getStartConstant(Module &M, uint64_t Bits, ScalarType Ty) {
  Type *IntTy = IntegerType::get(M.getContext(), 8 * getSizeInBytes(Ty));
  uint64_t Key = DLOPT_PLANTED(StartConstantShared) ? 0 : Bits;
  std::string Name = "dl.start." + utohexstr(Key, /*LowerCase=*/true) + "." +
                     getName(Ty).str();
  if (GlobalVariable *Old = M.getNamedGlobal(Name);
      Old && Old->hasPrivateLinkage() && Old->isConstant())
    return Old;
  auto *G = new GlobalVariable(M, IntTy, /*isConstant=*/true,
                               GlobalValue::PrivateLinkage,
                               ConstantInt::get(IntTy, Bits), Name);
  G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  G->setAlignment(Align(getSizeInBytes(Ty)));
  return G;
}

static Value *getElementPointer(GuardEmitter &E, const Kernel &K,
                                const MatrixOperand &Op) {
  Value *Base = E.getPointer(Op.Buf);
  if (DLOPT_PLANTED(BaseOffsetDropped))
    return Base;
  Value *Offset = Base ? E.getValue(Op.Base) : nullptr;
  if (!Offset)
    return nullptr;
  IRBuilderBase &B = E.builder();
  uint64_t Size = getSizeInBytes(K.Buffers[Op.Buf].Ty);
  return B.CreatePtrAdd(Base, B.CreateMul(Offset, B.getInt64(Size)));
}

static Arguments emitArguments(GuardEmitter &E, const Kernel &K,
                               const ContractionChoice &Choice, Module &M) {
  Arguments Args;
  Args.M = E.getExtent(Choice.M);
  Args.N = E.getExtent(Choice.N);
  Args.K = E.getExtent(Choice.K);
  const MatrixOperand *Ops[4] = {&Choice.C, &Choice.A, &Choice.B,
                                 Choice.Start ? &*Choice.Start : nullptr};
  for (unsigned I = 0; I != 4; ++I) {
    if (!Ops[I])
      continue;
    bool Swapped = DLOPT_PLANTED(LeadingDimensionSwapped) && I == 1;
    Args.Ld[I] = E.getValue(Ops[Swapped ? 2 : I]->Ld);
    Args.Ptr[I] = getElementPointer(E, K, *Ops[I]);
  }
  IRBuilderBase &B = E.builder();
  if (!Choice.Start) {
    Args.Ptr[3] = getStartConstant(M, Choice.StartBits, Choice.Spec.Ty);
    Args.Ld[3] = B.getInt64(0);
  }
  Args.StartColumns = B.getInt64(Choice.Start && Choice.StartColumns);
  return Args;
}

/// Below these sizes the original loops are as fast.
static void emitProfitability(GuardEmitter &E, const Arguments &Args,
                              const ContractionPlan &Plan) {
  IRBuilderBase &B = E.builder();
  Value *Outputs = B.CreateMul(Args.M, Args.N);
  Value *Work = B.CreateMul(Outputs, Args.K);
  E.addCondition(B.CreateICmpUGE(Outputs, B.getInt64(Plan.MinOutputs)));
  if (DLOPT_PLANTED(ZeroTripsRun))
    return;
  E.addCondition(B.CreateICmpUGE(Work, B.getInt64(Plan.MinWork)));
  E.addCondition(B.CreateICmpUGE(Args.K, B.getInt64(Plan.MinK)));
  // N > 1 or M * K >= MinColumnWork, where N >= 1.
  Value *Columns =
      B.CreateAdd(Args.N, B.CreateLShr(Work, Log2_64(Plan.MinColumnWork)));
  E.addCondition(B.CreateICmpUGT(Columns, B.getInt64(1)));
}

/// What the generated function assumes, beyond the kernel's own needs.
static void emitPreconditions(GuardEmitter &E, const Arguments &Args) {
  IRBuilderBase &B = E.builder();
  for (Value *V : {Args.M, Args.N, Args.K}) {
    E.addSmall(V);
    if (!DLOPT_PLANTED(ZeroTripsRun))
      E.addCondition(E.builder().CreateICmpNE(V, B.getInt64(0)));
  }
  for (Value *Ld : Args.Ld)
    E.addSmall(Ld);
  // Rows of C must not overlap each other.
  if (!DLOPT_PLANTED(RowOverlapUntested))
    E.addCondition(E.builder().CreateICmpUGE(Args.Ld[0], Args.N));
}

/// All tests. Not Ok if they cannot be made or are known to fail.
static Verdict emitTests(GuardEmitter &E, const Arguments &Args,
                         const ContractionChoice &Choice) {
  if (!Args.complete())
    return {Reason::NotInvariant, nullptr, ""};
  emitPreconditions(E, Args);
  if (E.isKnownToFail())
    return {Reason::GuardFails, nullptr, ""};
  emitProfitability(E, Args, Choice.Plan);
  if (E.isKnownToFail())
    return {Reason::TooSmall, nullptr, ""};
  if (!E.addNeeds())
    return {Reason::NotInvariant, nullptr, ""};
  return {E.isKnownToFail() ? Reason::GuardFails : Reason::Ok, nullptr, ""};
}

static void emitCall(const GuardedRegion &Region, const Arguments &Args,
                     Function *Callee, const DebugLoc &Loc) {
  IRBuilder<> B(Region.Fast->getTerminator());
  B.SetCurrentDebugLocation(Loc);
  Value *Operands[] = {Args.Ptr[0],       Args.Ld[0], Args.Ptr[1], Args.Ld[1],
                       Args.Ptr[2],       Args.Ld[2], Args.Ptr[3], Args.Ld[3],
                       Args.StartColumns, Args.M,     Args.N,      Args.K};
  CallInst *Call = B.CreateCall(Callee, Operands);
  Call->setCallingConv(Callee->getCallingConv());
}

Verdict dlopt::applyContraction(RaisedKernel &RK,
                                const ContractionChoice &Choice,
                                ArrayRef<ContractionVariant> Variants,
                                Function &F, FunctionAnalysisManager &FAM) {
  DebugLoc Loc = RK.Nest->getStartLoc();
  GuardedRegion Region;
  if (Verdict Why = openGuard(RK, F, FAM, Region); !Why.ok())
    return Why;
  GuardEmitter E(RK, Region, F, FAM);
  Module &M = *F.getParent();
  Arguments Args = emitArguments(E, *RK.K, Choice, M);
  Verdict Why = emitTests(E, Args, Choice);
  SmallVector<Value *, 2> Outs;
  for (const auto &[Phi, Index] : Region.Outs) {
    Value *V = Why.ok() ? E.getValue(RK.LiveOuts[Index].IndexValue) : nullptr;
    if (Why.ok() && !V)
      Why.R = Reason::NotInvariant;
    Outs.push_back(V);
  }
  if (!Why.ok())
    E.abandon();
  else if (!E.finish())
    Why.R = Reason::GuardFails;
  if (!Why.ok()) {
    Why.Culprit = RK.Preheader->getTerminator();
    return Why;
  }
  emitCall(Region, Args,
           getOrCreateContraction(M, Choice.Spec, Choice.Plan, F, Variants),
           Loc);
  IRBuilder<> B(Region.Fast->getTerminator());
  for (auto [Out, V] : zip(Region.Outs, Outs))
    Region.setLiveOut(Out.second, B.CreateTrunc(V, Out.first->getType()));
  return {};
}
