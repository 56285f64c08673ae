//===- Tensors.cpp - What buffers hold, and in which order ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   for (..) u.a[c][i][j] = ...;         // tensor 0: 64 x 56 x 56
///   for (..) v[c][i][j] = f(u.a[c][i][j]);
///   for (..) u.b[c][i][j] = ...;         // tensor 1: 128 x 28 x 28
///
/// One buffer may hold one tensor after the other, each in an order of its own,
/// if each is written as a whole before it is read, and nothing reads of one
/// what another one's loops have written.
///
//===----------------------------------------------------------------------===//
#include "Tensors.h"
#include "AxisOrder.h"
#include "KnownCalls.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Visits the accesses to \p Id below \p N; stops when \p Visit says no.
static bool
visitAccesses(Node &N, BufferId Id, SmallVectorImpl<AxisId> &Around,
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

static bool
visitAccesses(Kernel &K, BufferId Id,
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
// Writes of all elements
//===----------------------------------------------------------------------===//

/// The elements from 0 on that \p Offset is, each once, if that has no gaps.
static std::optional<uint64_t> countDense(const Kernel &K, const Poly &Offset,
                                          ArrayRef<AxisId> Around) {
  SmallVector<std::pair<int64_t, uint64_t>, 6> Dims;
  if (Offset.getConstantTerm() != 0)
    return std::nullopt;
  for (AxisId A : Around) {
    std::optional<uint64_t> Rounds = getRounds(K, A);
    std::optional<Poly> Stride = getStride(K, Offset, A);
    std::optional<int64_t> Step = Stride ? Stride->getConstant() : std::nullopt;
    if (!Rounds || *Rounds == 0 || !Step || *Step < 0 ||
        (*Step == 0 && *Rounds != 1))
      return std::nullopt;
    if (*Step)
      Dims.push_back({*Step, *Rounds});
  }
  // No other atoms.
  if (Offset.terms().size() != Dims.size())
    return std::nullopt;
  sort(Dims);
  uint64_t Count = 1;
  for (auto [Step, Rounds] : Dims) {
    if (uint64_t(Step) != Count)
      return std::nullopt;
    Count *= Rounds;
  }
  return Count;
}

namespace {

/// The first statement of a kernel that uses a buffer.
struct FirstWrite {
  const Node *Parent = nullptr;
  const Leaf *L = nullptr;
  Poly Offset;
  SmallVector<AxisId, 6> Around;
};

} // namespace

static bool findFirstUse(const Kernel &K, const Node &N, BufferId Id,
                         SmallVectorImpl<AxisId> &Around, FirstWrite &W) {
  if (N.K == Node::AxisNode)
    Around.push_back(N.Ax);
  for (const auto &C : N.Children) {
    bool Found = false;
    if (C->K == Node::LeafNode && (reads(C->L, Id) || assigns(C->L, Id))) {
      W.Parent = &N;
      W.L = &C->L;
      W.Around.assign(Around.begin(), Around.end());
      Found = true;
    }
    if (Found || findFirstUse(K, *C, Id, Around, W))
      return true;
  }
  if (N.K == Node::AxisNode)
    Around.pop_back();
  return false;
}

/// The elements, from 0 on, that the kernel writes before it reads any of them;
/// all that it uses of the buffer are these.
static std::optional<uint64_t> countWritten(Kernel &K, BufferId Id) {
  FirstWrite W;
  SmallVector<AxisId, 6> Around;
  if (!findFirstUse(K, K.Root, Id, Around, W))
    return std::nullopt;
  if (reads(*W.L, Id) || !W.L->Domain.empty() || W.L->Predicate ||
      W.L->Assigns.size() != 1)
    return std::nullopt;
  Poly Offset = W.L->Assigns.front().Target.offset();
  std::optional<uint64_t> Count = countDense(K, Offset, W.Around);
  // The others use the element of the same iteration, behind.
  size_t Here = 0, All = 0;
  bool Same = true;
  auto Visit = [&](size_t &Uses) {
    return [&](Leaf &, ArrayRef<AxisId>, Access &X) {
      ++Uses;
      Same &= X.offset() == Offset;
      return true;
    };
  };
  visitAccesses(K, Id, Visit(All));
  visitAccesses(*const_cast<Node *>(W.Parent), Id, Around, Visit(Here));
  return Same && Here == All ? Count : std::nullopt;
}

//===----------------------------------------------------------------------===//
// One tensor after the other
//===----------------------------------------------------------------------===//

namespace {

/// A kernel as one function sees it: itself, or the call that leads to it.
struct SeenKernel {
  const Instruction *At = nullptr;
  /// The call does not return without it.
  bool IsCertain = true;
};

/// Splits the uses of one buffer, all of them kernels of one function or of
/// what that one calls.
class TensorSplitter {
public:
  TensorSplitter(ModuleBuffers &MB, const ModuleBuffer &B,
                 FunctionAnalysisManager &FAM)
      : MB(MB), B(B), FAM(FAM) {}
  /// Empty: it is one.
  std::vector<Tensor> run();

private:
  const Instruction *getPlace(const ModuleBuffer::KernelUse &U) const {
    return Places.find(U.Kernel)->second.At;
  }
  SmallVector<SeenKernel, 4> getChain(unsigned Kernel) const;
  const Function *findRoot();
  bool findStarts(DominatorTree &DT);
  bool staysInside(const Tensor &T) const;
  bool isReached(const Instruction *From, const Instruction *To,
                 const Instruction *Without) const;

  ModuleBuffers &MB;
  const ModuleBuffer &B;
  FunctionAnalysisManager &FAM;
  /// By kernel, in one function.
  SmallDenseMap<unsigned, SeenKernel, 8> Places;
  std::vector<Tensor> Result;
};

} // namespace

/// The kernel as its function sees it, then as the one does that has the only
/// call of that, and so on.
SmallVector<SeenKernel, 4> TensorSplitter::getChain(unsigned Kernel) const {
  SmallVector<SeenKernel, 4> Chain = {{MB.Kernels[Kernel].getPlace()}};
  while (true) {
    SeenKernel Seen = Chain.back();
    Function &F = *const_cast<Function *>(Seen.At->getFunction());
    ArrayRef<CallBase *> Calls = MB.Calls->getCalls(F);
    if (Calls.size() != 1)
      return Chain;
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    Seen.IsCertain &= all_of(F, [&](const BasicBlock &BB) {
      return !isa<ReturnInst>(BB.getTerminator()) ||
             DT.dominates(Seen.At->getParent(), &BB);
    });
    Seen.At = Calls.front();
    Chain.push_back(Seen);
  }
}

/// The function that sees all uses, each in a place of its own.
const Function *TensorSplitter::findRoot() {
  SmallVector<SmallVector<SeenKernel, 4>, 8> Chains;
  for (const auto &U : B.Kernels)
    Chains.push_back(getChain(U.Kernel));
  for (const SeenKernel &Try : Chains.front()) {
    const Function *Root = Try.At->getFunction();
    SmallPtrSet<const Instruction *, 8> Taken;
    for (auto [U, Chain] : zip(B.Kernels, Chains)) {
      const auto *Seen = find_if(Chain, [&](const SeenKernel &S) {
        return S.At->getFunction() == Root;
      });
      // Two views of it in one kernel or call have no order.
      if (Seen == Chain.end() || !Taken.insert(Seen->At).second)
        break;
      Places[U.Kernel] = *Seen;
    }
    if (Taken.size() == B.Kernels.size())
      return Root;
  }
  return nullptr;
}

/// Whether \p To can be reached from behind \p From, not through \p Without.
bool TensorSplitter::isReached(const Instruction *From, const Instruction *To,
                               const Instruction *Without) const {
  SmallVector<const BasicBlock *, 32> Todo;
  SmallPtrSet<const BasicBlock *, 32> Seen;
  // Whether that is so in one block, from \p I on.
  auto Visit = [&](BasicBlock::const_iterator I, const BasicBlock *BB) {
    for (; I != BB->end(); ++I) {
      if (&*I == Without)
        return false;
      if (&*I == To)
        return true;
    }
    append_range(Todo, successors(BB));
    return false;
  };
  if (Visit(std::next(From->getIterator()), From->getParent()))
    return true;
  while (!Todo.empty()) {
    const BasicBlock *BB = Todo.pop_back_val();
    if (Seen.insert(BB).second && Visit(BB->begin(), BB))
      return true;
  }
  return false;
}

/// Gives each use to the nearest write of a whole tensor in front of it.
bool TensorSplitter::findStarts(DominatorTree &DT) {
  SmallVector<ModuleBuffer::KernelUse, 4> Others;
  for (const auto &U : B.Kernels) {
    std::optional<uint64_t> Count =
        countWritten(*MB.Kernels[U.Kernel].RK.K, U.Id);
    if (!Count || !Places[U.Kernel].IsCertain || U.First ||
        *Count > B.Elements) {
      Others.push_back(U);
      continue;
    }
    Tensor T;
    T.B = &B;
    T.Uses.push_back(U);
    T.Elements = *Count;
    Result.push_back(std::move(T));
  }
  for (const auto &U : Others) {
    Tensor *Nearest = nullptr;
    for (Tensor &T : Result)
      if (DT.dominates(getPlace(T.Uses.front()), getPlace(U)) &&
          (!Nearest || DT.dominates(getPlace(Nearest->Uses.front()),
                                    getPlace(T.Uses.front()))))
        Nearest = &T;
    if (!Nearest)
      return false;
    Nearest->Uses.push_back(U);
  }
  return Result.size() > 1;
}

/// Whether no use of \p T goes beyond its elements.
bool TensorSplitter::staysInside(const Tensor &T) const {
  return all_of(T.Uses, [&](const ModuleBuffer::KernelUse &U) {
    Kernel &K = *MB.Kernels[U.Kernel].RK.K;
    return visitAccesses(
        K, U.Id, [&](Leaf &L, ArrayRef<AxisId> Around, Access &X) {
          return isInside(K, Around, L, X, U.First, T.Elements);
        });
  });
}

std::vector<Tensor> TensorSplitter::run() {
  if (!B.Accesses.empty() || !B.Fills.empty())
    return {};
  const Function *F = findRoot();
  if (!F || !MB.Calls->isAlone(*F, *F, FAM))
    return {};
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(*const_cast<Function *>(F));
  if (!findStarts(DT))
    return {};
  for (const Tensor &T : Result) {
    if (!staysInside(T))
      return {};
    const Instruction *Start = getPlace(T.Uses.front());
    for (const Tensor &Other : Result) {
      if (&Other == &T)
        continue;
      for (const auto &X : Other.Uses)
        for (const auto &U : ArrayRef(T.Uses).drop_front())
          if (isReached(getPlace(X), getPlace(U), Start))
            return {};
    }
  }
  return std::move(Result);
}

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
      Split = TensorSplitter(MB, B, FAM).run();
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
