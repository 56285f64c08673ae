//===- BufferPart.cpp - What a part of an object is -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BufferParts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// Finds out all about one part.
class PartFiller {
public:
  PartFiller(const ObjectAccesses &In, const ByteRange &Part, bool IsPart)
      : In(In), MB(In.MB), Part(Part), B(In.Uses.Whole) {
    B.Begin = Part.Begin;
    B.IsPart = IsPart;
  }
  ModuleBuffer run();

private:
  void refuse(Reason R, const Instruction *Culprit, StringRef Detail = "");
  bool setType(ScalarType Ty, const Instruction *Culprit);
  void visitSingle(Instruction &I);
  void visitAccess(Instruction &I);
  void visitFill(MemSetInst &M);
  void visitKernel(unsigned Index);
  bool uses(unsigned Index, BufferId Id) const;

  const ObjectAccesses &In;
  ModuleBuffers &MB;
  ByteRange Part;
  ModuleBuffer B;
  bool HasType = false;
};

} // namespace

void PartFiller::refuse(Reason R, const Instruction *Culprit,
                        StringRef Detail) {
  if (B.Why.ok())
    B.Why = {R, Culprit, Detail.str()};
}

/// All uses see elements of one type.
bool PartFiller::setType(ScalarType Ty, const Instruction *Culprit) {
  if (!HasType) {
    HasType = true;
    B.Ty = Ty;
    B.Elements = (Part.End - Part.Begin) / getSizeInBytes(Ty);
  }
  if (B.Ty == Ty)
    return true;
  refuse(Reason::BufferPunned, Culprit);
  return false;
}

/// The same byte everywhere stays so.
void PartFiller::visitFill(MemSetInst &M) {
  auto *Length = dyn_cast<ConstantInt>(M.getLength());
  if (M.isVolatile())
    return refuse(Reason::Volatile, &M);
  if (B.IsPart || M.getRawDest() != B.Object || !Length ||
      Length->getValue() != In.Uses.Bytes)
    return refuse(Reason::BufferPart, &M);
  B.Fills.push_back(&M);
}

void PartFiller::visitAccess(Instruction &I) {
  bool IsSimple = isa<LoadInst>(I) ? cast<LoadInst>(I).isUnordered()
                                   : cast<StoreInst>(I).isUnordered();
  if (I.isVolatile() || I.isAtomic() || !IsSimple)
    return refuse(I.isVolatile() ? Reason::Volatile : Reason::Atomic, &I);
  std::optional<ScalarType> Ty = getScalarType(getLoadStoreType(&I));
  if (!Ty || *Ty == ScalarType::I1 ||
      getLoadStoreAlignment(&I).value() < getSizeInBytes(*Ty))
    return refuse(Reason::BufferPunned, &I);
  if (!setType(*Ty, &I))
    return;
  auto &LI = In.FAM.getResult<LoopAnalysis>(*I.getFunction());
  if (LI.getLoopFor(I.getParent()))
    return refuse(Reason::BufferOutside, &I);
  B.Accesses.push_back(&I);
}

void PartFiller::visitSingle(Instruction &I) {
  if (getLoadStorePointerOperand(&I)) {
    if (Part.overlaps(In.getRange(I)))
      visitAccess(I);
    return;
  }
  auto &LI = In.FAM.getResult<LoopAnalysis>(*I.getFunction());
  if (auto *Fill = dyn_cast<MemSetInst>(&I);
      Fill && !LI.getLoopFor(I.getParent()))
    visitFill(*Fill);
  else
    refuse(Reason::BufferPart, &I);
}

/// Whether kernel \p Index uses the part through its buffer \p Id.
bool PartFiller::uses(unsigned Index, BufferId Id) const {
  bool Any = any_of(In.Fills, [&](const KernelAccess &X) {
    return B.IsPart && X.Kernel == Index;
  });
  for (const KernelAccess &X : In.Accesses)
    if (X.Kernel == Index && X.Id == Id) {
      if (!B.IsPart || Part.contains(X.Range))
        return true;
      Any = true;
    }
  if (Any)
    return false;
  const Buffer &Buf = MB.Kernels[Index].RK.K->Buffers[Id];
  return Part.overlaps(In.getRange(Buf.Bound, 1));
}

void PartFiller::visitKernel(unsigned Index) {
  const RaisedKernel &RK = MB.Kernels[Index].RK;
  const Kernel &K = *RK.K;
  const Instruction *At = MB.Kernels[Index].getPlace();
  for (auto [Id, Buf] : enumerate(K.Buffers)) {
    if (!In.isOurs(Buf) || !uses(Index, Id))
      continue;
    ObjectPlace P = MB.Calls->getPlace(Buf.Bound);
    int64_t Size = getSizeInBytes(Buf.Ty);
    // The first element is known.
    if (P.Object != B.Object || (P.Bytes - Part.Begin) % Size)
      return refuse(Reason::BufferPart, At, K.Function);
    B.Kernels.push_back(
        {Index, static_cast<BufferId>(Id), (P.Bytes - Part.Begin) / Size});
    // What copies elements does not say what they are.
    if (RK.Nest || !HasType ? !setType(Buf.Ty, At)
                            : getSizeInBytes(B.Ty) != getSizeInBytes(Buf.Ty))
      return refuse(Reason::BufferPunned, At);
  }
}

ModuleBuffer PartFiller::run() {
  for (Instruction *I : In.Uses.Singles)
    visitSingle(*I);
  if (B.IsPart)
    for (const KernelAccess &X : In.Fills)
      B.Fills.push_back(cast<MemSetInst>(MB.Kernels[X.Kernel].Call));
  for (const auto &[Range, Why] : In.Given)
    if (Part.overlaps(Range) && B.Why.ok())
      B.Why = Why;
  for (bool Calls : {false, true})
    for (unsigned Index : In.Uses.Kernels)
      if (Calls == (MB.Kernels[Index].Call != nullptr))
        visitKernel(Index);
  int64_t Size = getSizeInBytes(B.Ty);
  if (HasType && ((Part.End - Part.Begin) % Size || Part.Begin % Size ||
                  B.Object->getPointerAlignment(In.DL).value() <
                      static_cast<uint64_t>(Size) ||
                  any_of(B.Arguments, [&](const auto &A) {
                    return (A.second - Part.Begin) % Size != 0;
                  })))
    refuse(Reason::BufferPunned, nullptr);
  return std::move(B);
}

ModuleBuffer dlopt::fillPart(const ObjectAccesses &In, const ByteRange &Part,
                             bool IsPart) {
  return PartFiller(In, Part, IsPart).run();
}
