//===- MathModels.cpp - Math functions with the library's bits ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/MathModels.h"
#include "BodyLower.h"
#include "MathFormulas.h"
#include "dlopt/CorrectMath.h"
#include "dlopt/Lanes.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/VectorUtils.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

#define DLOPT_MATH_MODEL(FUNCTION, FORMULA, WINDOW, LEAST, GREATEST, ...)      \
  static constexpr MathProbe FORMULA##Probes[] = {__VA_ARGS__};
#include "MathModels.def"

static const MathModel Models[] = {
#define DLOPT_MATH_MODEL(FUNCTION, FORMULA, WINDOW, LEAST, GREATEST, ...)      \
  {MathFunction::FUNCTION, emit##FORMULA, WINDOW, LEAST, GREATEST,             \
   FORMULA##Probes},
#include "MathModels.def"
};

ArrayRef<MathModel> getMathModels(MathFunction F) {
  auto IsOf = [&](const MathModel &M) { return M.Function == F; };
  return ArrayRef(Models).drop_until(IsOf).take_while(IsOf);
}

const MathModel *getMathModel(const Op &O, const LanePlan &Plan) {
  if (!Plan.Models || Plan.Scalable || O.Ty != ScalarType::F32 ||
      getInlineMath(O, Plan))
    return nullptr;
  std::optional<MathFunction> F = getMathFunction(O);
  if (F && Plan.Accuracy == MathAccuracy::Correct)
    return getCorrectMath(*F);
  if (!F || getMathModels(*F).empty())
    return nullptr;
  return &getMathModels(*F).front();
}

bool isMathInLanes(const Op &O, const LanePlan &Plan) {
  return getInlineMath(O, Plan) || getMathModel(O, Plan);
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

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
  Type *Bits = Y->getType()->getWithNewType(B.getInt64Ty());
  Type *Low = Y->getType()->getWithNewType(B.getInt32Ty());
  auto Number = [&](int64_t X) { return ConstantInt::getSigned(Low, X); };
  Value *Rest = B.CreateTrunc(B.CreateBitCast(Y, Bits), Low);
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

Value *lookUp(IRBuilderBase &B, ArrayRef<float> Table, Value *Index) {
  auto *Ty = cast<FixedVectorType>(Index->getType());
  unsigned Count = Ty->getNumElements();
  if (Table.size() > Count && Table.size() % 2 == 0 && Count >= 8) {
    Value *Bit = B.CreateAnd(Index, ConstantInt::get(Ty, Table.size() / 2));
    return B.CreateSelect(B.CreateIsNotNull(Bit),
                          lookUp(B, Table.drop_front(Table.size() / 2), Index),
                          lookUp(B, Table.take_front(Table.size() / 2), Index));
  }
  // As many as there are lanes, which back ends know as a permutation.
  SmallVector<float, 16> Whole(Table);
  while (Whole.size() < Count)
    Whole.append(Table.begin(), Table.end());
  Value *Numbers = ConstantDataVector::get(B.getContext(), Whole);
  Index = B.CreateAnd(Index, ConstantInt::get(Ty, Table.size() - 1));
  Value *Result = PoisonValue::get(Ty->getWithNewType(B.getFloatTy()));
  for (unsigned L = 0; L != Count; ++L)
    Result = B.CreateInsertElement(
        Result,
        B.CreateExtractElement(Numbers, B.CreateExtractElement(Index, L)), L);
  return Result;
}

/// Lanes whose inputs are not in the range of \p Model, NaN being in none; null
/// if every input is.
static Value *isBeyond(MathBuilder &M, const MathModel &Model, Value *X) {
  if (DLOPT_PLANTED(RangeUntested) || std::isinf(Model.Greatest))
    return nullptr;
  IRBuilderBase &B = M.B;
  Constant *Least = ConstantFP::get(X->getType(), Model.Least),
           *Greatest = ConstantFP::get(X->getType(), Model.Greatest);
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

/// \p Model's result where the lanes of \p X are those of a register.
static ModelledMath emitPart(IRBuilderBase &B, const MathModel &Model,
                             ArrayRef<Value *> X, const MathTarget &T) {
  const MathFormula &F = Model.Formula;
  MathBuilder M(B, X.front()->getType(), T);
  Value *Beyond = isBeyond(M, Model, X.front());
  if (F.Float) {
    ModelledMath Y = F.Float(M, X);
    return {Y.Result, unite(B, Y.Calls, Beyond)};
  }
  MathBuilder InDouble = M.inDouble();
  Value *Calls = nullptr;
  Value *Y = F.Double(InDouble, X, Calls);
  Value *Result = B.CreateFPTrunc(Y, M.Ty);
  Value *Near = Model.Probes.empty() ? isUndecided(B, Y, Result, Model.Window)
                                     : isNearMiddle(B, Y, Model.Window);
  return {Result, unite(B, unite(B, Near, Calls), Beyond)};
}

/// Whether it has tables: registers of 256 bits, as back ends take permutations
/// of wider ones apart where those are not legal, or a table is a broadcast.
static bool looksUp(const MathFormula &F) {
  return F.Float == emitErfInFloat || F.Double == emitLogInDouble;
}

ModelledMath emitModel(IRBuilderBase &B, const MathModel &Model,
                       ArrayRef<Value *> X, const MathTarget &T) {
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.clearFastMathFlags();
  B.setDefaultFPMathTag(nullptr);
  auto *Lanes = dyn_cast<FixedVectorType>(X[0]->getType());
  unsigned Count = Lanes ? Lanes->getNumElements() : 1,
           Most = looksUp(Model.Formula) ? 8 : T.VectorBits / 32;
  // Not every target with scalars has vectors.
  if (Count <= Most || Most == 0 || Count % Most != 0)
    return emitPart(B, Model, X, T);
  // All values of one register after those of another: they are many.
  SmallVector<Value *, 4> Results, Calls;
  for (unsigned First = 0; First != Count; First += Most) {
    SmallVector<Value *, 2> Own;
    for (Value *V : X)
      Own.push_back(B.CreateShuffleVector(
          V, createSequentialMask(First, Most, /*NumUndefs=*/0)));
    ModelledMath Y = emitPart(B, Model, Own, T);
    Results.push_back(Y.Result);
    if (Y.Calls)
      Calls.push_back(Y.Calls);
  }
  return {concatenateVectors(B, Results),
          Calls.empty() ? nullptr : concatenateVectors(B, Calls)};
}

Value *emitModelValue(IRBuilderBase &B, const MathModel &Model,
                      ArrayRef<Value *> X, const MathTarget &T) {
  MathBuilder InDouble = MathBuilder(B, X.front()->getType(), T).inDouble();
  Value *Calls = nullptr;
  return Model.Formula.Double(InDouble, X, Calls);
}

} // namespace dlopt
