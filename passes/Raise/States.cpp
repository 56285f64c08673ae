//===- States.cpp - Scalars that live in registers, as state --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "States.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Bounds the walks over expressions of one nest.
static constexpr unsigned MaxSteps = 100000;

bool dlopt::isCheap(const Instruction *I) {
  return isa<LoadInst>(I) || isa<CastInst>(I) || isa<PHINode>(I);
}

std::optional<States::Source> States::resolve(Value *V) {
  Source R;
  R.V = V;
  while (auto *P = dyn_cast<PHINode>(R.V)) {
    const Loop *L = S.loopOf(P);
    if (P->getNumIncomingValues() != 1) {
      if (!S.isInside(P))
        return R;
      const LoopControl &C = S.Controls.find(L)->second;
      bool IsHeader = C.Header == P->getParent();
      if (IsHeader && R.LeftFrom && C.Exit == ExitKind::Latch &&
          R.LeftFrom->contains(L)) {
        S.fail(Reason::LiveOut, P);
        return std::nullopt;
      }
      R.State = P;
      return R;
    }
    Value *In = P->getIncomingValue(0);
    const Loop *From = S.loopOf(In);
    R.V = In;
    if (!From || From->contains(P->getParent()))
      continue;
    if (!R.LeftFrom)
      R.LeftFrom = From;
    const LoopControl &C = S.Controls.find(From)->second;
    if (auto *Q = dyn_cast<PHINode>(In);
        Q && (Q->getParent() == C.Header || Q->getNumIncomingValues() == 1))
      continue;
    // Computed in the last round of a loop that is tested at its end: known
    // behind it if it is what a state gets at that point.
    if (C.Exit == ExitKind::Latch)
      for (PHINode &Q : C.Header->phis())
        if (Q.getIncomingValueForBlock(C.Latch) == In) {
          R.V = &Q;
          R.State = &Q;
          return R;
        }
    S.fail(Reason::LiveOut, dyn_cast<Instruction>(In));
    return std::nullopt;
  }
  return R;
}

std::optional<Poly> States::getIndex(Value *V, const Loop *Where) {
  if (!V->getType()->isIntegerTy() || V->getType()->isIntegerTy(1) ||
      !S.isInside(V))
    return std::nullopt;
  std::optional<Linear> R;
  size_t Needs = S.K.Needs.size();
  // What holds under needs alone is recomputed like any other value.
  if (!IB.tentatively([&] {
        R = IB.build(V, true, Where);
        return R && S.K.Needs.size() == Needs;
      }))
    return std::nullopt;
  if (S.K.anyNestedAtom(R->P, [](const Atom &A) { return A.K == Atom::Load; }))
    return std::nullopt;
  return R->P;
}

PHINode *States::leader(PHINode *P) const {
  for (auto It = Leaders.find(P); It != Leaders.end(); It = Leaders.find(P))
    P = It->second;
  return P;
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

bool States::addCopies(PHINode *P) {
  for (unsigned I = 0, E = P->getNumIncomingValues(); I != E; ++I) {
    BasicBlock *From = P->getIncomingBlock(I);
    Loop *L = S.Nest.contains(From) ? S.Ctx.LI.getLoopFor(From) : nullptr;
    auto It = find_if(Roots, [&](const Root &R) {
      return R.Block == From && !R.Copies.empty() &&
             R.Copies.front().first->getParent() == P->getParent();
    });
    if (It == Roots.end()) {
      Root R;
      R.Pos = L ? Sk.getPosition(From->getTerminator()) : 0;
      R.L = L;
      R.Block = From;
      R.G = L ? Sk.getEdgeGuard(From, P->getParent()) : 0;
      It = Roots.insert(Roots.end(), R);
    }
    It->Copies.push_back({P, P->getIncomingValue(I)});
  }
  return true;
}

bool States::collectRoots(bool WithKept) {
  Roots.clear();
  for (BasicBlock *BB : S.Nest.blocks())
    for (Instruction &I : *BB) {
      auto *St = dyn_cast<StoreInst>(&I);
      auto *Call = dyn_cast<MemIntrinsic>(&I);
      if (!St && !Call && !(WithKept && Kept.contains(&I)))
        continue;
      Root R;
      R.Pos = Sk.getPosition(&I);
      R.L = S.Ctx.LI.getLoopFor(BB);
      R.Block = BB;
      R.G = Sk.getGuard(BB);
      R.Store = St;
      R.Call = Call;
      R.Kept = St || Call ? nullptr : &I;
      Roots.push_back(std::move(R));
    }
  for (PHINode *P : Needed)
    if (!addCopies(P))
      return false;
  for (auto [I, R] : enumerate(Roots))
    R.Order = static_cast<unsigned>(I);
  llvm::sort(Roots, [](const Root &A, const Root &B) {
    return std::tie(A.Pos, A.Order) < std::tie(B.Pos, B.Order);
  });
  return true;
}

bool States::walk(Value *V, const Root &R, unsigned RootId, unsigned UserPos,
                  const Loop *UserLoop, PHINode *CopiedTo, Visit &Out) {
  if (!S.isInside(V))
    return true;
  if (++Steps > MaxSteps)
    return S.fail(Reason::OverBudget);
  if (getIndex(V, UserLoop))
    return true;
  std::optional<Source> Src = resolve(V);
  if (!Src)
    return false;
  if (PHINode *P = Src->State) {
    Out.States.insert(P);
    unsigned From = Src->LeftFrom ? S.Controls.find(Src->LeftFrom)->second.End
                                  : Sk.getPosition(P);
    Out.Reads.push_back({P, From, UserPos, UserLoop, CopiedTo});
    return true;
  }
  if (!S.isInside(Src->V))
    return true;
  auto *I = cast<Instruction>(Src->V);
  if (isKept(I) && R.Kept != I)
    return true;
  Out.Uses[I].insert(RootId);
  Seen.insert(I);
  if (!Out.Seen.insert({I, RootId}).second)
    return true;
  if (auto *L = dyn_cast<LoadInst>(I)) {
    Out.Loads.push_back({L, RootId});
    return true;
  }
  unsigned Pos = Sk.getPosition(I);
  const Loop *L = S.loopOf(I);
  for (Value *Op : I->operands()) {
    if (isa<Function>(Op) || isa<MetadataAsValue>(Op) || isa<BasicBlock>(Op))
      continue;
    if (std::optional<Source> Sub =
            S.isInside(Op) && !getIndex(Op, L) ? resolve(Op) : std::nullopt;
        Sub && Sub->State)
      Out.StateUses.push_back({Sub->State, I, RootId});
    if (S.failed() || !walk(Op, R, RootId, Pos, L, nullptr, Out))
      return false;
  }
  return true;
}

bool States::walkRoots(Visit &Out) {
  for (auto [Id, R] : enumerate(Roots)) {
    unsigned RootId = static_cast<unsigned>(Id);
    SmallVector<GuardId, 8> Conjuncts;
    Sk.collectConjuncts(R.G, R.L, Conjuncts);
    while (!Conjuncts.empty()) {
      const Guard &G = Sk[Conjuncts.pop_back_val()];
      if (G.K == Guard::And || G.K == Guard::Or) {
        Conjuncts.push_back(G.A);
        Conjuncts.push_back(G.B);
      } else if (G.K == Guard::Literal) {
        const Loop *L = S.Ctx.LI.getLoopFor(G.Block);
        if (IB.buildConstraints(G.Cond, G.Negated, L))
          continue;
        Instruction *Br = G.Block->getTerminator();
        if (!walk(G.Cond, R, RootId, Sk.getPosition(Br), L, nullptr, Out))
          return false;
        if (std::optional<Source> Src =
                S.isInside(G.Cond) ? resolve(G.Cond) : std::nullopt;
            Src && Src->State)
          Out.StateUses.push_back({Src->State, Br, RootId});
      }
    }
    if (R.Store &&
        !walk(R.Store->getValueOperand(), R, RootId, R.Pos, R.L, nullptr, Out))
      return false;
    if (R.Kept && !walk(R.Kept, R, RootId, R.Pos, R.L, nullptr, Out))
      return false;
    for (auto &[P, V] : R.Copies)
      if (!walk(V, R, RootId, R.Pos, R.L, P, Out))
        return false;
  }
  return true;
}

bool States::findStates() {
  for (;;) {
    if (!collectRoots(false))
      return false;
    Visit V;
    if (!walkRoots(V))
      return false;
    bool Changed = false;
    for (PHINode *P : V.States) {
      if (!getScalarType(P->getType()))
        return S.fail(P->getType()->isPointerTy() ? Reason::PointerStored
                                                  : Reason::UnsupportedType,
                      P);
      Changed |= Needed.insert(P);
    }
    if (!Changed) {
      Reads = std::move(V.Reads);
      return true;
    }
  }
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

/// The last position at which something read at \p Pos in \p L matters that was
/// computed in \p FromLoop: loops in between run more than once.
unsigned States::getEnd(const Loop *FromLoop, unsigned Pos,
                        const Loop *L) const {
  unsigned End = Pos;
  for (; L && L != FromLoop && S.Nest.contains(L) &&
         !(FromLoop && L->contains(FromLoop));
       L = L->getParentLoop())
    End = std::max(End, S.Controls.find(L)->second.End);
  return End;
}

/// Whether some value of one would be read after the other was assigned.
bool States::interferes(PHINode *A, PHINode *B) const {
  SmallVector<PHINode *, 8> Members;
  for (PHINode *P : Needed)
    if (leader(P) == A || leader(P) == B)
      Members.push_back(P);
  // Phis of one block have their values at the same time.
  SmallPtrSet<const BasicBlock *, 8> Blocks;
  for (PHINode *P : Members)
    if (!Blocks.insert(P->getParent()).second)
      return true;
  for (const Read &R : Reads) {
    if (!is_contained(Members, R.State))
      continue;
    const Loop *Home = S.loopOf(R.State);
    while (Home && S.Controls.find(Home)->second.End <= R.From &&
           S.Nest.contains(Home))
      Home = Home->getParentLoop();
    unsigned End = getEnd(Home, R.Pos, R.L);
    for (const Write &W : Writes) {
      if (!W.State || W.State == R.State || !is_contained(Members, W.State))
        continue;
      if (W.CopiedFrom && is_contained(Members, W.CopiedFrom))
        continue;
      if (W.Pos >= R.From && (W.Pos < R.Pos || (End != R.Pos && W.Pos < End)))
        return true;
    }
  }
  return false;
}

void States::coalesce() {
  Writes.clear();
  struct Copy {
    PHINode *To, *From;
  };
  SmallVector<Copy, 8> Copies;
  for (const Root &R : Roots)
    for (auto &[P, V] : R.Copies) {
      PHINode *From = nullptr;
      if (S.isInside(V) && !getIndex(V, R.L))
        if (std::optional<Source> Src = resolve(V))
          From = Src->State;
      Writes.push_back({R.Pos, P, nullptr, From, R.L});
      if (From && From != P && From->getType() == P->getType())
        Copies.push_back({P, From});
    }
  for (const Copy &C : Copies) {
    PHINode *A = leader(C.To), *B = leader(C.From);
    if (A == B || interferes(A, B))
      continue;
    // The outermost one, which comes first, gives the name.
    if (Sk.getPosition(B) < Sk.getPosition(A))
      std::swap(A, B);
    Leaders[B] = A;
  }
}
