//===- Groups.cpp - Names of what loops compute together ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops that follow each other are kernels of their own. Here they are put
/// into one kernel, with the scalar code between and behind them, to see
/// whether that has a name: a mean is a sum and a division behind the loop, a
/// softmax three loops.
///
//===----------------------------------------------------------------------===//
#include "Joiner.h"
#include "Programs.h"
#include "dlopt/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace dlopt;

namespace {

class GroupFinder {
public:
  GroupFinder(ArrayRef<RaisedKernel> Kernels, ArrayRef<std::string> Own);
  std::vector<KernelGroup> run();

private:
  struct Walk {
    std::optional<size_t> Next; ///< the kernel that the code leads to
    SmallVector<Instruction *, 16> Code;
  };
  Walk walkFrom(const RaisedKernel &RK) const;
  std::optional<KernelGroup> findFrom(size_t First);
  std::string findName(ArrayRef<size_t> Run);
  std::string findScalar(ArrayRef<size_t> Run);
  std::string nameScalar(ArrayRef<size_t> Run, Instruction &I);
  bool join(Joiner &J, ArrayRef<size_t> Run) const;

  ArrayRef<RaisedKernel> Kernels;
  ArrayRef<std::string> Own; ///< names
  DenseMap<const BasicBlock *, size_t> ByPreheader;
  std::vector<Walk> Walks;
  std::vector<bool> IsNamed;
  /// What is looked at of one function at most.
  unsigned TrialsLeft = 60;
};

} // namespace

GroupFinder::GroupFinder(ArrayRef<RaisedKernel> Kernels,
                         ArrayRef<std::string> Own)
    : Kernels(Kernels), Own(Own) {
  for (auto [I, RK] : enumerate(Kernels))
    ByPreheader[RK.Preheader] = I;
  for (const RaisedKernel &RK : Kernels)
    Walks.push_back(walkFrom(RK));
  IsNamed.resize(Kernels.size());
}

/// Whether \p I changes nothing that kernels behind it might read.
static bool isPlain(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->mayWriteToMemory() || isa<IntrinsicInst>(I))
    return true;
  const Function *Callee = Call->getCalledFunction();
  return Callee && isModelLibFunction(Callee->getName());
}

GroupFinder::Walk GroupFinder::walkFrom(const RaisedKernel &RK) const {
  constexpr unsigned MaxBlocks = 8, MaxInstructions = 200;
  Walk W;
  BasicBlock *BB = RK.Exit;
  for (unsigned I = 0; I != MaxBlocks; ++I) {
    for (Instruction &In : *BB) {
      if (!isPlain(In) || W.Code.size() == MaxInstructions)
        return W;
      W.Code.push_back(&In);
    }
    if (auto At = ByPreheader.find(BB); At != ByPreheader.end()) {
      W.Next = At->second;
      return W;
    }
    // A loop may run under a condition.
    BasicBlock *Next = BB->getUniqueSuccessor();
    if (!Next)
      for (BasicBlock *To : successors(BB))
        if (ByPreheader.contains(To))
          Next = To;
    if (!Next || Next->getUniquePredecessor() != BB)
      return W;
    BB = Next;
  }
  return W;
}

bool GroupFinder::join(Joiner &J, ArrayRef<size_t> Run) const {
  return all_of(Run, [&](size_t I) { return J.append(Kernels[I]); });
}

/// What the last of \p Run stores, if all the others have to do with it.
std::string GroupFinder::findName(ArrayRef<size_t> Run) {
  if (!TrialsLeft)
    return "";
  Kernel Joined;
  Joiner J(Joined);
  if (!join(J, Run) || (Run.size() == 1 && !J.hasComputed()))
    return "";
  ResultsToName Which;
  if (J.isChain())
    Which.LastChildren = J.countLast();
  else if (J.storesInOneArray())
    Which.ArePieces = true;
  else
    return "";
  --TrialsLeft;
  return findProgram(Joined, Which);
}

std::string GroupFinder::nameScalar(ArrayRef<size_t> Run, Instruction &I) {
  Kernel Joined;
  Joiner J(Joined);
  if (!join(J, Run) || !J.isComputed(&I))
    return "";
  std::optional<BufferId> Local = J.compute(&I);
  if (!Local || !J.isChain())
    return "";
  --TrialsLeft;
  ResultsToName Which;
  Which.Scalar = Local;
  return findProgram(Joined, Which);
}

/// Whether \p K stores what it computes, beside scalars.
static bool storesInMemory(const Kernel &K) {
  bool Stores = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Stores |= any_of(L.Assigns, [&](const Assign &To) {
      return !K.Buffers[To.Target.Buf].IsLocal;
    });
  });
  return Stores;
}

/// What the code behind \p Run computes of sums and the like.
std::string GroupFinder::findScalar(ArrayRef<size_t> Run) {
  constexpr unsigned MaxValues = 4;
  Kernel Joined;
  Joiner J(Joined);
  if (!join(J, Run))
    return "";
  unsigned Seen = 0;
  for (Instruction *I : reverse(Walks[Run.back()].Code)) {
    bool IsValue = !isa<PHINode, CmpInst>(I) && getScalarType(I->getType()) &&
                   J.isComputed(I);
    if (!IsValue || !TrialsLeft || Seen++ == MaxValues)
      continue;
    std::string Name = nameScalar(Run, *I);
    // A sum says nothing of a loop that does something else, too.
    bool IsBeside = Run.size() == 1 && StringRef(Name).starts_with("sum ") &&
                    storesInMemory(*Kernels[Run[0]].K);
    if (!Name.empty() && !IsBeside)
      return Name;
  }
  // The last loop's own result, of what others have computed.
  if (Run.size() > 1)
    for (PHINode &Phi : Kernels[Run.back()].Exit->phis())
      if (TrialsLeft)
        if (std::string Name = nameScalar(Run, Phi); !Name.empty())
          return Name;
  return "";
}

/// The longest run from \p First on that has a name.
std::optional<KernelGroup> GroupFinder::findFrom(size_t First) {
  constexpr size_t MaxRun = 6;
  SmallVector<size_t, 6> Run = {First};
  while (Run.size() < MaxRun && Walks[Run.back()].Next &&
         !is_contained(Run, *Walks[Run.back()].Next) &&
         !IsNamed[*Walks[Run.back()].Next])
    Run.push_back(*Walks[Run.back()].Next);
  for (; !Run.empty(); Run.pop_back()) {
    std::string Name = findScalar(Run);
    if (Name.empty())
      Name = findName(Run);
    // What one of them does by itself says no more of all.
    bool IsOwn =
        Run.size() > 1 && any_of(Run, [&](size_t I) { return Own[I] == Name; });
    if (!Name.empty() && !IsOwn)
      return KernelGroup{{Run.begin(), Run.end()}, std::move(Name)};
  }
  return std::nullopt;
}

std::vector<KernelGroup> GroupFinder::run() {
  std::vector<KernelGroup> Groups;
  for (size_t I = 0; I != Kernels.size(); ++I) {
    if (IsNamed[I])
      continue;
    std::optional<KernelGroup> Group = findFrom(I);
    if (!Group)
      continue;
    for (size_t Member : Group->Members)
      IsNamed[Member] = true;
    Groups.push_back(std::move(*Group));
  }
  return Groups;
}

std::vector<KernelGroup> dlopt::nameGroups(ArrayRef<RaisedKernel> Kernels,
                                           ArrayRef<std::string> Own) {
  return GroupFinder(Kernels, Own).run();
}
