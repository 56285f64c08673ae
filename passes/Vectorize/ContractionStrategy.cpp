//===- ContractionStrategy.cpp - Matrix products to calls -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionStrategy.h"
#include "ContractionCall.h"
#include "LaneStrategy.h"
#include "dlopt/GeneratedDebugInfo.h"
#include "dlopt/Lower.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/SelfCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace dlopt;

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

/// The product of the extents; a product that is no i64 is none below 2^29
/// either.
static Value *getExtent(GuardEmitter &E, const AxisGroup &G) {
  Value *Product = nullptr;
  for (AxisId A : G) {
    Value *Extent = E.getExtent(A);
    if (!Extent)
      return nullptr;
    if (Product) {
      E.addSmall(Product);
      E.addSmall(Extent);
      Extent = E.builder().CreateMul(Product, Extent);
    }
    Product = Extent;
  }
  return Product ? Product : E.builder().getInt64(1);
}

static void emitOuterArguments(GuardEmitter &E, const ContractionChoice &Choice,
                               ArrayRef<const MatrixOperand *> Ops,
                               ContractionArguments &Args) {
  for (unsigned I = 0; I != Choice.Outer.size(); ++I) {
    Args.Extents.push_back(E.getExtent(Choice.Outer[I]));
    Args.Steps.emplace_back();
    for (const MatrixOperand *Op : Ops)
      Args.Steps.back().push_back(
          Op && !(DLOPT_PLANTED(OuterStepDropped) && Op == &Choice.A)
              ? E.getValue(Op->Steps[I])
              : E.builder().getInt64(0));
  }
}

/// Null if a parameter cannot be computed ahead of the nest.
static Value *emitScalar(GuardEmitter &E, const ScalarExpression &X) {
  SmallVector<Value *, 2> Values;
  for (ParamId P : X.Params)
    Values.push_back(E.getParam(P));
  return is_contained(Values, nullptr)
             ? nullptr
             : emitExpression(E.builder(), X.Value, Values);
}

/// Scalars of the epilogue; its matrices become some of \p Ops.
static void collectEpilogue(GuardEmitter &E, const ContractionChoice &Choice,
                            SmallVectorImpl<const MatrixOperand *> &Ops,
                            ContractionArguments &Args) {
  for (auto [Kind, From] :
       zip_equal(Choice.Spec.Epilogue.Operands, Choice.Operands)) {
    if (From.IsLoaded) {
      Args.Extras.push_back({nullptr, unsigned(Ops.size()), nullptr,
                             getIRType(Kind.Ty, E.builder().getContext())});
      Ops.push_back(&From.X);
    } else if (Kind.K == ContractionEpilogue::Scalar) {
      Args.Extras.push_back({E.getParam(From.P), 0, nullptr});
    } else if (Kind.K == ContractionEpilogue::PerRow ||
               Kind.K == ContractionEpilogue::PerElement) {
      Value *Condition = nullptr;
      // Without it the operand is not complete.
      Value *Step = Kind.Stepped ? E.getValue(From.X.ColumnStep) : nullptr;
      if ((Kind.Conditional && !(Condition = emitScalar(E, From.Condition))) ||
          (Kind.Stepped && !Step))
        Args.Extras.push_back({});
      else
        Args.Extras.push_back(
            {nullptr, unsigned(Ops.size()), Condition, nullptr, Step});
      Ops.push_back(&From.X);
    }
  }
}

/// Start values that are the same for all, perhaps under a condition: without
/// columns and rows. Where these are for a matrix that is not there, that is
/// not read.
static void emitStartValue(GuardEmitter &E, const ContractionChoice &Choice,
                           Module &M, ContractionArguments &Args) {
  IRBuilderBase &B = E.builder();
  Value *First = emitScalar(E, Choice.StartValue);
  auto *C = dyn_cast_or_null<ConstantFP>(First);
  Value *Ptr = nullptr;
  if (C)
    Ptr = getStartConstant(M, C->getValueAPF().bitcastToAPInt().getZExtValue(),
                           Choice.Spec.Ty);
  else
    Args.StartValue = First;
  if (Choice.StartCondition.empty()) {
    // Known to be stored later, if that is all.
    Args.Ptr[3] = Ptr ? Ptr : Args.Ptr[0];
    Args.Ld[3] = First ? B.getInt64(0) : nullptr;
    return;
  }
  Value *Condition = emitScalar(E, Choice.StartCondition);
  if (!First || !Condition || !Args.complete()) {
    Args.Ld[3] = nullptr;
    return;
  }
  if (DLOPT_PLANTED(StartConditionLost))
    Condition = B.getTrue();
  auto OrZero = [&](Value *&V) {
    V = B.CreateSelect(Condition, V, B.getInt64(0));
  };
  OrZero(Args.Ld[3]);
  OrZero(Args.StartColumns);
  for (SmallVectorImpl<Value *> &Steps : Args.Steps)
    OrZero(Steps[3]);
  Args.StartCondition = Condition;
  if (Ptr)
    Args.Ptr[3] = B.CreateSelect(Condition, Args.Ptr[3], Ptr);
}

static void emitOperands(GuardEmitter &E, const Kernel &K,
                         const ContractionChoice &Choice, Module &M,
                         ContractionArguments &Args) {
  SmallVector<const MatrixOperand *, 6> Ops = {
      &Choice.C, &Choice.A, &Choice.B, Choice.Start ? &*Choice.Start : nullptr};
  collectEpilogue(E, Choice, Ops, Args);
  Args.Ptr.resize(Ops.size());
  Args.Ld.resize(Ops.size());
  for (unsigned I = 0; I != Ops.size(); ++I) {
    Args.Sizes.push_back(
        getSizeInBytes(Ops[I] ? K.Buffers[Ops[I]->Buf].Ty : Choice.Spec.Ty));
    if (!Ops[I])
      continue;
    bool Swapped = DLOPT_PLANTED(LeadingDimensionSwapped) && I == 1;
    Args.Ld[I] = E.getValue(Ops[Swapped ? 2 : I]->Ld);
    Args.Ptr[I] = getElementPointer(E, K, *Ops[I]);
  }
  Args.HasColumnStep = {Choice.Spec.StepA == ContractionSpec::AnyStep,
                        Choice.Spec.StepB == ContractionSpec::AnyStep,
                        Choice.Spec.StepC == ContractionSpec::AnyStep};
  for (auto [I, X] : enumerate(std::array{&Choice.A, &Choice.B, &Choice.C}))
    if (Args.HasColumnStep[I])
      Args.ColumnSteps[I] = E.getValue(X->ColumnStep);
  emitOuterArguments(E, Choice, Ops, Args);
  Args.StartColumns =
      Choice.Spec.StepsOfStart
          ? E.getValue(Choice.Start->ColumnStep)
          : E.builder().getInt64(Choice.Start && Choice.StartColumns);
  if (!Choice.StartValue.empty())
    emitStartValue(E, Choice, M, Args);
}

/// Below these sizes the original loops are as fast.
static void emitProfitability(GuardEmitter &E, const ContractionArguments &Args,
                              const ContractionPlan &Plan) {
  IRBuilderBase &B = E.builder();
  Value *Outputs = B.CreateMul(Args.M, Args.N);
  // Extents are below 2^29: three of them multiplied may wrap.
  Value *Capped = B.CreateBinaryIntrinsic(Intrinsic::umin, Outputs,
                                          B.getInt64(uint64_t(1) << 32));
  Value *Work = B.CreateMul(Capped, Args.K);
  if (Args.StepsRest)
    Work = B.CreateLShr(Work, 1);
  E.addCondition(B.CreateICmpUGE(Outputs, B.getInt64(Plan.MinOutputs)));
  if (DLOPT_PLANTED(ZeroTripsRun))
    return;
  E.addCondition(B.CreateICmpUGE(Work, B.getInt64(Plan.MinWork)));
  E.addCondition(B.CreateICmpUGE(Args.K, B.getInt64(Plan.MinK)));
  if (Plan.MinRows > 1)
    E.addCondition(B.CreateICmpUGE(Args.M, B.getInt64(Plan.MinRows)));
  if (Plan.MinColumns) {
    E.addCondition(B.CreateICmpUGE(Args.N, B.getInt64(Plan.MinColumns)));
    return;
  }
  // N > 1 or M * K >= MinColumnWork, where N >= 1.
  Value *Columns =
      B.CreateAdd(Args.N, B.CreateLShr(Work, Log2_64(Plan.MinColumnWork)));
  E.addCondition(B.CreateICmpUGT(Columns, B.getInt64(1)));
}

static void emitExtentTests(GuardEmitter &E, ArrayRef<Value *> Extents) {
  for (Value *V : Extents) {
    E.addSmall(V);
    if (!DLOPT_PLANTED(ZeroTripsRun))
      E.addCondition(
          E.builder().CreateICmpNE(V, Constant::getNullValue(V->getType())));
  }
}

/// A number below 0, where parameters are none.
static bool isNegative(const Poly &P) {
  return !P.isZero() &&
         all_of(P.terms(), [](const auto &Term) { return Term.second < 0; });
}

/// What the generated function assumes, beyond the kernel's own needs.
static void emitPreconditions(GuardEmitter &E, const ContractionChoice &Choice,
                              const ContractionArguments &Args) {
  emitExtentTests(E, Args.Extents);
  // Of A and B also backwards.
  auto AddDistance = [&](unsigned Matrix, Value *V, auto Get) {
    bool Backwards = (Matrix == 1 && isNegative(Get(Choice.A))) ||
                     (Matrix == 2 && isNegative(Get(Choice.B)));
    E.addSmall(Backwards ? E.builder().CreateNeg(V) : V);
  };
  for (auto [Matrix, Ld] : enumerate(Args.Ld))
    AddDistance(Matrix, Ld, [](const MatrixOperand &X) { return X.Ld; });
  for (auto [Axis, Steps] : enumerate(Args.Steps))
    for (auto [Matrix, Step] : enumerate(Steps))
      AddDistance(Matrix, Step,
                  [A = Axis](const MatrixOperand &X) { return X.Steps[A]; });
  for (auto [Matrix, Step] :
       enumerate(ArrayRef(Args.ColumnSteps).take_front(2)))
    if (Step)
      AddDistance(Matrix + 1, Step,
                  [](const MatrixOperand &X) { return X.ColumnStep; });
  // Rows of C must not overlap each other.
  if (!Choice.M.empty() && Choice.Spec.StepC == 1 &&
      !DLOPT_PLANTED(RowOverlapUntested))
    E.addCondition(E.builder().CreateICmpUGE(Args.Ld[0], Args.N));
}

/// Rows and columns of a triangle that have no element go.
static void clipTriangle(IRBuilderBase &B, const ContractionChoice &Choice,
                         ContractionArguments &Args) {
  if (!Choice.Spec.isTriangle())
    return;
  bool IsLower = Choice.Spec.Elements == ContractionSpec::LowerTriangle;
  Value *&Long = IsLower ? Args.N : Args.M;
  int64_t More = IsLower ? Choice.Diagonal - 1 : -Choice.Diagonal;
  Value *Most = B.CreateAdd(IsLower ? Args.M : Args.N, B.getInt64(More));
  Long = B.CreateBinaryIntrinsic(Intrinsic::smin, Long, Most);
}

/// The steps of the row that has the most.
static Value *getMostSteps(GuardEmitter &E, const ContractionChoice &Choice,
                           ContractionArguments &Args) {
  Value *Rest = Args.StepsRest = E.getValue(Choice.Steps->Rest);
  if (!Rest || !Args.M || Choice.Steps->FromDiagonal)
    return Rest;
  IRBuilderBase &B = E.builder();
  auto Min = [&](Value *X, Value *Y) {
    return X && Y ? B.CreateBinaryIntrinsic(Intrinsic::smin, X, Y) : nullptr;
  };
  Value *Steps = B.CreateSub(B.CreateAdd(Args.M, Rest), B.getInt64(1));
  for (const Poly &Most : Choice.Steps->Most) {
    Value *V = E.getValue(Most);
    Args.StepsMost = Args.StepsMost ? Min(Args.StepsMost, V) : V;
    Steps = Min(Steps, V);
  }
  return Steps;
}

/// Rows are single ones near the diagonal, each a call. Measured on Cascade
/// Lake a tile of them pays, and two where operands are copied first, if there
/// are several hundred results.
static void emitStepTests(GuardEmitter &E, const ContractionChoice &Choice,
                          const ContractionArguments &Args) {
  IRBuilderBase &B = E.builder();
  const ContractionSpec &Spec = Choice.Spec;
  const bool Copies = Spec.copiesA() || Spec.copiesB();
  const uint64_t Rows = (Copies ? 2 : 1) * uint64_t(Choice.Plan.TileRows),
                 LeastColumns = 4, LeastResults = 512;
  E.addSmall(Args.StepsRest);
  E.addCondition(B.CreateICmpUGE(Args.M, B.getInt64(Rows)));
  E.addCondition(B.CreateICmpUGE(Args.N, B.getInt64(LeastColumns)));
  if (Copies)
    E.addCondition(
        B.CreateICmpUGE(B.CreateMul(Args.M, Args.N), B.getInt64(LeastResults)));
}

/// The tests of sizes, in front of all others: small products are frequent, and
/// what they lose is the time until the original loops start.
static Verdict emitSizeTests(GuardEmitter &E, const ContractionChoice &Choice,
                             ContractionArguments &Args) {
  Args.M = getExtent(E, Choice.M);
  Args.N = getExtent(E, Choice.N);
  Args.K =
      Choice.Steps ? getMostSteps(E, Choice, Args) : getExtent(E, Choice.K);
  if (!Args.M || !Args.N || !Args.K)
    return {Reason::NotInvariant, nullptr, ""};
  clipTriangle(E.builder(), Choice, Args);
  emitExtentTests(E, {Args.M, Args.N, Args.K});
  if (Choice.Steps)
    emitStepTests(E, Choice, Args);
  if (E.isKnownToFail())
    return {Reason::GuardFails, nullptr, ""};
  emitProfitability(E, Args, Choice.Plan);
  if (E.isKnownToFail())
    return {Reason::TooSmall, nullptr, ""};
  return {};
}

/// The tests of \p Choice that need its operands.
static Verdict emitOperandTests(GuardEmitter &E, const Kernel &K,
                                const ContractionChoice &Choice, Module &M,
                                ContractionArguments &Args) {
  emitOperands(E, K, Choice, M, Args);
  if (!Args.complete())
    return {Reason::NotInvariant, nullptr, ""};
  emitPreconditions(E, Choice, Args);
  return {E.isKnownToFail() ? Reason::GuardFails : Reason::Ok, nullptr, ""};
}

/// All tests. Not Ok if they cannot be made or are known to fail.
static Verdict emitTests(GuardEmitter &E, const Kernel &K,
                         ArrayRef<std::optional<ContractionChoice>> Parts,
                         Module &M,
                         MutableArrayRef<ContractionArguments> Args) {
  for (auto [Part, PartArgs] : zip_equal(Parts, Args))
    if (Part)
      if (Verdict Why = emitSizeTests(E, *Part, PartArgs); !Why.ok())
        return Why;
  E.startBlock();
  for (auto [Part, PartArgs] : zip_equal(Parts, Args))
    if (Part)
      if (Verdict Why = emitOperandTests(E, K, *Part, M, PartArgs); !Why.ok())
        return Why;
  if (!E.addNeeds())
    return {Reason::NotInvariant, nullptr, ""};
  return {E.isKnownToFail() ? Reason::GuardFails : Reason::Ok, nullptr, ""};
}

/// Fills the fast path: a call for each contraction, scalar loops for all else.
static void emitParts(GuardedRegion &Region, const Kernel &K,
                      ArrayRef<std::optional<ContractionChoice>> Parts,
                      ArrayRef<ContractionArguments> Args,
                      ArrayRef<PartVariants> Variants, Function &F,
                      const DebugLoc &Loc) {
  Instruction *End = Region.Fast->getTerminator();
  for (auto [I, Part] : enumerate(Parts)) {
    IRBuilder<> B(End);
    B.SetCurrentDebugLocation(getCallLoc(F, Loc));
    if (Part)
      emitContractionCalls(
          B, *Part, Args[I],
          *getOrCreateContraction(Part->Spec, Part->Plan, F, Variants[I], Loc));
    else
      lowerScalar(B, K, *K.Root.Children[I]);
  }
  Region.Fast = End->getParent();
}

Verdict dlopt::applyKernel(RaisedKernel &RK, KernelChoice &Choice,
                           ArrayRef<PartVariants> Variants,
                           const SelfCheck &Check, Function &F,
                           FunctionAnalysisManager &FAM) {
  DebugLoc Loc = RK.Nest->getStartLoc();
  if (Choice.Distributed)
    RK.K = std::move(Choice.Distributed);
  GuardedRegion Region;
  if (Verdict Why = openGuard(RK, F, FAM, Region, Check); !Why.ok())
    return Why;
  GuardEmitter E(RK, Region, F, FAM);
  SmallVector<ContractionArguments, 1> Args(Choice.Parts.size());
  SmallVector<Value *, 8> Inputs;
  Verdict Why = Choice.Lanes
                    ? emitLaneTests(E, *RK.K, *Choice.Lanes, Inputs)
                    : emitTests(E, *RK.K, Choice.Parts, *F.getParent(), Args);
  SmallVector<Value *, 2> Outs;
  for (const auto &[Phi, Index] : Region.Outs) {
    const RaisedKernel::LiveOut &Out = RK.LiveOuts[Index];
    Value *V = Why.ok() && !Out.Local ? E.getValue(Out.IndexValue) : nullptr;
    if (Why.ok() && !V && !Out.Local)
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
  size_t Blocks = F.size();
  CallInst *Lanes = nullptr;
  if (Choice.Lanes)
    Lanes = emitLanes(Region, *RK.K, *Choice.Lanes, Choice.LaneVariants, Inputs,
                      F, Loc);
  emitParts(Region, *RK.K, Choice.Parts, Args, Variants, F, Loc);
  if (F.size() != Blocks)
    adoptNewLoops(F, FAM.getResult<DominatorTreeAnalysis>(F),
                  FAM.getResult<LoopAnalysis>(F));
  IRBuilder<> B(Region.Fast->getTerminator());
  SmallVector<BufferId, 2> Results = getLaneResults(*RK.K);
  for (auto [Out, V] : zip(Region.Outs, Outs))
    if (std::optional<BufferId> Local = RK.LiveOuts[Out.second].Local)
      Region.setLiveOut(
          Out.second,
          B.CreateExtractValue(
              Lanes, std::distance(Results.begin(), find(Results, *Local))));
    else
      Region.setLiveOut(Out.second, B.CreateTrunc(V, Out.first->getType()));
  addSelfCheck(RK, Region, Check, F, FAM);
  return {};
}
