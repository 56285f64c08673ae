//===- TensorSplitter.cpp - One tensor after the other --------------------===//
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
#include "KnownCalls.h"
#include "Tensors.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

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

std::vector<Tensor> dlopt::splitTensors(ModuleBuffers &MB,
                                        const ModuleBuffer &B,
                                        FunctionAnalysisManager &FAM) {
  return TensorSplitter(MB, B, FAM).run();
}
