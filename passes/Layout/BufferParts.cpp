//===- BufferParts.cpp - The arrays that an object is made of -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BufferParts.h"
#include "ChannelMap.h"
#include "dlopt/Compat.h"
#include "dlopt/Dependences.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Ranges.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include <set>

using namespace llvm;
using namespace dlopt;

namespace {

class PartFinder : ObjectAccesses {
public:
  using ObjectAccesses::ObjectAccesses;
  std::vector<ModuleBuffer> run();

private:
  using ObjectAccesses::getRange;
  ByteRange getRange(const Kernel &K, const Buffer &Buf, const Poly &Offset,
                     ArrayRef<AxisId> Around) const;
  void collect();
  void collectKernel(unsigned Index, std::vector<KernelAccess> &To);
  void addFields(Type *Ty, int64_t At, unsigned Depth);
  void addClusters();
  void addBounds();
  void join(const ByteRange &R);
  void findParts();
  void separate();
  bool isIn(const KernelAccess &X, const ByteRange &Part) const;
  void narrow(KernelAccess &X) const;
  const ByteRange *findPart(const KernelAccess &X) const;

  std::set<int64_t> Cuts; ///< where parts begin
  SmallVector<ByteRange, 8> Parts;
};

} // namespace

//===----------------------------------------------------------------------===//
// Where parts begin
//===----------------------------------------------------------------------===//

ByteRange ObjectAccesses::getRange(const Value *Ptr, uint64_t Size) const {
  ObjectPlace P = MB.Calls->getPlace(Ptr);
  if (P.Object != Uses.Whole.Object || Size > Uses.Bytes)
    return All;
  return {P.Bytes, P.Bytes + static_cast<int64_t>(Size)};
}

ByteRange ObjectAccesses::getRange(const Instruction &I) const {
  const Value *Ptr = getLoadStorePointerOperand(&I);
  return Ptr ? getRange(Ptr, DL.getTypeStoreSize(getLoadStoreType(&I))) : All;
}

/// The bytes of elements at \p Offset.
ByteRange PartFinder::getRange(const Kernel &K, const Buffer &Buf,
                               const Poly &Offset,
                               ArrayRef<AxisId> Around) const {
  constexpr int64_t Far = int64_t(1) << 40;
  ObjectPlace P = MB.Calls->getPlace(Buf.Bound);
  auto R = dlopt::getRange(K, Offset, Around);
  if (P.Object != Uses.Whole.Object || R.Lo < -Far || R.Hi > Far)
    return All;
  int64_t Size = getSizeInBytes(Buf.Ty);
  return {P.Bytes + static_cast<int64_t>(R.Lo) * Size,
          P.Bytes + (static_cast<int64_t>(R.Hi) + 1) * Size};
}

void PartFinder::collectKernel(unsigned Index, std::vector<KernelAccess> &To) {
  const RaisedKernel &RK = MB.Kernels[Index].RK;
  const Kernel &K = *RK.K;
  const Instruction *At = MB.Kernels[Index].getPlace();
  if (RK.Nest)
    for (const LoadInst *L : findGivenLoads(RK, Uses.Whole.Pointers))
      Given.push_back(
          {getRange(L->getPointerOperand(), DL.getTypeStoreSize(L->getType())),
           {Reason::BufferOutside, At, ""}});
  // An array that lives in the nest has no accesses of the kernel's.
  if (none_of(K.Buffers, [&](const Buffer &Buf) { return isOurs(Buf); }))
    Given.push_back({All, {Reason::BufferOutside, At, ""}});
  SmallVector<AxisId, 8> Axes;
  for (AxisId A = 0; A != K.Axes.size(); ++A)
    Axes.push_back(A);
  auto AddGiven = [&](BufferId Id, const Poly &Offset) {
    if (isOurs(K.Buffers[Id]))
      Given.push_back({getRange(K, K.Buffers[Id], Offset, Axes),
                       {Reason::BufferIndices, At, ""}});
  };
  for (const Atom &A : K.Atoms)
    if (A.K == Atom::Load)
      AddGiven(A.Source.Buf, A.Source.offset());
  for (const Need &N : K.Needs)
    if (N.K == Need::NonZero)
      AddGiven(N.Buf, N.P);
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    auto Add = [&](const Access &X) {
      const Buffer &Buf = K.Buffers[X.Buf];
      if (isOurs(Buf))
        To.push_back({Index, X.Buf, const_cast<Access *>(&X), &L,
                      SmallVector<AxisId, 6>(Around),
                      getRange(K, Buf, X.offset(), Around)});
    };
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Add(O.Acc);
    for (const Assign &A : L.Assigns)
      Add(A.Target);
  });
}

/// Those of structs in \p Depth others.
void PartFinder::addFields(Type *Ty, int64_t At, unsigned Depth) {
  auto *S = dyn_cast<StructType>(Ty);
  if (!S || !S->isSized())
    return;
  const StructLayout &Offsets = *DL.getStructLayout(S);
  for (unsigned I = 0; I != S->getNumElements(); ++I) {
    Type *Field = S->getElementType(I);
    int64_t Begin = At + static_cast<int64_t>(Offsets.getElementOffset(I));
    if (Depth) {
      addFields(Field, Begin, Depth - 1);
      continue;
    }
    Cuts.insert(Begin);
    // What is behind it may be padding.
    Cuts.insert(Begin + static_cast<int64_t>(DL.getTypeStoreSize(Field)));
  }
}

/// What overlaps is one; what is next to it begins behind it, but for padding.
void PartFinder::addClusters() {
  // No field is aligned to more than the object is.
  auto MaxPadding =
      static_cast<int64_t>(Uses.Whole.Object->getPointerAlignment(DL).value());
  SmallVector<ByteRange, 16> Ranges;
  for (const KernelAccess &X : Accesses)
    Ranges.push_back(X.Range);
  for (const auto &[Range, Why] : Given)
    Ranges.push_back(Range);
  for (Instruction *I : Uses.Singles)
    Ranges.push_back(getRange(*I));
  sort(Ranges, [](const ByteRange &A, const ByteRange &B) {
    return A.Begin < B.Begin;
  });
  int64_t End = All.Begin;
  for (const ByteRange &R : Ranges) {
    if (End > All.Begin && R.Begin >= End && R.Begin - End < MaxPadding)
      Cuts.insert({End, R.Begin});
    End = std::max(End, R.End);
  }
}

/// Places where parts may begin: declared fields, and where uses do. Initial
/// values may be structs where arrays are declared.
void PartFinder::addBounds() {
  constexpr unsigned MaxDepth = 8;
  auto *G = dyn_cast<GlobalVariable>(Uses.Whole.Object);
  Type *Ty = G ? G->getValueType()
               : cast<AllocaInst>(Uses.Whole.Object)->getAllocatedType();
  for (unsigned Depth = 0; Depth != MaxDepth; ++Depth) {
    size_t Before = Cuts.size();
    addFields(Ty, 0, Depth);
    if (Cuts.size() != Before)
      for_each(Accesses, [&](KernelAccess &X) { narrow(X); });
  }
  for (const KernelAccess &X : Accesses) {
    ObjectPlace P =
        MB.Calls->getPlace(MB.Kernels[X.Kernel].RK.K->Buffers[X.Id].Bound);
    if (P.Object == Uses.Whole.Object)
      Cuts.insert(P.Bytes);
  }
  for_each(Accesses, [&](KernelAccess &X) { narrow(X); });
  addClusters();
  Cuts.erase(Cuts.begin(), Cuts.upper_bound(0));
  Cuts.erase(Cuts.lower_bound(All.End), Cuts.end());
  constexpr size_t MaxParts = 128;
  if (Cuts.size() > MaxParts)
    Cuts.clear();
}

/// Makes one part of all that \p R touches.
void PartFinder::join(const ByteRange &R) {
  auto First = Cuts.upper_bound(R.Begin);
  auto Last = Cuts.lower_bound(R.End);
  if (R.Begin < R.End && (First == Cuts.end() || *First < R.End))
    Cuts.erase(First, Last);
}

/// Whether it is proved that the access stays in \p Part.
bool PartFinder::isIn(const KernelAccess &X, const ByteRange &Part) const {
  if (DLOPT_PLANTED(FieldOverrun) && Part.Begin <= X.Range.Begin)
    return true;
  Kernel &K = *MB.Kernels[X.Kernel].RK.K;
  const Buffer &Buf = K.Buffers[X.Id];
  ObjectPlace P = MB.Calls->getPlace(Buf.Bound);
  int64_t Size = getSizeInBytes(Buf.Ty);
  return P.Object == Uses.Whole.Object && (P.Bytes - Part.Begin) % Size == 0 &&
         isInside(K, X.Around, *X.L, *X.X, (P.Bytes - Part.Begin) / Size,
                  (Part.End - Part.Begin) / Size);
}

/// Bounds of loops alone say less than those of loops and conditions.
void PartFinder::narrow(KernelAccess &X) const {
  auto Next = Cuts.upper_bound(X.Range.Begin);
  int64_t Begin = Next == Cuts.begin() ? All.Begin : *std::prev(Next);
  while (true) {
    ByteRange Part = {Begin, Next == Cuts.end() ? All.End : *Next};
    if (Part.contains(X.Range))
      return;
    if (isIn(X, Part)) {
      X.Range.Begin = std::max(X.Range.Begin, Part.Begin);
      X.Range.End = std::min(X.Range.End, Part.End);
      return;
    }
    if (Next == Cuts.end() || *Next >= X.Range.End)
      return;
    Begin = *Next++;
  }
}

void PartFinder::collect() {
  for (unsigned Index : Uses.Kernels) {
    std::vector<KernelAccess> New;
    collectKernel(Index, New);
    bool IsFill = isa_and_nonnull<MemSetInst>(MB.Kernels[Index].Call) &&
                  New.size() == 1 && New.front().Range.contains(All);
    append_range(IsFill ? Fills : Accesses, New);
  }
}

/// Takes apart what no use needs together.
void PartFinder::findParts() {
  addBounds();
  for (const auto &[Range, Why] : Given)
    join(Range);
  for (Instruction *I : Uses.Singles)
    join(getRange(*I));
  for (KernelAccess &X : Accesses)
    narrow(X);
  for (const KernelAccess &X : Accesses)
    join(X.Range);
}

/// The part that the access is proved to stay in.
const ByteRange *PartFinder::findPart(const KernelAccess &X) const {
  const auto *Part =
      find_if(Parts, [&](const ByteRange &P) { return P.contains(X.Range); });
  return Part == Parts.end() ? nullptr : Part;
}

/// Makes buffers of their own of what kernels use of several parts.
void PartFinder::separate() {
  SmallDenseMap<std::tuple<unsigned, BufferId, int64_t>, BufferId> Ids;
  SmallSetVector<unsigned, 4> Changed;
  for (KernelAccess &X : Accesses) {
    Kernel &K = *MB.Kernels[X.Kernel].RK.K;
    const ByteRange &Part = *findPart(X);
    bool IsFirst = none_of(Ids, [&](const auto &Entry) {
      return std::get<0>(Entry.first) == X.Kernel &&
             std::get<1>(Entry.first) == X.Id;
    });
    auto [It, IsNew] = Ids.insert({{X.Kernel, X.Id, Part.Begin}, X.Id});
    if (IsNew && !IsFirst) {
      It->second = static_cast<BufferId>(K.Buffers.size());
      Buffer Copy = K.Buffers[X.Id];
      Copy.Name += "+" + std::to_string(Part.Begin);
      K.Buffers.push_back(std::move(Copy));
      Changed.insert(X.Kernel);
    }
    X.X->Buf = X.Id = It->second;
  }
  for (unsigned Index : Changed)
    computeRoles(*MB.Kernels[Index].RK.K);
}

std::vector<ModuleBuffer> PartFinder::run() {
  collect();
  // What is true of the object is said once.
  if (Uses.Whole.Why.ok())
    findParts();
  int64_t Begin = All.Begin;
  for (int64_t Cut : Cuts)
    Parts.push_back({std::exchange(Begin, Cut), Cut});
  Parts.push_back({Begin, All.End});
  // What may be in front of the object or behind it, as far as is proved.
  if (any_of(Accesses, [&](const KernelAccess &X) { return !findPart(X); }))
    Parts = {All};
  bool IsPart = Parts.size() > 1;
  if (IsPart)
    separate();
  else
    append_range(Accesses, Fills);
  std::vector<ModuleBuffer> Result;
  for (const ByteRange &Part : Parts) {
    ModuleBuffer B = fillPart(*this, Part, IsPart);
    if (!B.Kernels.empty())
      Result.push_back(std::move(B));
  }
  return Result;
}

std::vector<ModuleBuffer> dlopt::findBufferParts(ModuleBuffers &MB,
                                                 const BufferUses &Uses,
                                                 FunctionAnalysisManager &FAM,
                                                 const DataLayout &DL) {
  return PartFinder(MB, Uses, FAM, DL).run();
}
