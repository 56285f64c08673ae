//===- Copies.cpp - Calls that set or copy elements -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Copies.h"
#include "KnownCalls.h"
#include "dlopt/Lower.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <map>

using namespace llvm;
using namespace dlopt;

namespace {

class CopyFinder {
public:
  explicit CopyFinder(ModuleBuffers &MB);
  void run(ArrayRef<Function *> Fs);

private:
  unsigned getSize(const ObjectPlace &P) const;
  bool add(MemIntrinsic &Call);

  ModuleBuffers &MB;
  /// By object: where kernels use elements, and of what size.
  DenseMap<Value *, std::map<int64_t, unsigned>> Sizes;
  SmallPtrSet<const BasicBlock *, 32> InNests;
};

} // namespace

CopyFinder::CopyFinder(ModuleBuffers &MB) : MB(MB) {
  for (const ModuleKernel &MK : MB.Kernels) {
    ArrayRef<BasicBlock *> Blocks = MK.RK.Nest->getBlocks();
    InNests.insert(Blocks.begin(), Blocks.end());
    for (const Buffer &Buf : MK.RK.K->Buffers)
      if (Buf.Bound) {
        ObjectPlace P = MB.Calls->getPlace(Buf.Bound);
        Sizes[P.Object][P.Bytes] = getSizeInBytes(Buf.Ty);
      }
  }
}

/// As what is used nearest to \p P; 0: unknown.
unsigned CopyFinder::getSize(const ObjectPlace &P) const {
  auto It = Sizes.find(P.Object);
  if (It == Sizes.end())
    return 0;
  auto Behind = It->second.upper_bound(P.Bytes);
  return Behind == It->second.begin() ? Behind->second
                                      : std::prev(Behind)->second;
}

/// Elements are copied as integers: these keep all bits.
static ScalarType getInteger(unsigned Size) {
  return Size == 1   ? ScalarType::I8
         : Size == 2 ? ScalarType::I16
         : Size == 4 ? ScalarType::I32
                     : ScalarType::I64;
}

static Access getNeighbours(BufferId Id, const Poly &Index) {
  Access X;
  X.Buf = Id;
  X.Subs = {Index};
  X.Strides = {Poly(1)};
  return X;
}

static std::unique_ptr<Kernel> makeKernel(MemIntrinsic &Call, unsigned Size,
                                          uint64_t Count) {
  auto K = std::make_unique<Kernel>();
  K->Function = Call.getFunction()->getName().str();
  ScalarType Ty = getInteger(Size);
  auto AddBuffer = [&](StringRef Name, Value *Bound) {
    Buffer B;
    B.Name = Name.str();
    B.Ty = Ty;
    B.Bound = Bound;
    K->Buffers.push_back(std::move(B));
  };
  AddBuffer("to", Call.getRawDest());
  Axis A;
  A.Name = "i";
  A.R = Role::Parallel;
  A.Extents = {Poly(static_cast<int64_t>(Count))};
  A.Loc = Call.getDebugLoc();
  K->Axes.push_back(std::move(A));
  Poly Index = Poly::atom(K->getAxisAtom(0));
  auto Leaf = std::make_unique<Node>();
  Leaf->K = Node::LeafNode;
  Leaf->L.Loc = Call.getDebugLoc();
  Op O;
  O.Ty = Ty;
  if (auto *Copy = dyn_cast<MemTransferInst>(&Call)) {
    AddBuffer("from", Copy->getRawSource());
    O.K = Op::Load;
    O.Acc = getNeighbours(1, Index);
  } else {
    const APInt &Byte =
        cast<ConstantInt>(cast<MemSetInst>(Call).getValue())->getValue();
    O.Bits = APInt::getSplat(8 * Size, Byte).getZExtValue();
  }
  Leaf->L.Ops.push_back(std::move(O));
  Leaf->L.Assigns.push_back({getNeighbours(0, Index), 0});
  auto Loop = std::make_unique<Node>();
  Loop->K = Node::AxisNode;
  Loop->Children.push_back(std::move(Leaf));
  K->Root.Children.push_back(std::move(Loop));
  return K;
}

/// False: the element type may become known with that of another array.
bool CopyFinder::add(MemIntrinsic &Call) {
  auto *Length = dyn_cast<ConstantInt>(Call.getLength());
  auto *Fill = dyn_cast<MemSetInst>(&Call);
  auto *Copy = dyn_cast<MemTransferInst>(&Call);
  if (Call.isVolatile() || !Length || Length->isZero() ||
      Length->getValue().getActiveBits() > 62 ||
      (Fill && !isa<ConstantInt>(Fill->getValue())) ||
      InNests.contains(Call.getParent()))
    return true;
  ObjectPlace To = MB.Calls->getPlace(Call.getRawDest()), From;
  if (Copy)
    From = MB.Calls->getPlace(Copy->getRawSource());
  uint64_t Bytes = Length->getZExtValue();
  if (To.Object == From.Object &&
      static_cast<uint64_t>(std::abs(To.Bytes - From.Bytes)) < Bytes)
    return true;
  unsigned Size = getSize(To);
  if (Copy && !Size)
    Size = getSize(From);
  if (!Size)
    return false;
  if (Bytes % Size)
    return true;
  Sizes[To.Object].insert({To.Bytes, Size});
  if (Copy)
    Sizes[From.Object].insert({From.Bytes, Size});
  ModuleKernel MK;
  MK.F = Call.getFunction();
  MK.Call = &Call;
  MK.RK.K = makeKernel(Call, Size, Bytes / Size);
  MB.Kernels.push_back(std::move(MK));
  return true;
}

void CopyFinder::run(ArrayRef<Function *> Fs) {
  SmallVector<MemIntrinsic *, 16> Left;
  for (Function *F : Fs)
    for (Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<MemIntrinsic>(&I))
        Left.push_back(Call);
  for (size_t Before = Left.size() + 1; Left.size() != Before;) {
    Before = Left.size();
    erase_if(Left, [&](MemIntrinsic *Call) { return add(*Call); });
  }
}

void dlopt::addCopies(ModuleBuffers &MB, ArrayRef<Function *> Fs) {
  CopyFinder(MB).run(Fs);
}

bool dlopt::isSameCopy(const ModuleKernel &MK, unsigned Index,
                       ArrayRef<Tensor> Tensors) {
  bool IsFill = isa<MemSetInst>(MK.Call);
  if (IsFill ? DLOPT_PLANTED(PartialFillKept) : DLOPT_PLANTED(CopyKept))
    return true;
  auto Count = static_cast<int64_t>(*getRounds(*MK.RK.K, 0));
  // Of what is written to and of what is read.
  std::optional<ChannelMap> Maps[2];
  for (const Tensor &T : Tensors)
    for (const auto &U : T.Uses) {
      if (!T.Map || U.Kernel != Index)
        continue;
      int64_t Block = T.Map->getBlock();
      if (U.First % Block || Count % Block)
        return false;
      Maps[U.Id] = T.Map;
    }
  return IsFill || Maps[0] == Maps[1];
}

void dlopt::replaceCopy(ModuleKernel &MK) {
  IRBuilder<> B(MK.Call);
  lowerScalar(B, *MK.RK.K);
  MK.Call->eraseFromParent();
  MK.Call = nullptr;
}
