//===- Skeleton.cpp - Control flow of a nest ------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Skeleton.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace dlopt;

bool Skeleton::checkShape() {
  for (Loop *L : S.Nest.getLoopsInPreorder())
    if (!checkLoop(*L))
      return false;
  // Other cycles than loops would be laid out as if they ran once.
  LoopBlocksRPO Order(&S.Nest);
  Order.perform(&S.Ctx.LI);
  if (!DLOPT_PLANTED(IrreducibleRaised) &&
      containsIrreducibleCFG<const BasicBlock *>(Order, S.Ctx.LI))
    return S.fail(Reason::UnusualControlFlow,
                  S.Nest.getHeader()->getTerminator());
  return true;
}

/// Where \p From leaves \p L to; null if it does not.
static BasicBlock *getExitOf(const Loop &L, const BasicBlock *From) {
  for (const BasicBlock *To : successors(From))
    if (!L.contains(To))
      return const_cast<BasicBlock *>(To);
  return nullptr;
}

/// The block with the test of \p L: its header or its latch. Of both, the one
/// that does not lead to the end of the program.
static BasicBlock *findExiting(const Loop &L, const Loop &Nest) {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  auto IsTest = [&](const BasicBlock *BB) {
    return L.isLoopExiting(BB) && isa<CondBrInst>(BB->getTerminator()) &&
           (&L == &Nest || L.getParentLoop()->contains(getExitOf(L, BB)));
  };
  if (!IsTest(Header) || !IsTest(Latch))
    return IsTest(Header) ? Header : IsTest(Latch) ? Latch : nullptr;
  return isa<UnreachableInst>(getExitOf(L, Header)->getTerminator()) ? Latch
                                                                     : Header;
}

/// Exits beside that in \p Exiting leave the whole nest.
bool Skeleton::checkSideExits(Loop &L, const BasicBlock *Exiting) {
  SmallVector<BasicBlock *, 4> AllExiting;
  L.getExitingBlocks(AllExiting);
  for (BasicBlock *BB : AllExiting) {
    if (BB == Exiting || DLOPT_PLANTED(EarlyExitIgnored))
      continue;
    auto *Br = dyn_cast<CondBrInst>(BB->getTerminator());
    if (!Br || S.Nest.contains(getExitOf(L, BB)) ||
        none_of(successors(BB), [&](BasicBlock *To) { return L.contains(To); }))
      return S.fail(Reason::MultipleExits, BB->getTerminator());
    SideExits.insert(Br);
  }
  return true;
}

bool Skeleton::checkLoop(Loop &L) {
  const Instruction *At = L.getHeader()->getTerminator();
  if (!L.isLoopSimplifyForm())
    return S.fail(Reason::NotRotatable, At);
  if (L.hasNoExitBlocks())
    return S.fail(Reason::MayBeInfinite, At);
  BasicBlock *Exiting = findExiting(L, S.Nest);
  if (!Exiting) {
    SmallVector<BasicBlock *, 4> AllExiting;
    L.getExitingBlocks(AllExiting);
    return S.fail(Reason::MultipleExits, AllExiting.back()->getTerminator());
  }
  BasicBlock *Exit = getExitOf(L, Exiting);
  if (!checkSideExits(L, Exiting))
    return false;
  LoopControl C;
  C.Preheader = L.getLoopPreheader();
  C.Header = L.getHeader();
  C.Latch = L.getLoopLatch();
  C.Exiting = Exiting;
  C.ExitBlock = Exit;
  auto *Br = cast<CondBrInst>(Exiting->getTerminator());
  if (Exit->getUniquePredecessor() != Exiting &&
      !DLOPT_PLANTED(EarlyExitIgnored))
    return S.fail(Reason::MultipleExits, Br);
  if (Exiting == C.Latch) {
    C.Exit = ExitKind::Latch;
    C.BodyEntry = C.Header;
  } else {
    C.Exit = ExitKind::Header;
    C.BodyEntry = Br->getSuccessor(Br->getSuccessor(0) == Exit ? 1 : 0);
    // What the header does it does once more than the body.
    for (const Instruction &I : *C.Header)
      if (isa<StoreInst, MemIntrinsic>(I) ||
          (isa<CallBase>(I) && isMathCall(S, cast<CallBase>(I)) &&
           I.mayWriteToMemory()))
        return S.fail(Reason::MultipleExits, &I);
  }
  Axis A;
  A.L = &L;
  A.Loc = getUserLoc(L.getStartLoc());
  C.Ax = static_cast<AxisId>(S.K.Axes.size());
  S.K.Axes.push_back(std::move(A));
  S.Controls[&L] = C;
  return true;
}

Loop *Skeleton::getChildLoop(const Loop &L, const BasicBlock *BB) const {
  Loop *X = S.Ctx.LI.getLoopFor(BB);
  if (!X || X == &L || !L.contains(X))
    return nullptr;
  while (X->getParentLoop() != &L)
    X = X->getParentLoop();
  return X;
}

void Skeleton::orderBlocks(Loop &L, BasicBlock *BB,
                           DenseMap<BasicBlock *, bool> &Seen,
                           SmallVectorImpl<BasicBlock *> &PostOrder) {
  // Iterative, for functions with many blocks.
  SmallVector<std::pair<BasicBlock *, unsigned>, 16> Stack;
  auto Successors = [&](BasicBlock *B) {
    SmallVector<BasicBlock *, 2> Out;
    if (Loop *Child = getChildLoop(L, B))
      Out.push_back(S.Controls[Child].ExitBlock);
    else
      Out.append(succ_begin(B), succ_end(B));
    return Out;
  };
  Seen[BB] = true;
  Stack.push_back({BB, 0});
  while (!Stack.empty()) {
    auto &[Top, I] = Stack.back();
    SmallVector<BasicBlock *, 2> Succs = Successors(Top);
    if (I == Succs.size()) {
      PostOrder.push_back(Top);
      Stack.pop_back();
      continue;
    }
    BasicBlock *Succ = Succs[I++];
    if (L.contains(Succ) && Succ != L.getHeader() &&
        Seen.try_emplace(Succ, true).second)
      Stack.push_back({Succ, 0});
  }
}

bool Skeleton::layOut() {
  layOut(S.Nest);
  return true;
}

void Skeleton::layOut(Loop &L) {
  S.Controls[&L].Begin = Next++;
  DenseMap<BasicBlock *, bool> Seen;
  SmallVector<BasicBlock *, 16> PostOrder;
  orderBlocks(L, L.getHeader(), Seen, PostOrder);
  for (BasicBlock *BB : reverse(PostOrder)) {
    if (Loop *Child = getChildLoop(L, BB)) {
      layOut(*Child);
      continue;
    }
    BlockGuards[BB] = computeGuard(L, BB);
    for (Instruction &I : *BB)
      Positions[&I] = Next++;
  }
  S.Controls[&L].End = Next++;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

GuardId Skeleton::add(Guard G) {
  Guards.push_back(G);
  return static_cast<GuardId>(Guards.size() - 1);
}

GuardId Skeleton::getAnd(GuardId A, GuardId B) {
  if (!A)
    return B;
  if (!B)
    return A;
  Guard G;
  G.K = Guard::And;
  G.A = A;
  G.B = B;
  return add(G);
}

GuardId Skeleton::getEdgeGuard(BasicBlock *From, const BasicBlock *To) {
  GuardId G = getGuard(From);
  auto *Br = dyn_cast<CondBrInst>(From->getTerminator());
  if (!Br || Br->getSuccessor(0) == Br->getSuccessor(1))
    return G;
  // The test of a loop is what its axis stands for.
  const Loop *L = S.Ctx.LI.getLoopFor(From);
  for (BasicBlock *Succ : successors(From))
    if (!L->contains(Succ))
      return G;
  Guard Lit;
  Lit.K = Guard::Literal;
  Lit.Cond = Br->getCondition();
  Lit.Negated = Br->getSuccessor(0) != To;
  Lit.Block = From;
  return getAnd(G, add(Lit));
}

GuardId Skeleton::computeGuard(Loop &L, BasicBlock *BB) {
  const LoopControl &C = S.Controls[&L];
  if (BB == C.Header || BB == C.BodyEntry)
    return 0;
  auto Outside = [&](BasicBlock *B) {
    Loop *Child = getChildLoop(L, B);
    return Child ? S.Controls[Child].Preheader : B;
  };
  BasicBlock *Dom = S.Ctx.DT.getNode(BB)->getIDom()->getBlock();
  if (S.Ctx.PDT.dominates(BB, Dom))
    return getGuard(Outside(Dom));
  GuardId Any = 0;
  bool First = true;
  for (BasicBlock *Pred : predecessors(BB)) {
    Loop *Child = getChildLoop(L, Pred);
    GuardId Edge =
        Child ? getGuard(S.Controls[Child].Preheader) : getEdgeGuard(Pred, BB);
    if (First) {
      Any = Edge;
      First = false;
      continue;
    }
    if (!Any || !Edge) {
      Any = 0;
      continue;
    }
    Guard G;
    G.K = Guard::Or;
    G.A = Any;
    G.B = Edge;
    Any = add(G);
  }
  return Any;
}

void Skeleton::collectConjuncts(GuardId G, const Loop *L,
                                SmallVectorImpl<GuardId> &Out) const {
  SmallVector<GuardId, 8> Work{G};
  for (const Loop *X = L; X && X != &S.Nest; X = X->getParentLoop())
    Work.push_back(getGuard(S.Controls.find(X)->second.Preheader));
  while (!Work.empty()) {
    GuardId Id = Work.pop_back_val();
    const Guard &X = Guards[Id];
    if (X.K == Guard::And) {
      // What was tested first comes first: it may guard what is read next.
      Work.push_back(X.B);
      Work.push_back(X.A);
    } else if (X.K != Guard::True && !is_contained(Out, Id)) {
      Out.push_back(Id);
    }
  }
}
