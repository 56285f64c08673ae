//===- MathModels.cpp - Math functions with the library's bits ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/MathModels.h"
#include "BodyLower.h"
#include "MathFormulas.h"
#include "dlopt/Compat.h"
#include "dlopt/CorrectCalls.h"
#include "dlopt/CorrectMath.h"
#include "dlopt/Lanes.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

#define DLOPT_MATH_MODEL(FUNCTION, FORMULA, WINDOW, LEAST, GREATEST, ...)      \
  static constexpr MathProbe FORMULA##Probes[] = {__VA_ARGS__};
#include "MathModels.def"

namespace {

struct MathReleases {
  unsigned First = 0, Last = 0;
};

} // namespace

/// Of the formula.
static MathReleases getReleases(StringRef Formula) {
#define DLOPT_MATH_RELEASES(FORMULA, FIRST, LAST)                              \
  if (Formula == #FORMULA)                                                     \
    return {FIRST, LAST};
#include "MathModels.def"
  return {};
}

/// Of the formula.
static bool probesAllNear(StringRef Formula) {
#define DLOPT_MATH_ALL_NEAR(FORMULA)                                           \
  if (Formula == #FORMULA)                                                     \
    return true;
#include "MathModels.def"
  return false;
}

static const MathModel Models[] = {
#define DLOPT_MATH_MODEL(FUNCTION, FORMULA, WINDOW, LEAST, GREATEST, ...)      \
  {MathFunction::FUNCTION,                                                     \
   emit##FORMULA,                                                              \
   WINDOW,                                                                     \
   LEAST,                                                                      \
   GREATEST,                                                                   \
   FORMULA##Probes,                                                            \
   probesAllNear(#FORMULA),                                                    \
   /*AsksForSubnormal=*/false,                                                 \
   getReleases(#FORMULA).First,                                                \
   getReleases(#FORMULA).Last,                                                 \
   /*Pairs=*/{}},
#include "MathModels.def"
};

ArrayRef<MathModel> getMathModels(MathFunction F) {
  auto IsOf = [&](const MathModel &M) { return M.Function == F; };
  return ArrayRef(Models).drop_until(IsOf).take_while(IsOf);
}

unsigned getKnownModel(const Module &M, MathFunction F, const MathPlan &Plan) {
  bool IsX86 = getTriple(M).getArch() == Triple::x86_64;
  for (auto [I, Model] : enumerate(getMathModels(F)))
    if (Plan.LibraryRelease && Plan.LibraryRelease >= Model.FirstRelease &&
        Plan.LibraryRelease <= Model.LastRelease &&
        (IsX86 || !Model.Formula.Float))
      return I + 1;
  return 0;
}

const MathModel *getMathModel(const Op &O, const MathPlan &Plan) {
  if (!Plan.Models || O.Ty != ScalarType::F32 || getInlineMath(O, Plan))
    return nullptr;
  std::optional<MathFunction> F = getMathFunction(O);
  // What lanes call is correct where the call has been marked.
  if (F && Plan.Accuracy == MathAccuracy::Correct) {
    const auto *Call = dyn_cast_or_null<CallBase>(O.Origin);
    return Call && !getCorrectMark(*Call).empty() ? getCorrectMath(*F)
                                                  : nullptr;
  }
  if (!F || getMathModels(*F).empty())
    return nullptr;
  return &getMathModels(*F).front();
}

bool computesModels(const Node &N, const MathPlan &Plan) {
  bool Any = false;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    Any |= any_of(L.Ops, [&](const Op &O) { return getMathModel(O, Plan); });
  });
  return Any;
}

bool isMathInLanes(const Op &O, const MathPlan &Plan) {
  return getInlineMath(O, Plan) || getMathModel(O, Plan);
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

static bool isBigEndian(const IRBuilderBase &B) {
  return B.GetInsertBlock()->getDataLayout().isBigEndian();
}

/// Of a fixed vector. One permutation of two registers, where x86 truncates
/// each by itself.
static Value *getHalves(IRBuilderBase &B, Value *X, bool IsHigh) {
  unsigned Count = cast<FixedVectorType>(X->getType())->getNumElements();
  auto *Halves = FixedVectorType::get(B.getInt32Ty(), 2 * Count);
  return B.CreateShuffleVector(
      B.CreateBitCast(X, Halves),
      createStrideMask(isBigEndian(B) != IsHigh ? 1 : 0, /*Stride=*/2, Count));
}

Value *getLowHalves(IRBuilderBase &B, Value *X) {
  if (isa<FixedVectorType>(X->getType()))
    return getHalves(B, X, /*IsHigh=*/false);
  return B.CreateTrunc(
      B.CreateBitCast(X, X->getType()->getWithNewType(B.getInt64Ty())),
      X->getType()->getWithNewType(B.getInt32Ty()));
}

Value *isNotNormal(IRBuilderBase &B, Value *Bits) {
  // By one sum, the least one being the least integer then: some vectors
  // compare integers with signs alone.
  constexpr int64_t Least = 0x00800000, Beyond = 0x7f800000,
                    Sign = int64_t(1) << 31;
  auto Number = [&](int64_t N) {
    return ConstantInt::getSigned(Bits->getType(), N);
  };
  return B.CreateICmpSGE(B.CreateAdd(Bits, Number(Sign - Least)),
                         Number(Beyond - Least - Sign));
}

Value *isAtLeast(MathBuilder &M, Value *X, double Least) {
  auto Bits = bit_cast<uint64_t>(Least);
  assert(Lo_32(Bits) == 0 && "nobody looks at the lower half");
  IRBuilderBase &B = M.B;
  // AVX-512 has registers of masks.
  if (M.getPermuted() == 16 || !isa<FixedVectorType>(X->getType()))
    return B.CreateFCmpUGE(M.abs(X), M.num(Least));
  // Masks of double are slow to make narrow.
  Value *High = getHalves(B, X, /*IsHigh=*/true);
  Type *Int = High->getType();
  High = B.CreateAnd(High, ConstantInt::get(Int, 0x7fffffff));
  return B.CreateICmpSGE(High, ConstantInt::get(Int, Hi_32(Bits)));
}

/// In double's last places: how far values up to \p Window units of float's
/// last place are from the middle between two floats.
static int64_t getWidth(double Window) {
  constexpr int64_t Unit = int64_t(1) << (52 - 23);
  if (DLOPT_PLANTED(WindowTooSmall))
    return 1;
  return static_cast<int64_t>(std::ceil(Window * Unit));
}

/// i32: 2 \p Width or less where \p Y is no further than Width from the middle,
/// never negative.
static Value *getPlace(IRBuilderBase &B, Value *Y, int64_t Width) {
  constexpr int64_t Unit = int64_t(1) << (52 - 23);
  Type *Low = Y->getType()->getWithNewType(B.getInt32Ty());
  auto Number = [&](int64_t X) { return ConstantInt::getSigned(Low, X); };
  Value *Rest = getLowHalves(B, Y);
  return B.CreateAnd(B.CreateAdd(Rest, Number(Width - Unit / 2)),
                     Number(Unit - 1));
}

Value *isNearMiddle(IRBuilderBase &B, Value *Y, double Window) {
  int64_t Width = getWidth(Window);
  Value *Place = getPlace(B, Y, Width);
  return B.CreateICmpSLE(Place,
                         ConstantInt::getSigned(Place->getType(), 2 * Width));
}

/// Near the middle, or where \p Result, which Y has been rounded to, is
/// subnormal: then the middles are others. Both are sign bits first, as masks
/// are slow to unite.
static Value *isUndecided(IRBuilderBase &B, Value *Y, Value *Result,
                          double Window) {
  constexpr int64_t Positive = 0x7fffffff, LeastNormal = 0x00800000;
  int64_t Width = getWidth(Window);
  Value *Place = getPlace(B, Y, Width);
  Type *Ty = Place->getType();
  auto Number = [&](int64_t X) { return ConstantInt::getSigned(Ty, X); };
  Value *Near = B.CreateSub(Place, Number(2 * Width + 1));
  // Zeros are the greatest numbers then.
  Value *Bits = B.CreateSub(B.CreateBitCast(Result, Ty), Number(1));
  Value *Subnormal =
      B.CreateSub(B.CreateAnd(Bits, Number(Positive)), Number(LeastNormal - 1));
  return B.CreateICmpSLT(B.CreateOr(Near, Subnormal), Number(0));
}

/// The same of a scalar, subnormal results by their own middles: in vectors
/// these are too seldom for that.
static Value *isUndecidedScalar(MathBuilder &M, Value *Y, double Window) {
  // In units of the least float.
  Value *T = M.mul(Y, 0x1p149);
  Value *Rest =
      M.abs(M.sub(T, M.sub(M.add(T, M.Format.Magic), M.Format.Magic)));
  Value *IsNear = M.B.CreateFCmpOGE(Rest, M.num(0.5 - Window));
  return M.select(M.less(M.abs(Y), 0x1p-126), IsNear,
                  isNearMiddle(M.B, Y, Window));
}

/// Lanes whose inputs are not in the range of \p Model, NaN being in none; null
/// if every input is.
static Value *isBeyond(MathBuilder &M, const MathModel &Model, Value *X) {
  if (DLOPT_PLANTED(RangeUntested) || std::isinf(Model.Greatest))
    return nullptr;
  IRBuilderBase &B = M.B;
  Constant *Least = ConstantFP::get(X->getType(), Model.Least),
           *Greatest = ConstantFP::get(X->getType(), Model.Greatest);
  if (Model.Least == std::numeric_limits<float>::min() &&
      Model.Greatest == std::numeric_limits<float>::max())
    return isNotNormal(B, M.bits(X));
  if (std::isinf(Model.Least))
    return B.CreateFCmpUGT(X, Greatest);
  if (Model.Least == -Model.Greatest)
    return B.CreateFCmpUGT(M.abs(X), Greatest);
  return B.CreateOr(B.CreateFCmpULT(X, Least), B.CreateFCmpUGT(X, Greatest));
}

/// Either may be null.
static Value *unite(IRBuilderBase &B, Value *X, Value *Y) {
  return X && Y ? B.CreateOr(X, Y) : X ? X : Y;
}

/// Scalars take no pairs: they are who is called where these do not decide.
static bool hasPairs(const MathBuilder &M, const MathModel &Model) {
  return Model.Pairs.Emit && M.hasFMA() && M.Ty->isVectorTy() &&
         (Model.Pairs.Lanes == 1 || M.getPermuted() == Model.Pairs.Lanes);
}

/// \p Model's result where the lanes of \p X are those of a register.
static ModelledMath emitPart(IRBuilderBase &B, const MathModel &Model,
                             ArrayRef<Value *> X, const MathTarget &T) {
  const MathFormula &F = Model.Formula;
  MathBuilder M(B, X.front()->getType(), T);
  Value *Beyond = isBeyond(M, Model, X.front());
  if (auto *InFloat = hasPairs(M, Model) ? Model.Pairs.Emit : F.Float) {
    ModelledMath Y = InFloat(M, X);
    return {Y.Result, unite(B, Y.Calls, Beyond)};
  }
  MathBuilder InDouble = M.inDouble();
  Value *Calls = nullptr;
  Value *Y = F.Double(InDouble, X, Calls);
  Value *Result = B.CreateFPTrunc(Y, M.Ty);
  Value *Near = nullptr;
  if (Model.AsksForSubnormal)
    Near = M.Ty->isVectorTy() ? isUndecided(B, Y, Result, Model.Window)
                              : isUndecidedScalar(InDouble, Y, Model.Window);
  else if (!Model.ProbesAllNear || !M.hasFMA())
    Near = isNearMiddle(B, Y, Model.Window);
  return {Result, unite(B, unite(B, Near, Calls), Beyond)};
}

/// \p Count lanes of \p X from \p First on, both times vscale where X is
/// scalable.
static Value *extractLanes(IRBuilderBase &B, Value *X, unsigned First,
                           unsigned Count) {
  auto *Ty = dyn_cast<ScalableVectorType>(X->getType());
  if (!Ty)
    return B.CreateShuffleVector(
        X, createSequentialMask(First, Count, /*NumUndefs=*/0));
  return B.CreateExtractVector(
      ScalableVectorType::get(Ty->getElementType(), Count), X,
      B.getInt64(First));
}

/// One behind the other.
static Value *joinLanes(IRBuilderBase &B, ArrayRef<Value *> Parts) {
  if (Parts.size() == 1)
    return Parts.front();
  auto *Part = dyn_cast<ScalableVectorType>(Parts.front()->getType());
  if (!Part)
    return concatenateVectors(B, Parts);
  unsigned Count = Part->getMinNumElements();
  auto *Ty = ScalableVectorType::get(Part->getElementType(),
                                     Count * unsigned(Parts.size()));
  Value *Whole = PoisonValue::get(Ty);
  for (auto [I, V] : enumerate(Parts))
    Whole = B.CreateInsertVector(Ty, Whole, V, B.getInt64(I * Count));
  return Whole;
}

ModelledLanes emitModel(IRBuilderBase &B, const MathModel &Model,
                        ArrayRef<Value *> X, const MathTarget &T) {
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.clearFastMathFlags();
  B.setDefaultFPMathTag(nullptr);
  ElementCount Lanes = ElementCount::getFixed(1);
  if (auto *Ty = dyn_cast<VectorType>(X[0]->getType()))
    Lanes = Ty->getElementCount();
  unsigned Count = Lanes.getKnownMinValue(), Most = T.VectorBits / 32;
  // Operations in float wait for each other for longer than there is other work
  // in one register; those in double have twice as many.
  if (Model.Formula.Float)
    Most = Count;
  // Not every target with scalars has vectors.
  if (Count <= Most || Most == 0 || Count % Most != 0)
    Most = Count;
  // All values of one register after those of another: they are many.
  SmallVector<Value *, 4> Results, Calls;
  for (unsigned First = 0; First != Count; First += Most) {
    SmallVector<Value *, 2> Own(X);
    if (Most != Count)
      for (Value *&V : Own)
        V = extractLanes(B, V, First, Most);
    ModelledMath Y = emitPart(B, Model, Own, T);
    Results.push_back(Y.Result);
    if (Y.Calls)
      Calls.push_back(Y.Calls);
  }
  if (Lanes.isScalable() && !Calls.empty())
    Calls = {joinLanes(B, Calls)};
  return {joinLanes(B, Results), Calls};
}

Value *emitModelValue(IRBuilderBase &B, const MathModel &Model,
                      ArrayRef<Value *> X, const MathTarget &T) {
  MathBuilder InDouble = MathBuilder(B, X.front()->getType(), T).inDouble();
  Value *Calls = nullptr;
  return Model.Formula.Double(InDouble, X, Calls);
}

} // namespace dlopt
