//===- ScheduleMemory.cpp - Scheduled kernels to IR: memory ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Indices, and what leaves read and write. What is the same for all lanes is a
/// scalar, neighbours are vectors, all else is gathered and scattered. Memory
/// is touched for lanes that run alone; locals on the stack have room for
/// those past the end.
///
//===----------------------------------------------------------------------===//
#include "ScheduleEmitter.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {

bool isInRegisters(const Buffer &Buf) {
  return Buf.IsLocal && (Buf.Where == Buffer::Register || Buf.Shape.empty());
}

namespace {

/// Elements of a local that a lane of an instruction has, and from one lane to
/// the next.
struct Reach {
  uint64_t Depth = 1, Apart = 1;
};

} // namespace

/// What instructions below \p N reach of \p B.
static void findReach(const Kernel &K, const Node &N, BufferId B, Reach &R) {
  for (const auto &Child : N.Children)
    findReach(K, *Child, B, R);
  if (N.K != Node::AxisNode || K.Axes[N.Ax].Schedule.Row.empty())
    return;
  auto Visit = [&](const Access &X, ArrayRef<AxisId> Inside) {
    if (X.Buf != B)
      return;
    for (const InstructionRow &I : findInstructions(K.Axes[N.Ax].Schedule.Row))
      R.Depth = std::max<uint64_t>(R.Depth, I.Depth);
    for (AxisId A : Inside) {
      std::optional<Poly> Stride = getStride(K, X.offset(), A);
      int64_t Apart = Stride ? Stride->getConstant().value_or(1) : 1;
      if (K.Axes[A].Schedule.Lanes && Apart > 0)
        R.Apart = std::max(R.Apart, static_cast<uint64_t>(Apart));
    }
  };
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId> Inside) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Visit(O.Acc, Inside);
    for (const Assign &A : L.Assigns)
      Visit(A.Target, Inside);
  });
}

uint64_t getRoom(const Kernel &K, BufferId B) {
  int64_t Lanes = 1;
  for (const Axis &A : K.Axes)
    if (!A.Schedule.Lanes.Scalable)
      Lanes = std::max(Lanes, A.Schedule.Lanes.N);
  Reach R;
  findReach(K, K.Root, B, R);
  return SaturatingMultiplyAdd<uint64_t>(Lanes - 1, std::max(R.Apart, R.Depth),
                                         R.Depth);
}

std::optional<uint64_t> getStackBytes(const Kernel &K, BufferId B) {
  const Buffer &Buf = K.Buffers[B];
  if (!Buf.IsLocal || isInRegisters(Buf))
    return std::nullopt;
  std::optional<uint64_t> Elements = getNumElements(Buf);
  if (!Elements || getScalableRoom(K))
    return std::nullopt;
  return SaturatingMultiply(SaturatingAdd(*Elements, getRoom(K, B)),
                            uint64_t(getSizeInBytes(Buf.Ty)));
}

int64_t getScalableRoom(const Kernel &K) {
  int64_t Lanes = 0;
  for (const Axis &A : K.Axes)
    if (A.Schedule.Lanes.Scalable)
      Lanes = std::max(Lanes, A.Schedule.Lanes.N);
  return Lanes;
}

bool isScalable(const Kernel &K, const Buffer &Buf) {
  return any_of(Buf.Shape, [&](const Poly &P) {
    return K.anyNestedAtom(P, [](const Atom &A) { return A.K == Atom::VL; });
  });
}

/// A truth is a byte in memory. Short numbers are bits there: vectors of them
/// under a mask would be converted one by one, by calls of a library.
Type *ScheduleEmitter::getMemoryType(ScalarType Ty) const {
  switch (Ty) {
  case ScalarType::I1:
    return B.getInt8Ty();
  case ScalarType::F16:
  case ScalarType::BF16:
    return B.getInt16Ty();
  default:
    return getIRType(Ty, B.getContext());
  }
}

/// bfloat is kept as bits: LLVM takes vectors of it apart by way of float, with
/// calls of a library, which makes signaling NaNs quiet ones.
Type *ScheduleEmitter::getRegisterType(ScalarType Ty) const {
  return Ty == ScalarType::BF16 ? getMemoryType(Ty)
                                : getIRType(Ty, B.getContext());
}

/// What was read from memory as a value, or a value as what is written.
Value *ScheduleEmitter::fromMemory(Value *V, ScalarType Ty) {
  Type *Own = V->getType()->getWithNewType(getIRType(Ty, B.getContext()));
  return Ty == ScalarType::I1 ? B.CreateTrunc(V, Own) : B.CreateBitCast(V, Own);
}

Value *ScheduleEmitter::toMemory(Value *V, ScalarType Ty) {
  Type *Own = V->getType()->getWithNewType(getMemoryType(Ty));
  return Ty == ScalarType::I1 ? B.CreateZExt(V, Own) : B.CreateBitCast(V, Own);
}

Value *ScheduleEmitter::fromRegister(Value *V, ScalarType Ty) {
  return B.CreateBitCast(
      V, V->getType()->getWithNewType(getIRType(Ty, B.getContext())));
}

Value *ScheduleEmitter::toRegister(Value *V, ScalarType Ty) {
  return B.CreateBitCast(V, V->getType()->getWithNewType(getRegisterType(Ty)));
}

/// Where a divisor is not 1 or more, nothing runs that the result matters to,
/// but code may divide by it, also by a number that the size of a block gives.
static Value *makePositive(IRBuilderBase &B, Value *Den) {
  auto *Number = dyn_cast<ConstantInt>(Den);
  if (Number && (Number->getValue().isStrictlyPositive() ||
                 DLOPT_PLANTED(DivisorOfNothing)))
    return Den;
  return B.CreateBinaryIntrinsic(Intrinsic::smax, Den, B.getInt64(1));
}

Value *ScheduleEmitter::getAtom(AtomId Id) {
  const Atom &A = K.Atoms[Id];
  switch (A.K) {
  case Atom::Size:
    return SizeValues[A.Ref];
  case Atom::VL:
    return emitVL(B);
  case Atom::Load:
    return B.CreateIntCast(load(A.Source, nullptr), B.getInt64Ty(), A.Signed);
  case Atom::FloorDiv:
  case Atom::Mod: {
    Value *Den = makePositive(B, getPoly(A.Den));
    return emitDivMod(B, getPoly(A.Num), Den, A.K == Atom::Mod);
  }
  case Atom::Axis:
  case Atom::Param:
    return ScalarContext::getAtom(Id);
  }
  llvm_unreachable("all atom kinds are listed");
}

Value *ScheduleEmitter::getValue(const ScheduleSize &S) {
  return getPoly(K.getPoly(S));
}

VectorType *ScheduleEmitter::getVectorType(Type *Elem) const {
  return VectorType::get(Elem, Lanes.getCount());
}

/// The mask at hand, also where all lanes run.
Value *ScheduleEmitter::getAllLanes() {
  return Lanes.Mask ? Lanes.Mask
                    : B.CreateVectorSplat(Lanes.getCount(), B.getTrue());
}

bool ScheduleEmitter::isVarying(const Poly &P) const {
  return Lanes.isVector() && K.dependsOn(Facts.fold(P), *Lanes.Axis);
}

bool ScheduleEmitter::isVarying(const Access &X) const {
  auto Varies = [&](const Poly &P) { return isVarying(P); };
  return any_of(X.Subs, Varies) || any_of(X.Strides, Varies);
}

Value *ScheduleEmitter::spread(Value *V) {
  return Lanes.isVector() && !V->getType()->isVectorTy()
             ? B.CreateVectorSplat(Lanes.getCount(), V)
             : V;
}

void ScheduleEmitter::addToMask(Value *Condition) {
  // A condition behind another is poison, maybe, where that does not hold.
  Value *Before = Lanes.Mask;
  Lanes.Mask = Before ? B.CreateLogicalAnd(Before, Condition) : Condition;
  if (hidesParts()) {
    Lanes.Mask = hideLanes(Lanes.Mask);
  } else if (Before &&
             (KnownMasks.count(Before) || KnownMasks.count(Condition))) {
    Value *Known =
        B.CreateLogicalAnd(getKnownMask(Before), getKnownMask(Condition));
    if (Known == getKnownMask(Before))
      Lanes.Mask = Before;
    else
      KnownMasks[Lanes.Mask] = Known;
  }
  Lanes.IsGuarded &= DLOPT_PLANTED(GuardOutlivesMask);
}

/// What \p Emit makes for the lane \p L alone.
Value *ScheduleEmitter::inLane(unsigned L, function_ref<Value *()> Emit) {
  AxisId A = *Lanes.Axis;
  ScheduleFacts::Scope Inside(Facts, A);
  Value *First = AxisValues[A];
  AxisValues[A] = L ? B.CreateAdd(First, B.getInt64(L)) : First;
  NumberRange &Range = Facts.Axes[A];
  if (Lanes.Scalable)
    Range = Lanes.Start && !L ? NumberRange::of(*Lanes.Start) : NumberRange();
  else
    Range = Range.Least ? NumberRange::of(*Range.Least + L) : NumberRange();
  Lanes.Current = L;
  Value *Result = Emit();
  Lanes.Current.reset();
  AxisValues[A] = First;
  return Result;
}

/// The same, in the last lane that has an element if this one has none.
Value *ScheduleEmitter::inLaneOrLast(unsigned L, function_ref<Value *()> Emit) {
  if (!L || !Lanes.Left || DLOPT_PLANTED(RestLaneOverread))
    return inLane(L, Emit);
  AxisId A = *Lanes.Axis;
  ScheduleFacts::Scope Inside(Facts, A);
  Value *First = AxisValues[A];
  Value *Last = B.CreateSub(Lanes.Left, B.getInt64(1));
  AxisValues[A] = B.CreateAdd(
      First, B.CreateBinaryIntrinsic(Intrinsic::smin, B.getInt64(L), Last));
  Facts.Axes[A] = NumberRange();
  Lanes.Current = L;
  Value *Result = Emit();
  Lanes.Current.reset();
  AxisValues[A] = First;
  return Result;
}

Value *ScheduleEmitter::createVector(Type *Elem,
                                     function_ref<Value *(unsigned)> Get) {
  Value *Result = PoisonValue::get(FixedVectorType::get(Elem, Lanes.Width));
  for (unsigned L = 0; L != Lanes.Width; ++L)
    if (Value *V = Get(L))
      Result = B.CreateInsertElement(Result, V, L);
  return Result;
}

/// The atom in all lanes, which differ.
Value *ScheduleEmitter::getLaneAtom(AtomId Id) {
  const Atom &A = K.Atoms[Id];
  if (A.K == Atom::Load)
    return B.CreateIntCast(spread(load(A.Source, nullptr)),
                           getVectorType(B.getInt64Ty()), A.Signed);
  if (A.K == Atom::Axis)
    return getLanePoly(Poly::atom(Id));
  Value *Num = getLanePoly(A.Num), *Den = getLanePoly(A.Den);
  return createVector(B.getInt64Ty(), [&](unsigned L) {
    Value *Own = makePositive(B, B.CreateExtractElement(Den, L));
    return emitDivMod(B, B.CreateExtractElement(Num, L), Own, A.K == Atom::Mod);
  });
}

Value *ScheduleEmitter::getLanePoly(const Poly &P) {
  Poly Folded = Facts.fold(P);
  if (!isVarying(Folded))
    return spread(getPoly(Folded));
  if (std::optional<Poly> Stride = getStride(K, Folded, *Lanes.Axis)) {
    Value *First = inLane(0, [&] { return getPoly(Folded); });
    Value *Numbers = B.CreateStepVector(getVectorType(B.getInt64Ty()));
    return B.CreateAdd(spread(First),
                       B.CreateMul(Numbers, spread(getPoly(*Stride))));
  }
  Poly Shared;
  Value *Sum = nullptr;
  for (const auto &[Product, Factor] : Folded.terms()) {
    Poly Scalar = Poly(Factor);
    Value *Term = nullptr;
    for (AtomId Id : Product) {
      if (!isVarying(Poly::atom(Id))) {
        Scalar = Scalar * Poly::atom(Id);
        continue;
      }
      Value *V = getLaneAtom(Id);
      Term = Term ? B.CreateMul(Term, V) : V;
    }
    if (!Term) {
      Shared += Scalar;
      continue;
    }
    Term = B.CreateMul(Term, spread(getPoly(Scalar)));
    Sum = Sum ? B.CreateAdd(Sum, Term) : Term;
  }
  return B.CreateAdd(Sum, spread(getPoly(Shared)));
}

std::optional<bool> ScheduleEmitter::holds(const Constraint &C) {
  if (std::optional<bool> Known = Facts.holds(C))
    return Known;
  Poly P = Facts.fold(C.P);
  if (C.IsEquality || !isVarying(P) || !getStride(K, P, *Lanes.Axis))
    return std::nullopt;
  // It is as in the first and the last lane, if these agree.
  std::optional<bool> Ends[2];
  if (Lanes.Scalable) {
    if (!Lanes.Start)
      return std::nullopt;
    Poly First = K.getPoly(*Lanes.Start);
    ScheduleSize Size{Lanes.Width / LeastLanes, /*Scalable=*/true};
    Poly Last = First +
                (DLOPT_PLANTED(LastLaneFixed) ? Poly(Size.getLeast())
                                              : K.getPoly(Size)) -
                Poly(1);
    AtomId Own = *findAtom(Atom::Axis, *Lanes.Axis);
    Ends[0] = Facts.holds({P.substitute(Own, First), /*IsEquality=*/false});
    Ends[1] = Facts.holds({P.substitute(Own, Last), /*IsEquality=*/false});
    return Ends[0] == Ends[1] ? Ends[0] : std::nullopt;
  }
  for (unsigned End : {0, 1})
    inLane(End ? Lanes.Width - 1 : 0, [&] {
      Ends[End] = Facts.holds({P, /*IsEquality=*/false});
      return nullptr;
    });
  if (DLOPT_PLANTED(FirstLaneDecides))
    return Ends[0];
  return Ends[0] == Ends[1] ? Ends[0] : std::nullopt;
}

/// By how much \p P grows from lane to lane, if that is a power of two.
static std::optional<int64_t> getPowerStride(const Kernel &K, const Poly &P,
                                             AxisId Lane) {
  std::optional<Poly> Stride = getStride(K, P, Lane);
  std::optional<int64_t> Number = Stride ? Stride->getConstant() : std::nullopt;
  return Number && *Number != INT64_MIN && isPowerOf2_64(std::abs(*Number))
             ? Number
             : std::nullopt;
}

Value *ScheduleEmitter::emitConstraint(const Constraint &C) {
  if (!C.IsEquality && (Lanes.MayBeBits || Lanes.Scalable) && isVarying(C.P)) {
    Poly P = Facts.fold(C.P);
    if (std::optional<int64_t> Stride = getPowerStride(K, P, *Lanes.Axis))
      return emitInLaneRange(P, *Stride);
  }
  CmpInst::Predicate Is = C.IsEquality ? CmpInst::ICMP_EQ : CmpInst::ICMP_SGE;
  if (isVarying(C.P)) {
    Value *V = getLanePoly(C.P);
    return B.CreateICmp(Is, V, Constant::getNullValue(V->getType()));
  }
  // Two sums are compared, as a source would: of `x >= 1` and `x <= 0` LLVM
  // knows that one of them holds.
  Poly Less;
  for (const auto &[Product, Factor] : C.P.terms())
    if (Factor < 0 && Factor != INT64_MIN)
      Less -= Poly::monomial(Product, Factor);
  return B.CreateICmp(Is, getPoly(C.P + Less), getPoly(Less));
}

Poly ScheduleEmitter::getOffset(const Access &X) const {
  return K.Buffers[X.Buf].IsLocal ? getLocalOffset(K, X) : X.offset();
}

/// The mask of accesses to \p Buf; null: all lanes may touch it.
Value *ScheduleEmitter::getMask(BufferId Buf) const {
  bool HasRoom =
      K.Buffers[Buf].IsLocal && K.Buffers[Buf].Where == Buffer::Stack;
  return HasRoom && isSomeLaneSure() ? nullptr : Lanes.Mask;
}

Value *ScheduleEmitter::locateAhead(const Access &X) {
  Poly Ahead = X.Subs.back() * X.Strides.back();
  return B.CreateGEP(getMemoryType(K.Buffers[X.Buf].Ty),
                     getAddress(X.Buf, X.offset() - Ahead), getPoly(Ahead));
}

bool ScheduleEmitter::isStored(BufferId Buf) const {
  bool Found = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Found |=
        any_of(L.Assigns, [&](const Assign &A) { return A.Target.Buf == Buf; });
  });
  return Found;
}

/// One address for a scalar or for neighbours, else one for each lane.
ScheduleEmitter::Place ScheduleEmitter::locate(const Access &X) {
  Place Result;
  if (isInRegisters(K.Buffers[X.Buf]))
    return Result;
  Poly Offset = getOffset(X);
  if (!Lanes.isVector()) {
    Result.Address = getAddress(X.Buf, Offset);
    return Result;
  }
  std::optional<Poly> Stride = getStride(K, Facts.fold(Offset), *Lanes.Axis);
  auto GetAddress = [&] { return getAddress(X.Buf, Offset); };
  Result.AreNeighbours =
      Stride && (Stride->getConstant() == 1 ||
                 (DLOPT_PLANTED(StrideTakenForOne) && *Stride != Poly()));
  if (Result.AreNeighbours)
    Result.Address = inLane(0, GetAddress);
  else if (Lanes.Mask || Lanes.Scalable)
    Result.Address = B.CreateGEP(getMemoryType(K.Buffers[X.Buf].Ty),
                                 getBase(X.Buf), getLanePoly(Offset));
  else
    Result.Address = createVector(
        B.getPtrTy(), [&](unsigned L) { return inLane(L, GetAddress); });
  return Result;
}

/// Locals are aligned as their elements are, and so is what an argument with
/// such an alignment points to, or what has to be.
Align ScheduleEmitter::getElementAlign(BufferId Buf, Value *Origin) const {
  ScalarType Ty = K.Buffers[Buf].Ty;
  if (K.Buffers[Buf].IsLocal || Ty == ScalarType::I1)
    return Align(getSizeInBytes(Ty));
  Align Own = dlopt::getElementAlign(Origin, getIRType(Ty, B.getContext()));
  for (const Need &N : K.Needs)
    if (N.K == Need::Aligned && N.Buf == Buf)
      Own = std::max(Own, Align(MinAlign(N.Lo, getSizeInBytes(Ty))));
  if (auto *Arg = dyn_cast<Argument>(K.Buffers[Buf].Bound))
    Own = std::max(Own, std::min(Arg->getParamAlign().valueOrOne(),
                                 Align(getSizeInBytes(Ty))));
  return Own;
}

/// That of the first lane, where all run, or of the first element of an
/// instruction: of others nobody says it.
Align ScheduleEmitter::getAlign(const Access &X, Align Elem) const {
  return X.Aligned && !Lanes.Mask && !IsOneByOne
             ? std::max(Elem, Align(X.Aligned))
             : Elem;
}

Value *ScheduleEmitter::load(const Access &X, Value *Origin) {
  if (isInRegisters(K.Buffers[X.Buf]))
    return loadRegisters(X);
  Type *Elem = getMemoryType(K.Buffers[X.Buf].Ty);
  Align ElemAlign = getElementAlign(X.Buf, Origin);
  Value *Result = nullptr;
  Poly Offset = getOffset(X);
  std::optional<int64_t> Apart =
      isVarying(Offset) ? getShuffledStride(Offset) : std::nullopt;
  if (Apart && (Lanes.Scalable || (Lanes.Mask && !hasMaskedLoads(X.Buf))))
    Apart = std::nullopt;
  if (!isVarying(Offset)) {
    Result = B.CreateAlignedLoad(Elem, getAddress(X.Buf, Offset),
                                 getAlign(X, ElemAlign));
  } else if (Apart && *Apart != 1 && !DLOPT_PLANTED(StrideTakenForOne)) {
    Result = loadApart(X, Offset, *Apart, ElemAlign);
  } else {
    Type *Ty = getVectorType(Elem);
    Value *None = Constant::getNullValue(Ty);
    Place From = locate(X);
    if (From.AreNeighbours) {
      Value *Mask = getMask(X.Buf);
      Result =
          Mask ? static_cast<Value *>(B.CreateMaskedLoad(Ty, From.Address,
                                                         ElemAlign, Mask, None))
               : B.CreateAlignedLoad(Ty, From.Address, getAlign(X, ElemAlign));
    } else if (Lanes.Mask || Lanes.Scalable) {
      Result = B.CreateMaskedGather(Ty, From.Address, ElemAlign, getAllLanes(),
                                    None);
    } else {
      Result = createVector(Elem, [&](unsigned L) {
        return B.CreateAlignedLoad(
            Elem, B.CreateExtractElement(From.Address, L), ElemAlign);
      });
    }
  }
  return fromMemory(Result, K.Buffers[X.Buf].Ty);
}

/// Nor on x86 without SSE, which has no fence.
static bool storesPastCaches(const Instruction &I) {
  const Triple T = getTriple(*I.getModule());
  return !T.isX86() || T.isArch64Bit();
}

/// What was stored past the caches is seen in front of what is stored from here
/// on. Other targets than x86 let no store be seen in order without a fence of
/// whoever needs that.
void ScheduleEmitter::emitFence() {
  const Triple T = getTriple(*B.GetInsertBlock()->getModule());
  if (T.isX86() && T.isArch64Bit())
    B.CreateIntrinsic(Intrinsic::x86_sse_sfence, ArrayRef<Type *>(), {});
}

/// Lanes are written in order, where they share an element.
void ScheduleEmitter::store(const Assign &A, const Place &To, Value *V) {
  BufferId Buf = A.Target.Buf;
  if (isInRegisters(K.Buffers[Buf]))
    return storeRegisters(A.Target, V);
  Align ElemAlign = getElementAlign(Buf, A.Origin);
  V = spread(toMemory(V, K.Buffers[Buf].Ty));
  Value *Mask = To.AreNeighbours ? getMask(Buf) : nullptr;
  if (!Lanes.isVector() || (To.AreNeighbours && !Mask)) {
    StoreInst *Store =
        B.CreateAlignedStore(V, To.Address, getAlign(A.Target, ElemAlign));
    if (A.IsNonTemporal && storesPastCaches(*Store))
      Store->setMetadata(
          LLVMContext::MD_nontemporal,
          MDNode::get(B.getContext(), ConstantAsMetadata::get(B.getInt32(1))));
  } else if (To.AreNeighbours) {
    B.CreateMaskedStore(V, To.Address, ElemAlign, Mask);
  } else if (Lanes.Mask || Lanes.Scalable) {
    B.CreateMaskedScatter(V, To.Address, ElemAlign, getAllLanes());
  } else {
    for (unsigned L = 0; L != Lanes.Width; ++L)
      B.CreateAlignedStore(B.CreateExtractElement(V, L),
                           B.CreateExtractElement(To.Address, L), ElemAlign);
  }
}

} // namespace dlopt
