//===- ScheduleRows.cpp - Scheduled kernels to IR: instructions -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   red u[4] row vpdpbusd par j[size(J)] lanes 16
///     acc[i,j] = add(acc[i,j], mul(zext(%A[i,4*q + u]), sext(b[q,4*j + u])))
///
/// is one vpdpbusd for each vector of acc. An operand is any access. Neighbours
/// along u are one number, read for all lanes, or for each lane a vector of
/// them; anything else is read for one u after the other, and interleaved.
///
/// An instruction of one lane is for what a thread of a GPU runs: its operands
/// are numbers.
///
/// Where an axis has fewer elements (the last block), zeros take the place of
/// those that are missing, or else it is a loop. Where the lanes of a vector
/// are one, the leaf is emitted for each element.
///
//===----------------------------------------------------------------------===//
#include "ScheduleEmitter.h"
#include "dlopt/Compat.h"
#include "dlopt/Conversion.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Target.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace dlopt {

const InstructionRow *findInstruction(const Function &F, StringRef Name,
                                      unsigned Lanes) {
  const InstructionRow *Result = nullptr;
  for (const InstructionRow &I : findInstructions(Name))
    if (!I.isDot() || (hasIntrinsic(I.Intrinsic) && I.Lanes >= Lanes &&
                       hasTargetFeatures(F, I.Features)))
      Result = &I;
  return Result;
}

/// Vectors of which each element of the result has one of each, in order.
static Value *interleave(IRBuilderBase &B, ArrayRef<Value *> Vs) {
  if (Vs.size() == 1)
    return Vs.front();
  SmallVector<Value *, 4> Even, Odd;
  for (auto [I, V] : enumerate(Vs))
    (I % 2 ? Odd : Even).push_back(V);
  Value *X = interleave(B, Even), *Y = interleave(B, Odd);
  int Size = cast<FixedVectorType>(X->getType())->getNumElements();
  SmallVector<int, 64> Numbers;
  for (int I = 0; I != Size; ++I)
    Numbers.append({I, Size + I});
  return B.CreateShuffleVector(X, Y, Numbers);
}

/// \p V with lanes of zeros behind it, or without what is behind \p Lanes. That
/// of one lane is no vector.
static Value *resize(IRBuilderBase &B, Value *V, unsigned Lanes) {
  if (!V->getType()->isVectorTy())
    return V;
  int Size = cast<FixedVectorType>(V->getType())->getNumElements();
  if (Size == static_cast<int>(Lanes))
    return V;
  SmallVector<int, 64> Numbers;
  for (int I = 0; I != static_cast<int>(Lanes); ++I)
    Numbers.push_back(std::min(I, Size));
  return B.CreateShuffleVector(V, Constant::getNullValue(V->getType()),
                               Numbers);
}

/// Whether the elements of \p X are neighbours along the instruction's axis,
/// and lanes are \p Apart elements apart.
bool ScheduleEmitter::isOfNeighbours(const Access &X, int64_t Apart) const {
  Poly Offset = Facts.fold(getOffset(X));
  std::optional<Poly> Inner = getStride(K, Offset, RowAxis);
  std::optional<Poly> Outer =
      Row->Lanes ? getStride(K, Offset, Row->Lanes->Ax) : Poly();
  return !isInRegisters(K.Buffers[X.Buf]) && Inner && Outer &&
         Inner->getConstant() == 1 && Outer->getConstant() == Apart;
}

/// Whether the elements of \p X are neighbours along the instruction's axis,
/// all of them in every lane, wherever lanes are.
bool ScheduleEmitter::areNumbersApart(const Access &X) {
  std::optional<Poly> Inner = getStride(K, Facts.fold(getOffset(X)), RowAxis);
  return !isInRegisters(K.Buffers[X.Buf]) && Inner &&
         Inner->getConstant() == 1 && isWholeRow() && !Lanes.IsGuarded &&
         (!Lanes.Mask || (Lanes.Left && isSomeLaneSure()));
}

/// Whether fewer elements can be an instruction, too: those that are missing
/// are zeros in what all lanes share, and whatever the stack has in the other
/// one.
bool ScheduleEmitter::canFillUp() const {
  auto Fits = [&](const Op *Shared, const Op *Other) {
    return (!Shared || isOfNeighbours(Shared->Acc, 0)) && Other &&
           K.Buffers[Other->Acc.Buf].Where == Buffer::Stack &&
           isOfNeighbours(Other->Acc, Row->Row->Depth);
  };
  // What the stack has may be a NaN, which is one also by zero.
  return Row->Row->isDot() && !isFloat(Row->Row->Sum) &&
         (Fits(Row->A, Row->B) || Fits(Row->B, Row->A));
}

/// A loop where the axis has other than as many elements as the instruction,
/// and they cannot be filled up.
void ScheduleEmitter::emitRow(const Node &N) {
  const Axis &A = K.Axes[N.Ax];
  InstructionUse Use;
  [[maybe_unused]] std::string Wrong =
      matchInstruction(K, N, A.Schedule.Row, Use);
  assert(Wrong.empty() && "the verifier asks");
  NumberRange Elements = Facts.getRangeOfMin(A.Extents);
  if (Elements.Most && *Elements.Most <= 0)
    return;
  RowAxis = N.Ax;
  Row = &Use;
  bool IsWhole = Elements.getNumber() == Use.Row->Depth;
  bool HasSome = Elements.Least && *Elements.Least >= 1;
  bool IsRest = HasSome && Elements.Most && *Elements.Most < Use.Row->Depth;
  auto Emit = [&] {
    ScheduleFacts::Scope Inside(Facts, N.Ax);
    emitRound(N, B.getInt64(0), {0, Use.Row->Depth - 1});
  };
  if (IsWhole || (IsRest && canFillUp()) || (isTransposed() && HasSome)) {
    Emit();
  } else if (isTransposed()) {
    // It reads the last element in the place of those behind it.
    branch(B.CreateICmpSGT(getBounds(N.Ax).End, B.getInt64(0)), Emit);
  } else {
    Row = nullptr;
    SaveAndRestore OneByOne(IsOneByOne, true);
    emitLoop(N, getBounds(N.Ax));
  }
  Row = nullptr;
}

/// What \p Emit makes for the element \p At of the instruction's axis.
void ScheduleEmitter::inElementAt(Value *At, NumberRange Range,
                                  function_ref<void()> Emit) {
  ScheduleFacts::Scope Inside(Facts, RowAxis);
  Facts.Axes[RowAxis] = Range;
  Value *Before = AxisValues[RowAxis];
  AxisValues[RowAxis] = At;
  Emit();
  AxisValues[RowAxis] = Before;
}

void ScheduleEmitter::inElement(int64_t At, function_ref<void()> Emit) {
  inElementAt(B.getInt64(At), NumberRange::of(At), Emit);
}

/// Whether the axis has as many elements as the instruction.
bool ScheduleEmitter::isWholeRow() {
  return Facts.getRangeOfMin(K.Axes[RowAxis].Extents).getNumber() ==
         Row->Row->Depth;
}

/// Runs \p Then if the axis has the element \p At, behind \p Before, which is
/// the result else.
Value *ScheduleEmitter::ifElement(int64_t At, Value *Before,
                                  function_ref<Value *()> Then) {
  std::optional<int64_t> Least =
      Facts.getRangeOfMin(K.Axes[RowAxis].Extents).Least;
  if (Least && *Least > At)
    return Then();
  Value *Result = nullptr;
  auto [Run, Skipped] =
      branch(B.CreateICmpSGT(getBounds(RowAxis).End, B.getInt64(At)),
             [&] { Result = Then(); });
  if (!Before)
    return nullptr;
  PHINode *Behind = B.CreatePHI(Before->getType(), 2);
  Behind->addIncoming(Result, Run);
  Behind->addIncoming(Before, Skipped);
  return Behind;
}

/// A number of \p Whole with \p Own as the element \p At of \p Depth, and
/// zeros.
static Value *putElement(IRBuilderBase &B, Value *Own, Type *Whole, unsigned At,
                         unsigned Depth) {
  bool IsLittle = B.GetInsertBlock()->getDataLayout().isLittleEndian();
  unsigned Bits = Whole->getIntegerBitWidth() / Depth;
  return B.CreateShl(B.CreateZExt(Own, Whole),
                     Bits * (IsLittle ? At : Depth - 1 - At));
}

/// \p Each for all lanes; 0 for elements that the axis does not have.
Value *ScheduleEmitter::getForElements(Constant *Each) {
  unsigned Depth = Row->Row->Depth;
  Type *Elem = Each->getType();
  Type *Whole = B.getIntNTy(Depth * Elem->getScalarSizeInBits());
  Value *Result = ConstantInt::get(Whole, 0);
  for (unsigned At = 0; At != Depth; ++At) {
    auto Put = [&] {
      return B.CreateOr(Result, putElement(B, Each, Whole, At, Depth));
    };
    Result = isWholeRow() ? Put() : ifElement(At, Result, Put);
  }
  return B.CreateBitCast(spread(Result),
                         FixedVectorType::get(Elem, Depth * Lanes.Width));
}

/// The elements of \p Load, which lanes share, as one number; zeros for those
/// that the axis does not have.
Value *ScheduleEmitter::loadShared(const Op &Load, Type *Whole) {
  Type *Elem = getMemoryType(Load.Ty);
  Align Alignment = getElementAlign(Load.Acc.Buf, Load.Origin);
  Poly Offset = getOffset(Load.Acc);
  auto LoadAt = [&](int64_t At, Type *Ty) {
    Value *Result = nullptr;
    inElement(At, [&] {
      Result =
          B.CreateAlignedLoad(Ty, getAddress(Load.Acc.Buf, Offset), Alignment);
    });
    return Result;
  };
  if (isWholeRow()) {
    Alignment = getAlign(Load.Acc, Alignment);
    return LoadAt(0, Whole);
  }
  Value *Result = ConstantInt::get(Whole, 0);
  for (unsigned At = 0; At + 1 < Row->Row->Depth; ++At)
    Result = ifElement(At, Result, [&] {
      return B.CreateOr(
          Result, putElement(B, LoadAt(At, Elem), Whole, At, Row->Row->Depth));
    });
  return Result;
}

/// The elements of \p Load for all lanes, those of a lane behind each other.
Value *ScheduleEmitter::loadFactor(const Op &Load) {
  unsigned Depth = Row->Row->Depth;
  const Access &X = Load.Acc;
  Type *Elem = getMemoryType(Load.Ty);
  Type *Whole = B.getIntNTy(Depth * Elem->getScalarSizeInBits());
  Poly Offset = getOffset(X);
  Align ElemAlign = getElementAlign(X.Buf, Load.Origin);
  Value *Result = nullptr;
  if (isOfNeighbours(X, 0)) {
    Result = spread(loadShared(Load, Whole));
  } else if (isOfNeighbours(X, Depth)) {
    Value *At = nullptr, *Mask = getMask(X.Buf);
    inElement(
        0, [&] { At = inLane(0, [&] { return getAddress(X.Buf, Offset); }); });
    auto *Ty = FixedVectorType::get(Whole, Lanes.Width),
         *Elements = FixedVectorType::get(Elem, Depth * Lanes.Width);
    Result = Mask ? static_cast<Value *>(B.CreateMaskedLoad(
                        Ty, At, ElemAlign, Mask, Constant::getNullValue(Ty)))
                  : B.CreateAlignedLoad(Elements, At, ElemAlign);
    // What nobody assigned is multiplied by zero.
    if (!isWholeRow())
      Result = B.CreateFreeze(Result);
  }
  if (!Result && areNumbersApart(X)) {
    Result = PoisonValue::get(FixedVectorType::get(Whole, Lanes.Width));
    inElement(0, [&] {
      for (unsigned Lane = 0; Lane != Lanes.Width; ++Lane) {
        Value *At =
            inLaneOrLast(Lane, [&] { return getAddress(X.Buf, Offset); });
        Result = B.CreateInsertElement(
            Result, B.CreateAlignedLoad(Whole, At, ElemAlign), Lane);
      }
    });
  }
  if (Result)
    return B.CreateBitCast(Result,
                           FixedVectorType::get(Elem, Depth * Lanes.Width));
  SmallVector<Value *, 4> Parts;
  for (unsigned I = 0; I != Depth; ++I)
    inElement(I, [&] {
      Value *Part = spread(toMemory(load(X, Load.Origin), Load.Ty));
      Parts.push_back(Lanes.isVector() ? Part : B.CreateVectorSplat(1, Part));
    });
  return interleave(B, Parts);
}

/// The vectors of all elements as one: those of \p I, of its lanes. The sum is
/// where the intrinsic has it, or, if it has none, behind the factors.
ScheduleEmitter::Operands ScheduleEmitter::getOperands(const InstructionRow &I,
                                                       const Assign &A) {
  Value *Sum = resize(B, spread(load(A.Target, nullptr)), I.Lanes);
  Operands Args;
  if (I.Adds == 1)
    Args.push_back(Sum);
  const Leaf &L = *Row->L;
  for (auto [Load, Value, To] : {std::tuple(Row->A, Row->ValueA, I.A),
                                 std::tuple(Row->B, Row->ValueB, I.B)}) {
    if (!Load) {
      llvm::Value *Ones =
          getForElements(ConstantInt::get(getMemoryType(To.Ty), 1));
      Args.push_back(resize(B, Ones, I.Lanes * I.Depth));
      continue;
    }
    llvm::Value *Factor = loadFactor(*Load);
    if (isFloat(To.Ty)) { // the bits of bfloats, whatever their type
      Args.push_back(B.CreateBitCast(
          resize(B, Factor, I.Lanes * I.Depth),
          FixedVectorType::get(B.getBFloatTy(), I.Lanes * I.Depth)));
      continue;
    }
    Expression X =
        getConversion(L, static_cast<OpId>(Load - L.Ops.data()), Value);
    if (DLOPT_PLANTED(FactorSignLost))
      for (Op &O : X.Ops)
        if (O.K == Op::Inst && O.Opcode == Instruction::SExt)
          O.Opcode = Instruction::ZExt;
    X = narrowConversion(X, To.Ty);
    Factor = emitConversion(X, Factor);
    // Something else may be made of the zeros that are in the place of elements
    // that there are not.
    unsigned Opcode = L.Ops[Value].Opcode;
    bool IsPlain = Opcode == Instruction::ZExt || Opcode == Instruction::SExt;
    if (!IsPlain && !isWholeRow() && isOfNeighbours(Load->Acc, 0) &&
        !DLOPT_PLANTED(MissingConverted))
      Factor = B.CreateAnd(Factor, getForElements(Constant::getAllOnesValue(
                                       getMemoryType(To.Ty))));
    Args.push_back(resize(B, Factor, I.Lanes * I.Depth));
  }
  if (I.Adds != 1)
    Args.push_back(Sum);
  return Args;
}

/// The instruction \p I: the sums behind it.
Value *ScheduleEmitter::createDot(const InstructionRow &I, Operands Args) {
  Function &F = *B.GetInsertBlock()->getParent();
  Value *Sum = I.Adds == 1 ? Args.front() : Args.back();
  if (!I.Adds)
    Args.pop_back();
  SmallVector<Type *, 2> Types;
  if (Intrinsic::isOverloaded(I.Intrinsic))
    Types = {Sum->getType(), Args.back()->getType()};
  Function *Callee = getDeclaration(*F.getParent(), I.Intrinsic, Types);
  for (auto [Arg, Ty] : zip_equal(Args, Callee->getFunctionType()->params()))
    Arg = B.CreateBitCast(Arg, Ty);
  Value *Result = B.CreateCall(Callee, Args);
  if (!I.Adds)
    Result = B.CreateAdd(Sum, Result);
  // Vectors of instructions cannot be cut in two.
  if (Result->getType()->isVectorTy())
    AttributeFuncs::updateMinLegalVectorWidthAttr(
        F, Result->getType()->getPrimitiveSizeInBits());
  return Result;
}

void ScheduleEmitter::emitDot(const InstructionRow &I, const Assign &A) {
  if (Together && Together->Results.empty())
    return Together->Args.push_back(getOperands(I, A));
  Value *Result = Together ? Together->Results[Together->Stored++]
                           : createDot(I, getOperands(I, A));
  store(A, locate(A.Target), resize(B, Result, Lanes.Width));
}

/// How many elements of the unrolled axis of \p N, each of which is an
/// instruction of fewer lanes than the target has, are one of more, \p I; 0:
/// none. Each has sums of its own, and all that the instruction has; something
/// may be fetched in front of it.
unsigned ScheduleEmitter::countTogether(const Node &N, int64_t Rounds,
                                        const InstructionRow *&I) {
  const Node *Child = N.Children.empty() ? nullptr : N.Children.back().get();
  if (!Child || Child->K != Node::AxisNode || !N.Locals.empty() ||
      K.Axes[Child->Ax].Schedule.Row.empty() ||
      !all_of(ArrayRef(N.Children).drop_back(), [](const auto &Other) {
        return Other->K == Node::LeafNode && Other->L.Prefetch;
      }))
    return 0;
  InstructionUse Use;
  [[maybe_unused]] std::string Wrong =
      matchInstruction(K, *Child, K.Axes[Child->Ax].Schedule.Row, Use);
  assert(Wrong.empty() && "the verifier asks");
  if (!Use.Row->isDot() || !Use.Lanes || !Use.L->Domain.empty())
    return 0;
  const Axis &Lane = K.Axes[Use.Lanes->Ax];
  auto HasAll = [&](const Axis &A, int64_t Elements) {
    return A.Begins.empty() &&
           Facts.getRangeOfMin(A.Extents).getNumber() == Elements;
  };
  const Access &Sum = Use.target();
  std::optional<AtomId> At = findAtom(Atom::Axis, N.Ax);
  bool HasOwn = At && is_contained(Sum.Subs, Poly::atom(*At));
  const Function &F = *B.GetInsertBlock()->getParent();
  int64_t Lanes = Lane.Schedule.Lanes.N;
  I = findInstruction(F, Use.Row->Name, Lanes);
  if (!HasAll(K.Axes[Child->Ax], Use.Row->Depth) || !HasAll(Lane, Lanes) ||
      !isInRegisters(K.Buffers[Sum.Buf]) || !HasOwn || !I ||
      I->Lanes != Lanes || Lanes * getBitWidth(I->Sum) > MostBitsTogether)
    return 0;
  for (const InstructionRow &Wide : findInstructions(Use.Row->Name))
    if (Wide.Lanes * getBitWidth(Wide.Sum) <= Math.Math.VectorBits &&
        Wide.Lanes > Lanes && Wide.Lanes / Lanes <= Rounds &&
        hasTargetFeatures(F, Wide.Features)) {
      I = &Wide;
      return Wide.Lanes / Lanes;
    }
  return 0;
}

/// Elements from \p Begin on of the unrolled axis of \p N as one instruction \p
/// I: what each reads, in lanes behind those of the one before.
void ScheduleEmitter::emitTogether(const Node &N, int64_t Begin, unsigned Count,
                                   const InstructionRow &I) {
  DotsTogether Dots;
  SaveAndRestore These(Together, &Dots);
  auto EmitAll = [&] {
    for (int64_t At = Begin; At != Begin + Count; ++At) {
      ScheduleFacts::Scope Inside(Facts, N.Ax);
      emitRound(N, B.getInt64(At), NumberRange::of(At));
    }
  };
  EmitAll();
  assert(Dots.Args.size() == Count && "each is one instruction");
  Operands Args;
  for (unsigned Operand = 0; Operand != Dots.Args.front().size(); ++Operand) {
    SmallVector<Value *, 4> Parts;
    for (const Operands &Own : Dots.Args)
      Parts.push_back(Own[Operand]);
    Args.push_back(concatenateVectors(B, Parts));
  }
  Value *Result = createDot(I, std::move(Args));
  const unsigned Own = I.Lanes / Count;
  for (unsigned At = 0; At != Count; ++At) {
    unsigned Part = DLOPT_PLANTED(TogetherSwapped) ? Count - 1 - At : At;
    Dots.Results.push_back(B.CreateShuffleVector(
        Result, createSequentialMask(Part * Own, Own, 0)));
  }
  EmitAll();
}

/// Lanes that a move leaves out; false: it is all of them.
bool ScheduleEmitter::maskLanesOfMove(const Leaf &L) {
  if (!Row->Row->isMove() || !Lanes.isVector())
    return true;
  for (const Constraint &C : L.Domain) {
    std::optional<bool> Holds = holds(C);
    if (Holds == false)
      return false;
    if (!Holds && isVarying(C.P) && !DLOPT_PLANTED(MoveUnmasked))
      addToMask(emitConstraint(C));
  }
  return true;
}

/// The leaf of an instruction, for the lanes at hand. What is filled up is
/// frozen, byte by byte: that is no load under a mask.
void ScheduleEmitter::emitRowLeaf(const Leaf &L) {
  if (isTransposed() && emitTransposed())
    return;
  Lanes.Mask = Lanes.Range;
  Lanes.IsGuarded = false;
  if (!maskLanesOfMove(L)) {
    Lanes.Mask = nullptr;
    return;
  }
  // What lanes share is read only if some lane runs.
  bool IsSafe = Lanes.Mask == Lanes.Range || !readsForAllLanes(L, *Lanes.Axis);
  const InstructionRow *I = nullptr;
  bool IsOfLanes = Lanes.isVector() && isPowerOf2_32(Lanes.Width) &&
                   (isWholeRow() || isSomeLaneSure());
  if (IsSafe && !isTransposed() && (IsOfLanes || !Row->Lanes))
    I = findInstruction(*B.GetInsertBlock()->getParent(), Row->Row->Name,
                        Lanes.Width);
  if (I && ((I->isMove() && !canMove()) || (I->isTree() && !canAddTree())))
    I = nullptr;
  auto Before = Copies;
  if (I && I->isTree())
    emitTree(L.Assigns.front());
  else if (I && I->isMove())
    emitMove();
  else if (I)
    emitDot(*I, L.Assigns.front());
  Copies = std::move(Before);
  Lanes.Mask = nullptr;
  if (I)
    return;
  SaveAndRestore OneByOne(IsOneByOne, true);
  for (unsigned At = 0; At != Row->Row->Depth; ++At)
    ifElement(At, nullptr, [&]() -> Value * {
      inElement(At, [&] { emitScheduledLeaf(*this, L); });
      return nullptr;
    });
}

} // namespace dlopt
