//===- ScheduleRegisters.cpp - Scheduled kernels to IR: registers ---------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `local acc:f32[6,64] reg` is one SSA value for each vector of a row, as wide
/// as the lanes that it is met in. Each has a slot, which becomes SSA values at
/// the end: so a loop carries what it changes, and nothing else. At its
/// declaration it is poison: else what it was before would live around the
/// loops that assign it first.
///
/// What is met in other lanes than it is kept in is taken apart and put
/// together: a transpose in registers is one of these.
///
//===----------------------------------------------------------------------===//
#include "ScheduleEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt {

/// Calls \p Visit for all accesses of \p L to \p Buf.
static void forEachAccess(const Leaf &L, BufferId Buf,
                          function_ref<void(const Access &)> Visit) {
  for (const Op &O : L.Ops)
    if (O.K == Op::Load && O.Acc.Buf == Buf)
      Visit(O.Acc);
  for (const Assign &A : L.Assigns)
    if (A.Target.Buf == Buf)
      Visit(A.Target);
}

static std::optional<AxisId> findLaneAxis(const Kernel &K,
                                          ArrayRef<AxisId> Axes) {
  if (Axes.empty() || !K.Axes[Axes.back()].Schedule.Lanes)
    return std::nullopt;
  return Axes.back();
}

/// The lanes of the vectors that \p Buf is met in below \p Owner: as many as
/// the axis has elements, if that is a number here. Of scalable lanes, times
/// `vl`, all vectors have as many.
unsigned ScheduleEmitter::getRegisterWidth(BufferId Buf, const Node &Owner) {
  unsigned Width = 1;
  forEachLeaf(Owner, [&](const Leaf &L, ArrayRef<AxisId> Axes) {
    std::optional<AxisId> A = findLaneAxis(K, Axes);
    if (!A)
      return;
    bool IsMet = false;
    forEachAccess(L, Buf, [&](const Access &X) {
      IsMet |= !X.Subs.empty() && K.dependsOn(X.Subs.back(), *A);
    });
    if (!IsMet)
      return;
    int64_t Lanes = K.Axes[*A].Schedule.Lanes.N;
    auto Elements = getLaneElements(Facts, K.Axes[*A]);
    // As emitVector() has it: another number of lanes is under a mask.
    if (Elements && !K.Axes[*A].Schedule.Lanes.Scalable &&
        Facts.getRangeOfMin(K.Axes[*A].Extents).getNumber()) {
      int64_t Few = std::max<int64_t>(Elements->second - Elements->first, 1);
      if (Few < Lanes && isPowerOf2_64(Few))
        Lanes = Few;
    }
    Width = std::max<unsigned>(Width, Lanes);
  });
  return Width;
}

void ScheduleEmitter::createRegisters(BufferId Id, const Node &Owner) {
  const Buffer &Buf = K.Buffers[Id];
  Function &F = *B.GetInsertBlock()->getParent();
  RegisterArray &R = Registers[Id];
  R = RegisterArray();
  R.Scalable = isScalable(K, Buf);
  R.Width = getRegisterWidth(Id, Owner);
  for (const Poly &Extent : Buf.Shape)
    R.Shape.push_back(K.getSize(Extent)->N);
  unsigned Vectors = 1;
  if (!R.Shape.empty()) {
    R.VectorsInRow = divideCeil(R.Shape.back(), R.Width);
    Vectors = R.VectorsInRow;
    for (int64_t Extent : ArrayRef(R.Shape).drop_back())
      Vectors *= Extent;
  }
  Type *Ty = getRegisterType(Buf.Ty);
  if (R.Scalable)
    Ty = ScalableVectorType::get(Ty, R.Width * LeastLanes);
  else if (R.Width > 1)
    Ty = FixedVectorType::get(Ty, R.Width);
  for (unsigned I = 0; I != Vectors; ++I) {
    AllocaInst *&Slot = Slots[{Id, R.Width, I}];
    if (!Slot) {
      Slot = new AllocaInst(Ty, F.getDataLayout().getAllocaAddrSpace(),
                            Buf.Name, F.getEntryBlock().getFirstInsertionPt());
      AllLocals.push_back(Slot);
      AllSlots.insert(Slot);
    }
    B.CreateStore(PoisonValue::get(Ty), Slot);
    R.Slots.push_back(Slot);
  }
}

/// The element that \p X is in the current lane.
std::optional<ScheduleEmitter::Element>
ScheduleEmitter::findElement(const Access &X) {
  const RegisterArray &R = Registers[X.Buf];
  Element Result;
  for (auto [Dim, Extent] : enumerate(R.Shape)) {
    // Places in registers are numbers, but for one that is divided by a number
    // that is not 1 or more: nothing runs there.
    std::optional<int64_t> At = Facts.getNumber(X.Subs[Dim]);
    if (!At || *At < 0 || *At >= Extent)
      return std::nullopt;
    if (Dim + 1 != R.Shape.size()) {
      Result.Slot = Result.Slot * Extent + *At;
      continue;
    }
    Result.Slot = Result.Slot * R.VectorsInRow + *At / R.Width;
    Result.Lane = *At % R.Width;
  }
  return Result;
}

/// The vector that \p X is in all lanes of a scalable vector; nullopt: none of
/// them is in the array.
std::optional<unsigned> ScheduleEmitter::findScalable(const Access &X) {
  const RegisterArray &R = Registers[X.Buf];
  std::optional<unsigned> Result = 0;
  inLane(0, [&] {
    for (auto [Dim, Extent] : enumerate(R.Shape)) {
      bool IsLast = Dim + 1 == R.Shape.size();
      std::optional<ScheduleSize> At = K.getSize(Facts.fold(X.Subs[Dim]));
      if (!At || At->N < 0 || At->N >= Extent) {
        Result.reset();
        break;
      }
      Result = IsLast ? *Result * R.VectorsInRow + At->N / R.Width
                      : *Result * Extent + At->N;
    }
    return nullptr;
  });
  return Result;
}

/// The elements that \p X is in all lanes, or in the current one.
ScheduleEmitter::Elements ScheduleEmitter::findElements(const Access &X) {
  Elements Result;
  if (!Lanes.isVector()) {
    Result.push_back(findElement(X));
    return Result;
  }
  for (unsigned L = 0; L != Lanes.Width; ++L)
    inLane(L, [&] {
      Result.push_back(findElement(X));
      return nullptr;
    });
  return Result;
}

/// Whether \p Of are the lanes of one register, those outside aside.
bool ScheduleEmitter::isWholeVector(const RegisterArray &R,
                                    const Elements &Of) {
  return Of.size() == R.Width && Of.front() &&
         all_of(enumerate(Of), [&](const auto &At) {
           return !At.value() || (At.value()->Slot == Of.front()->Slot &&
                                  At.value()->Lane == At.index());
         });
}

Value *ScheduleEmitter::loadSlot(const RegisterArray &R, unsigned Slot) {
  return B.CreateLoad(R.Slots[Slot]->getAllocatedType(), R.Slots[Slot]);
}

Value *ScheduleEmitter::loadElement(const RegisterArray &R, Element At) {
  Value *V = loadSlot(R, At.Slot);
  return R.Width == 1 ? V : B.CreateExtractElement(V, At.Lane);
}

Value *ScheduleEmitter::loadRegisters(const Access &X) {
  const RegisterArray &R = Registers[X.Buf];
  ScalarType Ty = K.Buffers[X.Buf].Ty;
  if (!isVarying(X)) {
    std::optional<Element> At = findElement(X);
    return At ? fromRegister(loadElement(R, *At), Ty)
              : PoisonValue::get(getIRType(Ty, B.getContext()));
  }
  if (R.Scalable) {
    std::optional<unsigned> Slot = findScalable(X);
    return fromRegister(
        Slot ? loadSlot(R, *Slot)
             : PoisonValue::get(R.Slots.front()->getAllocatedType()),
        Ty);
  }
  auto Of = findElements(X);
  return fromRegister(isWholeVector(R, Of) ? loadSlot(R, Of.front()->Slot)
                                           : shuffleRegisters(R, Of),
                      Ty);
}

/// Registers that a vector is shuffled from, one shuffle for each but the
/// first.
static constexpr size_t MostSources = 4;

/// The elements \p Of as a vector: of a few registers by shuffles of two.
Value *ScheduleEmitter::shuffleRegisters(const RegisterArray &R,
                                         const Elements &Of) {
  SmallVector<unsigned, 2> From;
  for (const std::optional<Element> &At : Of)
    if (At && !is_contained(From, At->Slot))
      From.push_back(At->Slot);
  if (R.Width == 1 || From.empty() || From.size() > MostSources ||
      (From.size() > 2 && Of.size() > R.Width)) {
    Type *Elem = R.Slots.front()->getAllocatedType()->getScalarType();
    return createVector(Elem, [&](unsigned L) {
      return Of[L] ? loadElement(R, *Of[L]) : nullptr;
    });
  }
  SmallVector<std::pair<unsigned, unsigned>, 16> Parts;
  for (const std::optional<Element> &At : Of)
    Parts.push_back(At ? std::pair<unsigned, unsigned>(
                             find(From, At->Slot) - From.begin(), At->Lane)
                       : std::pair(~0U, 0U));
  SmallVector<Value *, 4> Vs;
  for (unsigned Slot : From)
    Vs.push_back(loadSlot(R, Slot));
  return shuffleVectors(Vs, Parts);
}

/// Lane L is element Parts[L].second of the vector number Parts[L].first; none
/// of a number that there is not. Of more than two vectors there are no more
/// lanes than they have.
Value *
ScheduleEmitter::shuffleVectors(ArrayRef<Value *> Vs,
                                ArrayRef<std::pair<unsigned, unsigned>> Parts) {
  unsigned Width =
      cast<FixedVectorType>(Vs.front()->getType())->getNumElements();
  // Vectors stay as wide until the last shuffle.
  auto Pick = [&](Value *X, Value *Y, unsigned Number, bool IsLast) {
    SmallVector<int, 16> Lanes(IsLast ? Parts.size() : Width, PoisonMaskElem);
    for (auto [L, Part] : enumerate(Parts)) {
      auto [Of, At] = Part;
      if (Of == Number && !(Of > 1 && DLOPT_PLANTED(ThirdRegisterLost)))
        Lanes[L] = static_cast<int>(Width + At);
      else if (Of < Number)
        Lanes[L] = static_cast<int>(Number == 1 ? At : L);
    }
    return B.CreateShuffleVector(X, Y, Lanes);
  };
  if (Vs.size() == 1)
    return Pick(Vs.front(), Vs.front(), 1, /*IsLast=*/true);
  Value *Result = Vs.front();
  for (unsigned I = 1; I != Vs.size(); ++I)
    Result = Pick(Result, Vs[I], I, I + 1 == Vs.size());
  return Result;
}

void ScheduleEmitter::storeRegisters(const Access &X, Value *V) {
  const RegisterArray &R = Registers[X.Buf];
  V = spread(toRegister(V, K.Buffers[X.Buf].Ty));
  if (R.Scalable) {
    if (std::optional<unsigned> Slot = findScalable(X))
      storeVector(R, *Slot, V);
    return;
  }
  auto Of = findElements(X);
  if (R.Width == 1 || !isWholeVector(R, Of))
    return storeElements(R, Of, V);
  storeVector(R, Of.front()->Slot, V);
}

/// Lanes past the end may be assigned, as these are junk.
void ScheduleEmitter::storeVector(const RegisterArray &R, unsigned Slot,
                                  Value *V) {
  if (Lanes.Mask != Lanes.Range && !DLOPT_PLANTED(RegisterMaskIgnored))
    V = B.CreateSelect(Lanes.Mask, V, loadSlot(R, Slot));
  B.CreateStore(V, R.Slots[Slot]);
}

/// One element after the other, in the order of lanes.
void ScheduleEmitter::storeElements(const RegisterArray &R, const Elements &Of,
                                    Value *V) {
  for (auto [L, At] : enumerate(Of)) {
    if (!At)
      continue;
    Value *Own = Lanes.isVector() ? B.CreateExtractElement(V, L) : V;
    Value *Before = loadSlot(R, At->Slot);
    if (Lanes.isVector() && Lanes.Mask) {
      Value *Old =
          R.Width == 1 ? Before : B.CreateExtractElement(Before, At->Lane);
      Own = B.CreateSelect(B.CreateExtractElement(Lanes.Mask, L), Own, Old);
    }
    if (R.Width > 1)
      Own = B.CreateInsertElement(Before, Own, At->Lane);
    B.CreateStore(Own, R.Slots[At->Slot]);
  }
}

/// Whether \p N declares \p Buf below the axis \p Block.
static bool isDeclaredBelow(const Node &N, BufferId Buf, AxisId Block,
                            bool IsBelow) {
  IsBelow |= N.K == Node::AxisNode && N.Ax == Block;
  if (IsBelow && is_contained(N.Locals, Buf))
    return true;
  return any_of(N.Children, [&](const auto &Child) {
    return isDeclaredBelow(*Child, Buf, Block, IsBelow);
  });
}

/// Whether \p Buf belongs to one block and is met in lanes of its elements
/// alone, each by its own: what is behind the last is nobody's.
bool ScheduleEmitter::isOfBlockAlone(BufferId Buf) {
  auto [It, New] = OfBlockAlone.try_emplace(Buf, true);
  if (!New)
    return It->second;
  std::optional<AxisId> Block;
  bool Result = true;
  auto Check = [&](ArrayRef<AxisId> Axes, const Access &X) {
    std::optional<AxisId> Lane = findLaneAxis(K, Axes);
    if (!Lane || X.Subs.empty())
      return false;
    const Axis &A = K.Axes[*Lane];
    std::optional<AtomId> At = findAtom(Atom::Axis, *Lane);
    std::optional<AtomId> Size =
        A.Extents.size() == 1 ? A.Extents.front().getAtom() : std::nullopt;
    if (!A.Begins.empty() || !Size || K.Atoms[*Size].K != Atom::Size ||
        X.Subs.back().getAtom() != At || !At)
      return false;
    if (!Block)
      Block = K.Atoms[*Size].Ref;
    return *Block == K.Atoms[*Size].Ref &&
           none_of(ArrayRef(X.Subs).drop_back(),
                   [&](const Poly &P) { return K.dependsOn(P, *Lane); });
  };
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Axes) {
    forEachAccess(L, Buf, [&](const Access &X) { Result &= Check(Axes, X); });
  });
  Result &= none_of(K.Atoms, [&](const Atom &A) {
    return A.K == Atom::Load && A.Source.Buf == Buf;
  });
  Result &= Block && isDeclaredBelow(K.Root, Buf, *Block, /*IsBelow=*/false);
  return OfBlockAlone[Buf] = Result;
}

} // namespace dlopt
