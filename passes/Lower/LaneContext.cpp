//===- LaneContext.cpp - Leaves in the lanes of vectors -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A leaf as vector code: what does not depend on the lane stays scalar,
/// neighbours in memory are read and written as vectors, all else lane by lane.
/// Conditions that differ between lanes become masks: nothing is read or
/// written where the source does not.
///
//===----------------------------------------------------------------------===//
#include "LaneContext.h"
#include "BlockUtils.h"
#include "ExpressionLower.h"
#include "dlopt/Compat.h"
#include "dlopt/Expression.h"
#include "dlopt/Lower.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

Poly getOffset(const Kernel &K, const Access &X) {
  return K.Buffers[X.Buf].IsLocal ? getLocalOffset(K, X) : X.offset();
}

std::optional<VectorStart> getVectorStart(const Kernel &K, const Access &X,
                                          AxisId Lane, unsigned Elems) {
  if (K.Buffers[X.Buf].IsLocal)
    return std::nullopt;
  VectorStart Result;
  Result.First = getOffset(K, X);
  for (AxisId A = 0; A != K.Axes.size(); ++A) {
    if (!K.dependsOn(Result.First, A))
      continue;
    std::optional<Poly> Stride = getStride(K, Result.First, A);
    if (!Stride || !K.isFixed(*Stride))
      return std::nullopt;
    // The atoms of axes are known, as the offset depends on them.
    for (auto [Id, At] : enumerate(K.Atoms))
      if (At.K == Atom::Axis && At.Ref == A)
        Result.First = Result.First.without(Id);
    if (A != Lane)
      Result.Steps.push_back(std::move(*Stride));
    else if (Stride->getConstant() != 1)
      return std::nullopt;
  }
  // The first elements of vectors in memory are those of whole objects.
  bool MayBeAligned = Result.First.getConstantTerm() % Elems == 0;
  bool DependsOnLane = K.dependsOn(getOffset(K, X), Lane);
  if (!DependsOnLane || !MayBeAligned || !K.isFixed(Result.First))
    return std::nullopt;
  return Result;
}

void LaneContext::enterLanes(AxisId A, Value *First, unsigned Count,
                             Value *Second) {
  AxisValues[A] = First;
  Lane = A;
  Lanes = Count;
  this->Second = Second;
}

/// The iteration that the lane \p L has, where the axis has that of the first
/// one.
Value *LaneContext::getLaneValue(unsigned L) {
  unsigned Half = Lanes / 2;
  if (Second && L >= Half)
    return L == Half ? Second : B.CreateAdd(Second, B.getInt64(L - Half));
  Value *First = AxisValues[Lane];
  return L ? B.CreateAdd(First, B.getInt64(L)) : First;
}

/// How many iterations lanes are behind the first one.
Value *LaneContext::getLaneOffsets() {
  Value *Numbers =
      B.CreateStepVector(VectorType::get(B.getInt64Ty(), getCount()));
  if (!Second || DLOPT_PLANTED(UpperHalfBehind))
    return Numbers;
  SmallVector<Constant *, 16> IsUpper;
  for (unsigned L = 0; L != Lanes; ++L)
    IsUpper.push_back(B.getInt1(L >= Lanes / 2));
  Value *Common =
      B.CreateSub(B.CreateAdd(AxisValues[Lane], B.getInt64(Lanes / 2)), Second);
  return B.CreateSelect(ConstantVector::get(IsUpper),
                        B.CreateSub(Numbers, spread(Common)), Numbers);
}

/// Calls \p Do for lanes that have iterations behind each other, of which the
/// axis has the first one then: all, or each half.
void LaneContext::forEachHalf(
    function_ref<void(unsigned Begin, unsigned Count)> Do) {
  if (!Second)
    return Do(0, Lanes);
  Value *First = AxisValues[Lane];
  Do(0, Lanes / 2);
  AxisValues[Lane] = Second;
  Do(Lanes / 2, Lanes / 2);
  AxisValues[Lane] = First;
}

/// The lanes of \p V, which may be null, from \p Begin on.
Value *LaneContext::getPart(Value *V, unsigned Begin, unsigned Count) {
  if (!V || Count == Lanes)
    return V;
  return B.CreateShuffleVector(V, createSequentialMask(Begin, Count, 0));
}

Type *LaneContext::getVectorType(ScalarType Ty) {
  return VectorType::get(getIRType(Ty, B.getContext()), getCount());
}

Value *LaneContext::spread(Value *V) {
  return inLanes() && !V->getType()->isVectorTy()
             ? B.CreateVectorSplat(getCount(), V)
             : V;
}

Value *LaneContext::getPoly(const Poly &P) {
  if (!inLanes() || !K.dependsOn(P, Lane))
    return ScalarContext::getPoly(P);
  if (std::optional<Poly> Stride = getStride(K, P, Lane)) {
    Value *Base = ScalarContext::getPoly(P);
    Value *Step = ScalarContext::getPoly(*Stride);
    return B.CreateAdd(spread(Base),
                       B.CreateMul(getLaneOffsets(), spread(Step)));
  }
  Value *First = AxisValues[Lane];
  Value *Result = PoisonValue::get(FixedVectorType::get(B.getInt64Ty(), Lanes));
  for (unsigned L = 0; L != Lanes; ++L) {
    AxisValues[Lane] = getLaneValue(L);
    Result = B.CreateInsertElement(Result, ScalarContext::getPoly(P), L);
    AxisValues[Lane] = First;
  }
  return Result;
}

/// Reads aligned vectors of what the address of \p X is made of.
void LaneContext::loadPositions(const Access &X) {
  if (!Plan.PerThread)
    return;
  for (auto [Id, A] : enumerate(K.Atoms))
    if (A.K == Atom::Load && getOffset(K, X).uses(Id) &&
        getVectorStart(K, A.Source, Lane, Lanes)) {
      Type *Ty = getVectorType(K.Buffers[A.Source.Buf].Ty);
      Positions[Id] = B.CreateAlignedLoad(Ty, getAddress(A.Source),
                                          getVectorAlign(A.Source, Align(1)));
    }
}

Value *LaneContext::getAtom(AtomId Id) {
  if (Value *Known = Positions.lookup(Id))
    return B.CreateIntCast(B.CreateExtractElement(Known, Position),
                           B.getInt64Ty(), K.Atoms[Id].Signed);
  return ScalarContext::getAtom(Id);
}

SmallVector<Value *, 16> LaneContext::getAddresses(const Access &X) {
  Value *First = AxisValues[Lane];
  SmallVector<Value *, 16> Result;
  loadPositions(X);
  for (unsigned L = 0; L != Lanes; ++L) {
    AxisValues[Lane] = getLaneValue(L);
    Position = L;
    Result.push_back(getAddress(X));
    AxisValues[Lane] = First;
  }
  Positions.clear();
  return Result;
}

Value *LaneContext::getSlot(const Access &X) {
  AllocaInst *&Slot = Slots[{X.Buf, Lanes}];
  Type *Ty = getVectorType(K.Buffers[X.Buf].Ty);
  if (!Slot)
    Slot = createLocal(*B.GetInsertBlock()->getParent(), X.Buf, Ty);
  return K.Buffers[X.Buf].Shape.empty()
             ? static_cast<Value *>(Slot)
             : B.CreateGEP(Ty, Slot, ScalarContext::getPoly(getOffset(K, X)));
}

static Access getScalarAccess(BufferId Buf) {
  Access X;
  X.Buf = Buf;
  return X;
}

Value *LaneContext::getPrivate(BufferId Buf) {
  return B.CreateLoad(getVectorType(K.Buffers[Buf].Ty),
                      getSlot(getScalarAccess(Buf)));
}

void LaneContext::setPrivate(BufferId Buf, Value *V) {
  B.CreateStore(spread(V), getSlot(getScalarAccess(Buf)));
}

static Value *makeVector(IRBuilderBase &B, ArrayRef<Value *> Elements) {
  Value *Result = PoisonValue::get(
      FixedVectorType::get(Elements.front()->getType(), Elements.size()));
  for (auto [L, V] : enumerate(Elements))
    Result = B.CreateInsertElement(Result, V, L);
  return Result;
}

Value *LaneContext::load(const Op &O) {
  if (auto It = Tables.find(&O); It != Tables.end())
    return lookUp(It->second);
  if (Private.contains(O.Acc.Buf))
    return B.CreateLoad(getVectorType(O.Ty), getSlot(O.Acc));
  Poly Offset = getOffset(K, O.Acc);
  if (!K.dependsOn(Offset, Lane))
    return ScalarContext::getOp(O, {});
  return loadLanes(O);
}

/// How neighbours are aligned that are read or written at once.
Align LaneContext::getVectorAlign(const Access &X, Align ElemAlign) const {
  if (!Plan.PerThread || !getVectorStart(K, X, Lane, Lanes))
    return ElemAlign;
  return Align(Lanes * getSizeInBytes(K.Buffers[X.Buf].Ty));
}

/// One of two, by what \p Condition is for all lanes; what they return, or
/// null.
Value *LaneContext::choose(Value *Condition, const Twine &Name,
                           function_ref<Value *()> IfTrue,
                           function_ref<Value *()> IfFalse) {
  BasicBlock *Done = splitAtInsertPoint(B, Name + ".done");
  Function &F = *Done->getParent();
  auto *True = BasicBlock::Create(B.getContext(), Name, &F, Done),
       *False = BasicBlock::Create(B.getContext(), Name + ".not", &F, Done);
  DebugLoc Loc = B.getCurrentDebugLocation();
  B.CreateCondBr(Condition, True, False);
  // Either side may choose itself, and end in another block.
  SmallVector<std::pair<Value *, BasicBlock *>, 2> Results;
  for (auto [BB, Emit] : {std::pair(True, IfTrue), std::pair(False, IfFalse)}) {
    B.SetInsertPoint(UncondBrInst::Create(Done, BB));
    B.SetCurrentDebugLocation(Loc);
    Value *V = Emit();
    Results.push_back({V, B.GetInsertBlock()});
  }
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
  if (!Results.front().first)
    return nullptr;
  PHINode *Result = B.CreatePHI(Results.front().first->getType(), 2);
  for (auto [V, From] : Results)
    Result->addIncoming(V, From);
  return Result;
}

/// Neighbours under \p Mask. What is a tail may be none.
Value *LaneContext::loadMasked(Type *Ty, Value *Address, Align ElemAlign,
                               Value *Mask) {
  auto Load = [&]() -> Value * {
    return B.CreateMaskedLoad(Ty, Address, ElemAlign, Mask,
                              Constant::getNullValue(Ty));
  };
  if (Mask != Tail || !IsWhole)
    return Load();
  return choose(
      IsWhole, "whole",
      [&]() -> Value * { return B.CreateAlignedLoad(Ty, Address, ElemAlign); },
      Load);
}

/// The same the other way round.
void LaneContext::storeMasked(Value *V, Value *Address, Align ElemAlign,
                              Value *Mask) {
  auto Store = [&]() -> Value * {
    B.CreateMaskedStore(V, Address, ElemAlign, Mask);
    return nullptr;
  };
  if (Mask != Tail || !IsWhole) {
    Store();
    return;
  }
  choose(
      IsWhole, "whole",
      [&]() -> Value * {
        B.CreateAlignedStore(V, Address, ElemAlign);
        return nullptr;
      },
      Store);
}

/// Elements under \p Mask that are \p Stride apart: an argument, which is 1
/// more often than not, and neighbours are read many times as fast.
Value *LaneContext::gatherUnlessNear(const Op &O, Value *Stride,
                                     Align ElemAlign, Value *Mask) {
  Value *IsNear = DLOPT_PLANTED(GatheredAsNeighbours)
                      ? B.getTrue()
                      : B.CreateICmpEQ(Stride, B.getInt64(1));
  return choose(
      IsNear, "near", [&] { return loadNeighbours(O, ElemAlign, Mask); },
      [&] { return gather(O, ElemAlign, Mask); });
}

/// Neighbours, under \p Mask if that is not null.
Value *LaneContext::loadNeighbours(const Op &O, Align ElemAlign, Value *Mask) {
  SmallVector<Value *, 2> Parts;
  forEachHalf([&](unsigned Begin, unsigned Count) {
    Type *Ty =
        VectorType::get(getIRType(O.Ty, B.getContext()),
                        ElementCount::get(Count, getCount().isScalable()));
    Value *Address = getAddress(O.Acc);
    Parts.push_back(
        Mask ? loadMasked(Ty, Address, ElemAlign, getPart(Mask, Begin, Count))
             : static_cast<Value *>(B.CreateAlignedLoad(
                   Ty, Address, getVectorAlign(O.Acc, ElemAlign))));
  });
  return concatenateVectors(B, Parts);
}

/// Elements that differ between lanes.
Value *LaneContext::loadLanes(const Op &O) {
  std::optional<Poly> Stride = getStride(K, getOffset(K, O.Acc), Lane);
  std::optional<int64_t> Step = Stride ? Stride->getConstant() : std::nullopt;
  Type *Elem = getIRType(O.Ty, B.getContext()), *Ty = getVectorType(O.Ty);
  Align ElemAlign = getElementAlign(O.Origin, Elem);
  Value *Mask = Safe.contains(&O) ? Tail : this->Mask;
  if (Step == 1)
    return loadNeighbours(O, ElemAlign, Mask);
  if (Plan.Scalable || (Mask && Step))
    return gather(O, ElemAlign, Mask);
  if (Mask && Stride)
    return gatherUnlessNear(O, ScalarContext::getPoly(*Stride), ElemAlign,
                            Mask);
  if (Step == -1 && !Mask && !Second) {
    Value *Last = B.CreateGEP(Elem, getAddress(O.Acc),
                              B.getInt64(1 - static_cast<int64_t>(Lanes)));
    return B.CreateVectorReverse(B.CreateAlignedLoad(Ty, Last, ElemAlign));
  }
  SmallVector<Value *, 16> Values = getAddresses(O.Acc);
  if (Mask)
    return B.CreateMaskedGather(Ty, makeVector(B, Values), ElemAlign, Mask,
                                Constant::getNullValue(Ty));
  for (Value *&V : Values)
    V = B.CreateAlignedLoad(Elem, V, ElemAlign);
  return makeVector(B, Values);
}

std::optional<MathFunction> getInlineMath(const Op &O, const MathPlan &Plan) {
  if (!O.FMF.approxFunc() || O.WritesErrno)
    return std::nullopt;
  std::optional<MathFunction> F = getMathFunction(O);
  return F && canEmitMath(*F, O.Ty, Plan.Accuracy, Plan.Math) ? F
                                                              : std::nullopt;
}

bool isRoundedToBFloat(const Op &O) {
  return O.K == Op::Inst && O.Opcode == Instruction::FPTrunc &&
         O.Ty == ScalarType::BF16;
}

/// Operands of an operation on vectors are vectors, but for a condition that
/// chooses for all lanes and for what intrinsics take as a scalar.
void LaneContext::spreadOperands(const Op &O, MutableArrayRef<Value *> Args) {
  bool IsSelect = O.K == Op::Inst && O.Opcode == Instruction::Select;
  for (auto [I, V] : enumerate(Args))
    if (!(IsSelect && I == 0) &&
        !(O.K == Op::Intrinsic && takesScalar(O.Opcode, I)))
      V = spread(V);
}

/// \p O with its product, if it is one with a sum, rounded first.
Value *LaneContext::getSeparated(const Op &O, ArrayRef<Value *> Args) {
  Op Sum = O;
  Sum.FMF.setAllowContract(false);
  if (O.K != Op::Intrinsic || O.Opcode != Intrinsic::fmuladd)
    return ScalarContext::getOp(Sum, Args);
  Sum.K = Op::Inst;
  Sum.Opcode = Instruction::FAdd;
  Op Product = Sum;
  Product.Opcode = Instruction::FMul;
  return ScalarContext::getOp(
      Sum, {ScalarContext::getOp(Product, Args.take_front(2)), Args[2]});
}

/// GPUs approximate functions of scalars.
Value *LaneContext::emitMathInLanes(MathFunction F, ArrayRef<Value *> Args) {
  if (!Plan.PerThread || !Args.front()->getType()->isVectorTy())
    return emitMath(B, F, Args, Plan.Accuracy, Plan.Math);
  SmallVector<Value *, 4> Results;
  for (unsigned L = 0; L != Lanes; ++L) {
    SmallVector<Value *, 2> Own;
    for (Value *V : Args)
      Own.push_back(B.CreateExtractElement(V, L));
    Results.push_back(emitMath(B, F, Own, Plan.Accuracy, Plan.Math));
  }
  return makeVector(B, Results);
}

/// The greater or the less of the number Args[0] and Args[1], which takes its
/// place only if it is a number and differs.
Value *LaneContext::getExtreme(const Op &O, ArrayRef<Value *> Args) {
  CmpInst::Predicate Better =
      O.Opcode == Intrinsic::maxnum ? CmpInst::FCMP_OGT : CmpInst::FCMP_OLT;
  return B.CreateSelect(B.CreateFCmp(Better, Args[1], Args[0]), Args[1],
                        Args[0]);
}

Value *LaneContext::getOp(const Op &O, ArrayRef<Value *> Args) {
  if (Value *Known = Ahead.lookup(&O))
    return Known;
  SmallVector<Value *, 3> Own(Args);
  if (any_of(Args, [](Value *V) { return V->getType()->isVectorTy(); }))
    spreadOperands(O, Own);
  if (std::optional<MathFunction> F = getInlineMath(O, Plan)) {
    if (OfNegative.contains(&O))
      F = MathFunction::ExpNegative;
    return emitMathInLanes(*F, Own);
  }
  if (isRoundedToBFloat(O))
    return emitRoundToBFloat(B, Own.front(), Plan.Math);
  if (Plan.SeparateProducts && (O.K == Op::Inst || O.K == Op::Intrinsic))
    return getSeparated(O, Own);
  if (!inLanes())
    return ScalarContext::getOp(O, Own);
  if (OfNumbers.contains(&O))
    return getExtreme(O, Own);
  if (O.K == Op::Load)
    return load(O);
  if (O.K == Op::Index) {
    Value *V = getPoly(O.Idx);
    Type *Ty = getIRType(O.Ty, B.getContext());
    return B.CreateTrunc(V,
                         V->getType()->isVectorTy() ? getVectorType(O.Ty) : Ty);
  }
  const MathModel *Model = getMathModel(O, Plan);
  // What lanes share is computed once, but not where none of them runs: that
  // could set errno.
  if (Mask && (Model || isRoot(O)) && !DLOPT_PLANTED(SharedCallUnmasked))
    for (Value *&V : Own)
      V = spread(V);
  if ((Model || O.K == Op::LibCall) &&
      none_of(Own, [](Value *V) { return V->getType()->isVectorTy(); }))
    return callForAll(O, Own);
  if (Model)
    return Models.compute(O, *Model, Own, Mask);
  if (isRoot(O))
    return Models.getRoots(O, Own.front(), Mask);
  return O.K == Op::LibCall ? callForLanes(O, Own)
                            : ScalarContext::getOp(O, Own);
}

/// Says that all lanes that run call \p O.
void LaneContext::addCalls(const Op &O, ArrayRef<Value *> Args) {
  if (!O.WritesErrno)
    return;
  SmallVector<Value *, 2> All(
      map_range(Args, [&](Value *V) { return spread(V); }));
  Models.addCalls(O, All, Mask);
}

/// One call of a function for what all lanes share.
Value *LaneContext::callForAll(const Op &O, ArrayRef<Value *> Args) {
  if (!DLOPT_PLANTED(SharedCallOutOfOrder))
    addCalls(O, Args);
  return ScalarContext::getOp(O, Args);
}

/// A call of a function of the library for each lane, in order.
Value *LaneContext::callForLanes(const Op &O, ArrayRef<Value *> Args) {
  SmallVector<Value *, 16> Results;
  addCalls(O, Args);
  for (unsigned L = 0; L != Lanes; ++L) {
    SmallVector<Value *, 2> Own;
    for (Value *V : Args)
      Own.push_back(V->getType()->isVectorTy() ? B.CreateExtractElement(V, L)
                                               : V);
    Results.push_back(ScalarContext::getOp(O, Own));
  }
  return makeVector(B, Results);
}

void LaneContext::restrict(Value *Condition,
                           function_ref<void(Value *)> Branch) {
  if (!Condition->getType()->isVectorTy())
    return Branch(Condition);
  // A condition behind another is poison, maybe, where that does not hold.
  Mask = Mask ? B.CreateLogicalAnd(Mask, Condition) : Condition;
  if (Branches)
    Branch(B.CreateOrReduce(Mask));
}

/// The same the other way round, under the mask of the leaf.
void LaneContext::storeNeighbours(const Access &To, Value *V, Align ElemAlign) {
  forEachHalf([&](unsigned Begin, unsigned Count) {
    Value *Part = getPart(V, Begin, Count), *Address = getAddress(To);
    if (Mask)
      storeMasked(Part, Address, ElemAlign, getPart(Mask, Begin, Count));
    else
      B.CreateAlignedStore(Part, Address, getVectorAlign(To, ElemAlign));
  });
}

void LaneContext::store(const Assign &A, Value *V) {
  const Access &To = A.Target;
  V = spread(V);
  if (auto It = Behind.find(&A); It != Behind.end()) {
    It->second.push_back(V);
    return;
  }
  if (Private.contains(To.Buf)) {
    Value *Slot = getSlot(To);
    // A lane without an iteration keeps what lanes share, alone. What it has
    // else is no number that is left over: arithmetic on those may be slow.
    bool IsOwn = Mask == Tail && K.Axes[Lane].R == Role::Parallel;
    if (Mask && !IsOwn && !DLOPT_PLANTED(LaneMaskDropped))
      V = B.CreateSelect(Mask, V, B.CreateLoad(V->getType(), Slot));
    B.CreateStore(V, Slot);
    return;
  }
  std::optional<Poly> Stride = getStride(K, getOffset(K, To), Lane);
  Type *Elem = V->getType()->getScalarType();
  Align ElemAlign = getElementAlign(A.Origin, Elem);
  if (Stride && Stride->getConstant() == 1) {
    if (is_contained(Streams, &A))
      B.CreateAlignedStore(V, getAddress(To), getStreamAlign(Plan, Elem))
          ->setMetadata(LLVMContext::MD_nontemporal,
                        MDNode::get(B.getContext(),
                                    ConstantAsMetadata::get(B.getInt32(1))));
    else
      storeNeighbours(To, V, ElemAlign);
    return;
  }
  if (Plan.Scalable)
    return scatter(To, V, ElemAlign);
  SmallVector<Value *, 16> Addresses = getAddresses(To);
  if (Mask) {
    B.CreateMaskedScatter(V, makeVector(B, Addresses), ElemAlign, Mask);
    return;
  }
  for (auto [L, Address] : enumerate(Addresses))
    B.CreateAlignedStore(B.CreateExtractElement(V, L), Address, ElemAlign);
}

void LaneContext::assign(ArrayRef<Assign> Assigns, ArrayRef<Value *> Values) {
  if (!inLanes())
    return ScalarContext::assign(Assigns, Values);
  for (auto [A, V] : zip_equal(Assigns, Values))
    store(A, V);
}

} // namespace dlopt
