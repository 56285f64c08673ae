//===- Tensors.cpp - What buffers hold, and in which order ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tensors.h"
#include "AxisOrder.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool dlopt::visitAccesses(
    Node &N, BufferId Id, SmallVectorImpl<AxisId> &Around,
    function_ref<bool(Leaf &, ArrayRef<AxisId>, Access &)> Visit) {
  if (N.K == Node::AxisNode)
    Around.push_back(N.Ax);
  bool Ok = true;
  for (Op &O : N.L.Ops)
    if (O.K == Op::Load && O.Acc.Buf == Id)
      Ok = Ok && Visit(N.L, Around, O.Acc);
  for (Assign &To : N.L.Assigns)
    if (To.Target.Buf == Id)
      Ok = Ok && Visit(N.L, Around, To.Target);
  for (auto &C : N.Children)
    Ok = Ok && visitAccesses(*C, Id, Around, Visit);
  if (N.K == Node::AxisNode)
    Around.pop_back();
  return Ok;
}

bool dlopt::visitAccesses(
    Kernel &K, BufferId Id,
    function_ref<bool(Leaf &, ArrayRef<AxisId>, Access &)> Visit) {
  SmallVector<AxisId, 8> Around;
  return visitAccesses(K.Root, Id, Around, Visit);
}

/// The rounds of a loop with this \p Step that one plane of \p M has, or one
/// block of channels; 0: it has nothing to do with them.
static uint64_t getRoundsInside(const ChannelMap &M, int64_t Step) {
  for (int64_t Size : {M.Pixels, M.getBlock()})
    if (Step > 0 && Step < Size)
      return Size % Step ? 0 : Size / Step;
  return 0;
}

/// Makes two of each loop over more than one plane of \p M, or over more than
/// one block. Returns whether there are such.
static bool splitFlatLoops(Kernel &K, BufferId Id, const ChannelMap &M) {
  SmallVector<std::pair<AxisId, uint64_t>, 2> Flat;
  visitAccesses(K, Id, [&](Leaf &, ArrayRef<AxisId> Around, Access &X) {
    Poly Offset = X.offset();
    for (AxisId A : Around) {
      std::optional<Poly> Stride = getStride(K, Offset, A);
      int64_t Step = Stride ? Stride->getConstant().value_or(0) : 0;
      uint64_t Count = getRoundsInside(M, Step);
      if (Count && getRounds(K, A).value_or(0) > Count)
        Flat.push_back({A, Count});
    }
    return true;
  });
  size_t Before = K.Axes.size();
  for (auto [A, Count] : Flat)
    splitAxis(K, A, Count);
  return K.Axes.size() != Before;
}

bool dlopt::mapKernel(Kernel &K, unsigned Index, ArrayRef<Tensor> Tensors) {
  bool IsFirst = true;
  for (const Tensor &T : Tensors)
    for (const auto &U : T.Uses) {
      if (!T.Map || U.Kernel != Index)
        continue;
      if (DLOPT_PLANTED(OneUseKept) && IsFirst) {
        IsFirst = false;
        continue;
      }
      // What goes over planes may go over more than one block of them.
      while (splitFlatLoops(K, U.Id, *T.Map))
        ;
      bool Ok = visitAccesses(
          K, U.Id, [&](Leaf &L, ArrayRef<AxisId> Around, Access &X) {
            std::optional<Access> New =
                mapAccess(K, Around, L, X, U.First, T.Elements, *T.Map);
            if (!New)
              return false;
            // The base is that of the buffer less the part in front.
            if (U.First) {
              New->Subs.push_back(Poly(-U.First));
              New->Strides.push_back(Poly(1));
            }
            X = *New;
            return true;
          });
      if (!Ok)
        return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Orders that all uses can be written in
//===----------------------------------------------------------------------===//

/// Visits all accesses to \p T.
static void
visitUses(ModuleBuffers &MB, const Tensor &T,
          function_ref<void(const Kernel &, ArrayRef<AxisId>, const Access &)>
              Visit) {
  for (const auto &U : T.Uses) {
    Kernel &K = *MB.Kernels[U.Kernel].RK.K;
    visitAccesses(K, U.Id, [&](Leaf &, ArrayRef<AxisId> Around, Access &X) {
      Visit(K, Around, X);
      return true;
    });
  }
}

/// The elements of \p T in one vector of all functions that use it.
static int64_t getLanes(const Tensor &T, ArrayRef<VectorUnit> Units) {
  unsigned Bits = UINT_MAX;
  for (const auto &U : T.Uses)
    Bits = std::min(Bits, Units[U.Kernel].Bits);
  return Bits / (8 * getSizeInBytes(T.B->Ty));
}

/// Leaves of \p All what \p Goal asks for. Windows are over pixels; where there
/// are none, anything may be the channels.
static void selectCandidates(ModuleBuffers &MB, Tensor &T,
                             SmallVectorImpl<ChannelMap> &All,
                             const OrderGoal &Goal) {
  auto HasWindow = [&](const ChannelMap &M, OffsetPart Part) {
    bool Any = false;
    visitUses(MB, T, [&](const Kernel &K, ArrayRef<AxisId> Around, auto &X) {
      Any |= hasWindow(K, Around, X, M, Part);
    });
    return Any;
  };
  bool ToFirst = Goal.To == LayoutParams::NCHW;
  T.IsFree = ToFirst && none_of(All, [&](const ChannelMap &M) {
               return HasWindow(M, OffsetPart::Channel);
             });
  erase_if(All, [&](const ChannelMap &M) {
    return ToFirst ? HasWindow(M, OffsetPart::Pixel) ||
                         HasWindow(M, OffsetPart::Block)
                   : HasWindow(M, OffsetPart::Channel);
  });
  if (All.empty())
    T.Why.R = Goal.To == LayoutParams::Auto ? Reason::BufferNoGain
                                            : Reason::BufferOrder;
  if (All.empty() || Goal.To != LayoutParams::Blocked)
    return;
  int64_t Lanes = getLanes(T, Goal.Units);
  erase_if(All, [&](const ChannelMap &M) {
    return Lanes < 2 || M.Channels % Lanes != 0;
  });
  for (ChannelMap &M : All)
    M.Channels = Lanes;
  if (All.empty())
    T.Why.R = Reason::BufferBlocks;
}

static void findCandidates(ModuleBuffers &MB, Tensor &T,
                           const OrderGoal &Goal) {
  SmallVector<ChannelMap, 4> All;
  visitUses(MB, T, [&](const Kernel &, ArrayRef<AxisId>, const Access &X) {
    for (const ChannelMap &M :
         getCandidates(X, T.Elements, Goal.To == LayoutParams::NCHW))
      if (!is_contained(All, M))
        All.push_back(M);
  });
  T.HasDimensions = !All.empty();
  if (!T.Why.ok())
    return;
  if (All.empty())
    T.Why.R = Reason::BufferShape;
  else
    selectCandidates(MB, T, All, Goal);
  for (const ChannelMap &M : All) {
    T.Map = M;
    bool Ok = all_of(T.Uses, [&](const ModuleBuffer::KernelUse &U) {
      Kernel Trial;
      copyKernel(*MB.Kernels[U.Kernel].RK.K, Trial);
      bool Maps = mapKernel(Trial, U.Kernel, T);
      if (!Maps && T.Why.ok())
        T.Why = {Reason::BufferOverrun, MB.Kernels[U.Kernel].getPlace(), ""};
      return Maps;
    });
    if (Ok)
      T.Candidates.push_back(M);
  }
  T.Map = std::nullopt;
  if (!T.Candidates.empty())
    T.Why = {};
}

std::vector<Tensor> dlopt::findTensors(ModuleBuffers &MB,
                                       FunctionAnalysisManager &FAM,
                                       const OrderGoal &Goal) {
  std::vector<Tensor> Tensors;
  for (const ModuleBuffer &B : MB.Buffers) {
    std::vector<Tensor> Split;
    if (B.Why.ok())
      Split = splitTensors(MB, B, FAM);
    if (Split.empty()) {
      Tensor T;
      T.B = &B;
      T.Uses = B.Kernels;
      T.Elements = B.Elements;
      T.IsAll = true;
      T.Why = B.Why;
      Split.push_back(std::move(T));
    }
    for (Tensor &T : Split) {
      findCandidates(MB, T, Goal);
      Tensors.push_back(std::move(T));
    }
  }
  return Tensors;
}
