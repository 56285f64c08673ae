//===- ScheduleApart.cpp - Scheduled kernels to IR: lanes that are apart --===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lanes that are some elements apart, as those of windows that move by twos,
/// are shuffled out of vectors of neighbours. The columns of a window ask for
/// nearly the same elements: what is in registers is not read again.
///
//===----------------------------------------------------------------------===//
#include "AddressSum.h"
#include "ScheduleEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

/// How far lanes are apart where whole vectors are read and shuffled.
std::optional<int64_t>
ScheduleEmitter::getShuffledStride(const Poly &Offset) const {
  constexpr int64_t Most = 4;
  std::optional<Poly> Stride = getStride(K, Facts.fold(Offset), *Lanes.Axis);
  std::optional<int64_t> Number =
      Stride ? Facts.getNumber(*Stride) : std::nullopt;
  if (!Number || *Number < -Most || *Number > Most || *Number == 0)
    return std::nullopt;
  return Number;
}

/// Whether vectors of the elements of \p Buf are read under masks by single
/// instructions.
bool ScheduleEmitter::hasMaskedLoads(BufferId Buf) const {
  const Function &F = *B.GetInsertBlock()->getParent();
  return hasTargetFeatures(
      F, getSizeInBytes(K.Buffers[Buf].Ty) >= 4 ? "avx2|avx512f" : "avx512bw");
}

/// The elements from \p At on of those that lanes in the mask, \p Stride apart,
/// ask for: of what lies between none.
Value *ScheduleEmitter::spreadMask(ScalarType Ty, unsigned At, int64_t Stride) {
  unsigned Width = Lanes.Width, Apart = static_cast<unsigned>(std::abs(Stride));
  SmallVector<int, 16> Of;
  for (unsigned E = At; E != At + Width; ++E) {
    unsigned L = Stride > 0 ? E / Apart : Width - 1 - E / Apart;
    bool IsAsked =
        (E % Apart == 0 || DLOPT_PLANTED(ApartMaskSpread)) && L < Width;
    Of.push_back(static_cast<int>(IsAsked ? L : Width));
  }
  // As numbers, else they are shuffled one by one where bits are no registers.
  Type *Number = B.getIntNTy(8 * getSizeInBytes(Ty));
  Value *Mask = B.CreateSExt(getKnownMask(Lanes.Mask),
                             FixedVectorType::get(Number, Width));
  Value *None = Constant::getNullValue(Mask->getType());
  return B.CreateICmpSLT(B.CreateShuffleVector(Mask, None, Of), None);
}

/// Whether \p I may write anything but a register.
bool ScheduleEmitter::mayWriteElements(const Instruction &I) const {
  auto *Store = dyn_cast<StoreInst>(&I);
  return I.mayWriteToMemory() &&
         !(Store && AllSlots.contains(Store->getPointerOperand())) &&
         !DLOPT_PLANTED(ApartKeptBehindStore);
}

/// The vectors of type \p Ty that were read in this block since it wrote
/// anything, with how many elements behind \p First they begin.
SmallVector<std::pair<Value *, int64_t>, 8>
ScheduleEmitter::getLoadedNear(const Value *First, Type *Ty) const {
  // Those of a row of a window: more need more registers than there are.
  constexpr unsigned MostInstructions = 256;
  SmallVector<std::pair<Value *, int64_t>, 8> Result;
  const BasicBlock &BB = *B.GetInsertBlock();
  const DataLayout &DL = BB.getDataLayout();
  int64_t Size = DL.getTypeStoreSize(Ty->getScalarType());
  AddressSum From(First, DL);
  unsigned Number = 0;
  for (auto It = B.GetInsertPoint(); It != BB.begin();) {
    Instruction &I = *--It;
    if (mayWriteElements(I) || ++Number > MostInstructions ||
        !isGuaranteedToTransferExecutionToSuccessor(&I))
      break;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || Load->getType() != Ty)
      continue;
    std::optional<int64_t> Bytes =
        AddressSum(Load->getPointerOperand(), DL).getDistance(From);
    if (Bytes && *Bytes % Size == 0)
      Result.push_back({Load, *Bytes / Size});
  }
  return Result;
}

/// Makes \p Load read the elements that are \p By further on, if nobody asked
/// for the first ones of those that it reads.
static bool moveOn(LoadInst &Load, int By) {
  int Width = cast<FixedVectorType>(Load.getType())->getNumElements();
  int Missing = DLOPT_PLANTED(ApartMovedFromAsked) ? 0 : 2 * Width;
  auto GetMoved = [&](ShuffleVectorInst &S) {
    SmallVector<int, 16> Mask(S.getShuffleMask());
    for (int &At : Mask)
      if (At >= 0 && S.getOperand(At / Width) == &Load)
        At = At % Width >= By ? At - By : Missing;
    return Mask;
  };
  for (User *U : Load.users()) {
    auto *S = dyn_cast<ShuffleVectorInst>(U);
    if (!S || is_contained(GetMoved(*S), 2 * Width))
      return false;
  }
  SmallPtrSet<ShuffleVectorInst *, 4> Shuffles;
  for (User *U : Load.users())
    Shuffles.insert(cast<ShuffleVectorInst>(U));
  for (ShuffleVectorInst *S : Shuffles)
    S->setShuffleMask(GetMoved(*S));
  IRBuilder<> Front(&Load);
  Load.setOperand(0, Front.CreateGEP(Load.getType()->getScalarType(),
                                     Load.getPointerOperand(),
                                     Front.getInt64(By)));
  return true;
}

namespace {

/// Which of some vectors of \p Width elements lanes are in, and where; the
/// elements that they are have numbers.
struct LaneParts {
  static constexpr unsigned None = ~0U;

  LaneParts(ArrayRef<int64_t> Of, int64_t Width)
      : Of(Of), Width(Width), Parts(Of.size(), {None, 0}) {}

  size_t countMissing() const {
    return count_if(Parts, [](const auto &P) { return P.first == None; });
  }
  bool isMissingIn(size_t L, int64_t Start) const {
    return Parts[L].first == None && Of[L] >= Start && Of[L] < Start + Width;
  }
  size_t countIn(int64_t Start) const {
    return count_if(seq(Of.size()),
                    [&](size_t L) { return isMissingIn(L, Start); });
  }
  int64_t getFirstMissing() const {
    int64_t First = std::numeric_limits<int64_t>::max();
    for (auto [E, Part] : zip_equal(Of, Parts))
      if (Part.first == None)
        First = std::min(First, E);
    return First;
  }

  /// What is missing and in the vector \p V of the elements from \p Start on.
  void take(Value *V, int64_t Start) {
    for (size_t L : seq(Of.size()))
      if (isMissingIn(L, Start))
        Parts[L] = {Vs.size(), static_cast<unsigned>(Of[L] - Start)};
    Vs.push_back(V);
    Starts.push_back(Start);
  }

  /// Has the only missing element, behind the end of a vector, read by that in
  /// place of its first ones, if nobody asks for these.
  /// \p May: those that only shuffles read.
  void moveLastOn(const SmallPtrSetImpl<const Value *> &May) {
    int64_t Missing = getFirstMissing();
    for (auto [I, V] : enumerate(Vs)) {
      if (!May.contains(V) && !DLOPT_PLANTED(ApartMovedFromOthers))
        continue;
      int64_t By = Missing - (Starts[I] + Width - 1);
      bool IsAsked = any_of(Parts, [&, I = I](const auto &P) {
        return P.first == I && P.second < By;
      });
      if (By <= 0 || By >= Width || IsAsked ||
          !moveOn(*cast<LoadInst>(V), static_cast<int>(By)))
        continue;
      for (auto &P : Parts)
        if (P.first == I)
          P.second -= By;
      take(V, Starts[I] + By);
      return;
    }
  }

  ArrayRef<int64_t> Of;
  int64_t Width;
  SmallVector<Value *, 4> Vs;
  SmallVector<int64_t, 4> Starts;
  SmallVector<std::pair<unsigned, unsigned>, 16> Parts;
};

} // namespace

/// Lanes that are elements \p Of of those from \p First on, all of which may be
/// read: of vectors that are in registers, of as few others as that takes, and
/// of a single element where but one is missing.
Value *ScheduleEmitter::loadElements(Value *First, FixedVectorType *Ty,
                                     ArrayRef<int64_t> Of, Align ElemAlign) {
  int64_t Width = Ty->getNumElements(), Last = *max_element(Of);
  auto GetAddress = [&](int64_t At) {
    return At ? B.CreateGEP(Ty->getElementType(), First, B.getInt64(At))
              : First;
  };
  LaneParts P(Of, Width);
  // The first ones first, so that the others may be moved on.
  auto Loaded = getLoadedNear(First, Ty);
  llvm::sort(Loaded, less_second());
  while (!Loaded.empty() && P.countMissing()) {
    auto Best = *max_element(Loaded, [&](const auto &X, const auto &Y) {
      return P.countIn(X.second) < P.countIn(Y.second);
    });
    // A shuffle for a single one is no less than reading it.
    if (P.countIn(Best.second) < 2)
      break;
    P.take(Best.first, Best.second);
  }
  if (P.countMissing() == 1)
    P.moveLastOn(ShuffledOnly);
  while (P.countMissing() > (P.Vs.empty() ? 0 : 1)) {
    int64_t Start = P.getFirstMissing() / Width * Width;
    if (!DLOPT_PLANTED(ApartOverread))
      Start = std::min(Start, Last + 1 - Width);
    Value *V = B.CreateAlignedLoad(Ty, GetAddress(Start), ElemAlign);
    ShuffledOnly.insert(V);
    P.take(V, Start);
  }
  Value *Result = shuffleVectors(P.Vs, P.Parts);
  for (auto [L, Part] : enumerate(P.Parts))
    if (Part.first == LaneParts::None)
      Result = B.CreateInsertElement(Result,
                                     B.CreateAlignedLoad(Ty->getElementType(),
                                                         GetAddress(Of[L]),
                                                         ElemAlign),
                                     L);
  return Result;
}

/// Lanes that are \p Stride elements apart, of vectors of neighbours. In a mask
/// nothing else is read; else what lies between two of them is, nothing in
/// front of the first or behind the last: the last vector ends there.
Value *ScheduleEmitter::loadApart(const Access &X, const Poly &Offset,
                                  int64_t Stride, Align ElemAlign) {
  unsigned Width = Lanes.Width, Apart = static_cast<unsigned>(std::abs(Stride));
  unsigned Span = Apart * (Width - 1) + 1;
  auto *Ty = FixedVectorType::get(getMemoryType(K.Buffers[X.Buf].Ty), Width);
  // In a lane that does not run other facts hold than those by which lanes are
  // that far apart.
  Poly Linear = Lanes.Mask ? Facts.fold(Offset) : Offset;
  Value *First = inLane(Stride > 0 ? 0 : Width - 1,
                        [&] { return getAddress(X.Buf, Linear); });
  SmallVector<int64_t, 16> Of;
  for (unsigned L = 0; L != Width; ++L)
    Of.push_back(Apart * (Stride > 0 ? L : Width - 1 - L));
  if (!Lanes.Mask)
    return loadElements(First, Ty, Of, ElemAlign);
  SmallVector<Value *, 4> Vs;
  for (unsigned At = 0; At < Span; At += Width)
    Vs.push_back(B.CreateMaskedLoad(
        Ty,
        At ? B.CreateGEP(Ty->getElementType(), First, B.getInt64(At)) : First,
        ElemAlign, spreadMask(K.Buffers[X.Buf].Ty, At, Stride),
        Constant::getNullValue(Ty)));
  SmallVector<std::pair<unsigned, unsigned>, 16> Parts;
  for (int64_t E : Of)
    Parts.push_back({E / Width, E % Width});
  return shuffleVectors(Vs, Parts);
}

} // namespace dlopt
