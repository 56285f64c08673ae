//===- LaneModels.cpp - Lanes with the bits of the C library --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneModels.h"
#include "BlockUtils.h"
#include "dlopt/Compat.h"
#include "dlopt/CorrectMath.h"
#include "dlopt/Lower.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace dlopt {

/// Memory for lanes of \p Ty that the library is asked about: calls follow each
/// other, and share it.
AllocaInst *LaneModels::getCallSlot(Type *Ty, unsigned Number,
                                    const Twine &Name) {
  AllocaInst *&Slot = CallSlots[{Ty, Number}];
  if (Slot)
    return Slot;
  Function &F = *B.GetInsertBlock()->getParent();
  const DataLayout &DL = F.getDataLayout();
  Align SlotAlign = DL.getPrefTypeAlign(Ty);
  // More is not supported for scalable vectors.
  if (Ty->isScalableTy())
    SlotAlign = std::min(SlotAlign, Align(16));
  Slot = new AllocaInst(Ty, DL.getAllocaAddrSpace(), nullptr, SlotAlign, Name,
                        F.getEntryBlock().getFirstInsertionPt());
  return Slot;
}

/// What lanes are left to do: bits of a number or, where nobody knows how many
/// there are, a mask. The masks of several registers would be slow to join.
static Value *getLanesLeft(IRBuilderBase &B, ArrayRef<Value *> Masks) {
  Value *Left = nullptr;
  unsigned At = 0;
  for (Value *Mask : Masks) {
    auto *Ty = dyn_cast<FixedVectorType>(Mask->getType());
    if (!Ty)
      return Mask;
    // The first lane is the lowest bit.
    if (B.GetInsertBlock()->getDataLayout().isBigEndian())
      Mask = B.CreateVectorReverse(Mask);
    Value *Bits =
        B.CreateZExt(B.CreateBitCast(Mask, B.getIntNTy(Ty->getNumElements())),
                     B.getInt64Ty());
    Left = Left ? B.CreateOr(Left, B.CreateShl(Bits, At)) : Bits;
    At += Ty->getNumElements();
  }
  return Left;
}

static Value *getFirstLane(IRBuilderBase &B, Value *Left) {
  if (Left->getType()->isVectorTy())
    return B.CreateIntrinsic(Intrinsic::experimental_cttz_elts,
                             {B.getInt32Ty(), Left->getType()},
                             {Left, /*is_zero_poison=*/B.getTrue()});
  return B.CreateBinaryIntrinsic(Intrinsic::cttz, Left, B.getTrue());
}

/// \p Left but for \p First, its first lane.
static Value *dropFirstLane(IRBuilderBase &B, Value *Left, Value *First) {
  auto *Ty = dyn_cast<VectorType>(Left->getType());
  if (!Ty)
    return B.CreateAnd(Left, B.CreateSub(Left, B.getInt64(1)));
  Value *UpToFirst =
      B.CreateIntrinsic(Intrinsic::get_active_lane_mask, {Ty, B.getInt32Ty()},
                        {B.getInt32(0), B.CreateAdd(First, B.getInt32(1))});
  return B.CreateAnd(Left, B.CreateNot(UpToFirst));
}

static Value *isAnyLeft(IRBuilderBase &B, Value *Left) {
  return Left->getType()->isVectorTy() ? B.CreateOrReduce(Left)
                                       : B.CreateIsNotNull(Left);
}

/// \p Result with what the library returns for \p X in the lanes that are \p
/// All, of which there are some, in order.
Value *LaneModels::callIn(const Op &O, ArrayRef<Value *> X, Value *Result,
                          Value *All) {
  auto *Ty = cast<VectorType>(Result->getType());
  auto Store = [&](Value *V, unsigned Number, const Twine &Name) {
    AllocaInst *Slot = getCallSlot(Ty, Number, Name);
    B.CreateAlignedStore(V, Slot, Slot->getAlign());
    return Slot;
  };
  AllocaInst *To = Store(Result, 0, "answers");
  SmallVector<Value *, 2> From;
  for (Value *V : X)
    From.push_back(Store(V, From.size() + 1, "asked"));
  Type *Elem = Ty->getElementType();
  BasicBlock *Before = B.GetInsertBlock(),
             *Done = splitAtInsertPoint(B, "asked"),
             *Loop = BasicBlock::Create(B.getContext(), "ask",
                                        Done->getParent(), Done);
  DebugLoc Loc = B.getCurrentDebugLocation();
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  B.SetCurrentDebugLocation(Loc);
  PHINode *Left = B.CreatePHI(All->getType(), 2);
  Left->addIncoming(All, Before);
  Value *Lane = getFirstLane(B, Left);
  SmallVector<Value *, 2> Args;
  for (Value *Slot : From)
    Args.push_back(B.CreateLoad(Elem, B.CreateGEP(Elem, Slot, Lane)));
  B.CreateStore(C.ScalarContext::getOp(O, Args), B.CreateGEP(Elem, To, Lane));
  Value *Next = dropFirstLane(B, Left, Lane);
  Left->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(isAnyLeft(B, Next), Loop, Done)
      ->setMetadata(LLVMContext::MD_loop, getFinalLoopID(B.getContext()));
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
  return B.CreateAlignedLoad(Ty, To, To->getAlign());
}

void LaneModels::readNumbers() {
  forEachModel(C.K, Plan, [&](const MathModel &Model, const Op &) {
    if (Plan.Accuracy != MathAccuracy::Correct &&
        getMathModels(Model.Function).size() > 1 &&
        !getKnownModel(*B.GetInsertBlock()->getModule(), Model.Function, Plan))
      ModelNumbers[static_cast<unsigned>(Model.Function)] =
          emitKnownModel(B, Model.Function);
  });
}

/// The models of \p Of, of which the library has one; the guard has seen that.
ArrayRef<MathModel> LaneModels::getModels(MathFunction Of) const {
  if (Plan.Accuracy == MathAccuracy::Correct)
    return *getCorrectMath(Of);
  ArrayRef<MathModel> Models = getMathModels(Of);
  if (unsigned Known =
          getKnownModel(*B.GetInsertBlock()->getModule(), Of, Plan))
    return Models[Known - 1];
  return Models;
}

Value *LaneModels::compute(const Op &O, const MathModel &Model,
                           ArrayRef<Value *> X, Value *Mask) {
  ArrayRef<MathModel> Models = getModels(Model.Function);
  if (Models.size() == 1)
    return computeShared(Models.front(), O, X, Mask);
  Value *Number = ModelNumbers.lookup(static_cast<unsigned>(Model.Function));
  assert(Number && "nobody has asked for the library");
  DebugLoc Loc = B.getCurrentDebugLocation();
  BasicBlock *Done = splitAtInsertPoint(B, "modelled");
  auto CreateBlock = [&](const Twine &Name) {
    return BasicBlock::Create(B.getContext(), Name, Done->getParent(), Done);
  };
  auto Start = [&](BasicBlock *Block) {
    B.SetInsertPoint(Block);
    B.SetCurrentDebugLocation(Loc);
  };
  PHINode *Result =
      IRBuilder<>(Done, Done->begin()).CreatePHI(X[0]->getType(), 2);
  // Each has calls of its own: what lanes these are need not be told apart
  // behind both.
  auto Compute = [&](const MathModel &Each) {
    Value *Y = computeShared(Each, O, X, Mask);
    Result->addIncoming(Y, B.GetInsertBlock());
    B.CreateBr(Done);
  };
  for (auto [I, Each] : enumerate(Models.drop_back())) {
    BasicBlock *Own = CreateBlock("model"), *Next = CreateBlock("other");
    unsigned Mine = DLOPT_PLANTED(WrongModelNumber) ? I + 2 : I + 1;
    B.CreateCondBr(B.CreateICmpEQ(Number, B.getInt8(Mine)), Own, Next);
    Start(Own);
    Compute(Each);
    Start(Next);
  }
  Compute(Models.back());
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
  return Result;
}

/// \p Result or, where \p Condition holds, which is rare, what \p Call makes.
Value *LaneModels::callIf(Value *Condition, Value *Result, const Twine &Name,
                          function_ref<Value *()> Call) {
  BasicBlock *Before = B.GetInsertBlock(),
             *Done = splitAtInsertPoint(B, Name + ".done"),
             *Calls = BasicBlock::Create(B.getContext(), Name + ".calls",
                                         Done->getParent(), Done);
  DebugLoc Loc = B.getCurrentDebugLocation();
  MDBuilder MD(B.getContext());
  B.CreateCondBr(Condition, Calls, Done, MD.createUnlikelyBranchWeights());
  B.SetInsertPoint(UncondBrInst::Create(Done, Calls));
  B.SetCurrentDebugLocation(Loc);
  Value *Called = Call();
  Calls = B.GetInsertBlock();
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
  PHINode *Either = B.CreatePHI(Result->getType(), 2);
  Either->addIncoming(Result, Before);
  Either->addIncoming(Called, Calls);
  return Either;
}

Value *LaneModels::computeBy(const MathModel &Model, const Op &O,
                             ArrayRef<Value *> X, Value *Mask) {
  ModelledLanes Y = emitModel(B, Model, X, Plan.Math);
  if (Y.Calls.empty())
    return Y.Result;
  // Lanes that do not run must not call.
  if (Mask && !DLOPT_PLANTED(JunkLanesCall)) {
    Value *Calls =
        Y.Calls.size() == 1 ? Y.Calls.front() : concatenateVectors(B, Y.Calls);
    Y.Calls = {B.CreateLogicalAnd(Mask, Calls)};
  }
  Value *Left = getLanesLeft(B, Y.Calls);
  return callIf(isAnyLeft(B, Left), Y.Result, getName(Model.Function), [&] {
    keepCalls(O, X, Left);
    return callShared(O, X, Y.Result, Left);
  });
}

/// The library's square root of each lane of \p X, for errno.
Value *LaneModels::callRoots(const Op &O, Value *X) {
  auto *Ty = cast<VectorType>(X->getType());
  Type *Elem = Ty->getElementType();
  AllocaInst *Slot = getCallSlot(Ty, 0, "roots");
  B.CreateAlignedStore(X, Slot, Slot->getAlign());
  CountedLoop L =
      beginLoop(B, B.CreateElementCount(B.getInt64Ty(), Ty->getElementCount()),
                B.getInt64(1), "root", /*Final=*/true);
  Value *At = B.CreateGEP(Elem, Slot, L.Index);
  B.CreateStore(C.ScalarContext::getOp(O, {B.CreateLoad(Elem, At)}), At);
  endLoop(B, L);
  return B.CreateAlignedLoad(Ty, Slot, Slot->getAlign());
}

Value *LaneModels::getRoots(const Op &O, Value *X, Value *Mask) {
  Value *Zero = Constant::getNullValue(X->getType());
  // What lanes have that do not run is nobody's business.
  if (Mask)
    X = B.CreateSelect(Mask, X, Zero);
  Value *Roots = B.CreateUnaryIntrinsic(Intrinsic::sqrt, X);
  if (!O.WritesErrno || DLOPT_PLANTED(RootErrnoDropped))
    return Roots;
  Value *Negative = B.CreateFCmpOLT(X, Zero);
  return callIf(B.CreateOrReduce(Negative), Roots, "sqrt", [&] {
    keepCalls(O, X, getLanesLeft(B, Negative));
    return callRoots(O, X);
  });
}

//===----------------------------------------------------------------------===//
// Calls of several functions
//===----------------------------------------------------------------------===//

void LaneModels::beginCalls(ArrayRef<const Op *> Functions,
                            ElementCount Lanes) {
  Type *Left = B.getInt64Ty();
  if (Lanes.isScalable())
    Left = VectorType::get(B.getInt1Ty(), Lanes);
  for (auto [I, O] : enumerate(Functions)) {
    AllocaInst *Slot = getCallSlot(Left, I, "called");
    B.CreateStore(Constant::getNullValue(Left), Slot);
    Ordered.push_back({O, Slot});
  }
}

/// The lanes \p Left call \p O with \p X.
void LaneModels::keepCalls(const Op &O, ArrayRef<Value *> X, Value *Left) {
  auto *Own =
      find_if(Ordered, [&](const OrderedCall &C) { return C.Function == &O; });
  if (Own == Ordered.end())
    return;
  B.CreateStore(Left, Own->Left);
  // One for all models of the function; functions have two arguments at most,
  // and the first slots are those of calls.
  unsigned First = 3 + 2 * (Own - Ordered.begin());
  Own->Args.clear();
  for (auto [I, V] : enumerate(X)) {
    AllocaInst *Slot = getCallSlot(V->getType(), First + I, "called.with");
    B.CreateAlignedStore(V, Slot, Slot->getAlign());
    Own->Args.push_back(Slot);
  }
}

void LaneModels::addCalls(const Op &O, ArrayRef<Value *> X, Value *Mask) {
  auto *Ty = cast<VectorType>(X.front()->getType());
  Value *All = ConstantInt::getTrue(
      VectorType::get(B.getInt1Ty(), Ty->getElementCount()));
  keepCalls(O, X, getLanesLeft(B, Mask ? Mask : All));
}

/// \p All: lanes that have called any of the functions; \p Left: each of them.
void LaneModels::repeatCalls(Value *All, ArrayRef<Value *> Left) {
  BasicBlock *Before = B.GetInsertBlock(),
             *Done = splitAtInsertPoint(B, "again.done"),
             *Loop = BasicBlock::Create(B.getContext(), "again",
                                        Done->getParent(), Done);
  DebugLoc Loc = B.getCurrentDebugLocation();
  auto Start = [&](BasicBlock *Block, BasicBlock::iterator At) {
    B.SetInsertPoint(Block, At);
    B.SetCurrentDebugLocation(Loc);
  };
  B.CreateBr(Loop);
  Start(Loop, Loop->end());
  PHINode *Rest = B.CreatePHI(All->getType(), 2);
  Rest->addIncoming(All, Before);
  Value *Lane = getFirstLane(B, Rest);
  for (auto [Call, Own] : zip_equal(Ordered, Left)) {
    Value *Calls = Own->getType()->isVectorTy()
                       ? B.CreateExtractElement(Own, Lane)
                       : B.CreateTrunc(B.CreateLShr(Own, Lane), B.getInt1Ty());
    auto *Next = BasicBlock::Create(B.getContext(), "again.next",
                                    Done->getParent(), Done),
         *Again = BasicBlock::Create(B.getContext(), "again.call",
                                     Done->getParent(), Next);
    B.CreateCondBr(Calls, Again, Next);
    Start(Again, Again->end());
    SmallVector<Value *, 2> Args;
    for (AllocaInst *Slot : Call.Args) {
      Type *Elem = Slot->getAllocatedType()->getScalarType();
      Args.push_back(B.CreateLoad(Elem, B.CreateGEP(Elem, Slot, Lane)));
    }
    C.ScalarContext::getOp(*Call.Function, Args);
    B.CreateBr(Next);
    Start(Next, Next->end());
  }
  Value *Others = dropFirstLane(B, Rest, Lane);
  Rest->addIncoming(Others, B.GetInsertBlock());
  B.CreateCondBr(isAnyLeft(B, Others), Loop, Done)
      ->setMetadata(LLVMContext::MD_loop, getFinalLoopID(B.getContext()));
  Start(Done, Done->getFirstInsertionPt());
}

void LaneModels::endCalls() {
  SmallVector<Value *, 4> Left;
  Value *All = nullptr, *Several = B.getFalse();
  for (const OrderedCall &Call : Ordered) {
    Value *Own = B.CreateLoad(Call.Left->getAllocatedType(), Call.Left);
    Left.push_back(Own);
    if (All)
      Several = B.CreateOr(Several,
                           B.CreateAnd(isAnyLeft(B, All), isAnyLeft(B, Own)));
    All = All ? B.CreateOr(All, Own) : Own;
  }
  if (!DLOPT_PLANTED(LanesCalledByFunction)) {
    BasicBlock *Done = splitAtInsertPoint(B, "in.order"),
               *Again = BasicBlock::Create(B.getContext(), "out.of.order",
                                           Done->getParent(), Done);
    DebugLoc Loc = B.getCurrentDebugLocation();
    MDBuilder MD(B.getContext());
    B.CreateCondBr(Several, Again, Done, MD.createUnlikelyBranchWeights());
    B.SetInsertPoint(UncondBrInst::Create(Done, Again));
    B.SetCurrentDebugLocation(Loc);
    repeatCalls(All, Left);
    B.SetInsertPoint(Done, Done->getFirstInsertionPt());
    B.SetCurrentDebugLocation(Loc);
  }
  Ordered.clear();
}

} // namespace dlopt
