//===- Leaves.cpp - The schedule tree of a nest ---------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Leaves.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dlopt;

/// "s.024" and "s.0.lcssa" come from a variable s.
static StringRef getBareName(StringRef Name) {
  size_t Dot = Name.find('.');
  return Dot == 0 ? StringRef() : Name.substr(0, Dot);
}

Node &TreeBuilder::nodeOf(const Loop *L) {
  auto It = L ? Nodes.find(L) : Nodes.end();
  return It == Nodes.end() ? S.K.Root : *It->second;
}

BufferId TreeBuilder::makeLocal(Value *V, StringRef Default, Loop *Owner) {
  Buffer B;
  B.Name = getBareName(V->getName()).str();
  if (B.Name.empty() ||
      !all_of(B.Name, [](char C) { return isAlnum(C) || C == '_'; }) ||
      isDigit(B.Name.front()))
    B.Name = Default.str();
  B.Ty = *getScalarType(V->getType());
  B.IsLocal = true;
  BufferId Id = static_cast<BufferId>(S.K.Buffers.size());
  S.K.Buffers.push_back(std::move(B));
  nodeOf(Owner).Locals.push_back(Id);
  Locals[V] = Id;
  return Id;
}

std::optional<BufferId> TreeBuilder::getBuffer(PHINode *P) const {
  auto It = Locals.find(St.leader(P));
  if (It == Locals.end())
    return std::nullopt;
  return It->second;
}

void TreeBuilder::makeLocals() {
  for (PHINode *P : St.states())
    if (St.leader(P) == P)
      makeLocal(P, "acc", St.getOwner(P));
  for (Instruction *I : St.kept())
    makeLocal(I, "t", S.loopOf(I));
}

bool TreeBuilder::run() {
  // Nodes first: locals are owned by them.
  S.K.Root.K = Node::Sequence;
  for (Loop *L : S.Nest.getLoopsInPreorder()) {
    auto N = std::make_unique<Node>();
    N->K = Node::AxisNode;
    N->Ax = S.Controls[L].Ax;
    Nodes[L] = N.get();
    Owned[L] = std::move(N);
  }
  makeLocals();
  unsigned NextRoot = 0;
  ArrayRef<Root> Roots = St.roots();
  while (NextRoot < Roots.size() && !Roots[NextRoot].L)
    if (!buildLeaf(Roots[NextRoot++], S.K.Root))
      return false;
  std::unique_ptr<Node> Top = std::move(Owned[&S.Nest]);
  if (!buildLoop(&S.Nest, NextRoot, *Top))
    return false;
  S.K.Root.Children.push_back(std::move(Top));
  return true;
}

bool TreeBuilder::buildLoop(Loop *L, unsigned &NextRoot, Node &N) {
  // Roots and inner loops in the order of their positions.
  SmallVector<Loop *, 4> Inner(L->begin(), L->end());
  llvm::sort(Inner, [&](Loop *A, Loop *B) {
    return S.Controls[A].Begin < S.Controls[B].Begin;
  });
  ArrayRef<Root> Roots = St.roots();
  unsigned NextLoop = 0, End = S.Controls[L].End;
  for (;;) {
    bool HasRoot = NextRoot < Roots.size() && Roots[NextRoot].Pos < End;
    bool HasLoop = NextLoop < Inner.size();
    if (!HasRoot && !HasLoop)
      return true;
    if (HasLoop &&
        (!HasRoot || S.Controls[Inner[NextLoop]].Begin < Roots[NextRoot].Pos)) {
      Loop *Child = Inner[NextLoop++];
      std::unique_ptr<Node> C = std::move(Owned[Child]);
      if (!buildLoop(Child, NextRoot, *C))
        return false;
      // A loop in which nothing happens computes nothing.
      if (!C->Children.empty())
        N.Children.push_back(std::move(C));
      continue;
    }
    if (!buildLeaf(Roots[NextRoot++], N))
      return false;
  }
}

bool TreeBuilder::buildLeaf(const Root &R, Node &N) {
  if (R.Call)
    return buildBlock(R, N);
  auto Child = std::make_unique<Node>();
  Child->K = Node::LeafNode;
  LeafState LS(Child->L, R);
  if (!addGuard(R, Child->L, LS))
    return false;
  Instruction *At = R.Store  ? cast<Instruction>(R.Store)
                    : R.Kept ? R.Kept
                             : R.Block->getTerminator();
  Child->L.Loc = getUserLoc(At->getDebugLoc());
  auto Local = [&](BufferId B) {
    Access A;
    A.Buf = B;
    return A;
  };
  auto Assign = [&](Access Target, Value *V) {
    std::optional<OpId> Id = emit(V, R.L, LS);
    if (!Id)
      return false;
    Child->L.Assigns.push_back({std::move(Target), *Id});
    return true;
  };
  if (R.Store) {
    std::optional<Access> A =
        IB.buildAccess(R.Store->getPointerOperand(),
                       R.Store->getValueOperand()->getType(), R.L);
    if (!A)
      return IB.failAccess(R.Store);
    if (!Assign(std::move(*A), R.Store->getValueOperand()))
      return false;
    Child->L.Assigns.back().Origin = R.Store;
  } else if (R.Kept) {
    if (!Assign(Local(Locals[R.Kept]), R.Kept))
      return false;
  }
  for (auto &[P, V] : R.Copies) {
    PHINode *Leader = St.leader(P);
    if (S.isInside(V) && !St.getIndex(V, R.L)) {
      std::optional<States::Source> Src = St.resolve(V);
      if (!Src)
        return false;
      if (Src->State && St.leader(Src->State) == Leader)
        continue; // it is there already
    }
    if (isa<UndefValue>(V))
      continue; // any value will do
    if (!Assign(Local(Locals[Leader]), V))
      return false;
  }
  if (!Child->L.Assigns.empty())
    N.Children.push_back(std::move(Child));
  return true;
}

/// Whether evaluating \p C could fault where the conditions in front of it do
/// not hold.
static bool mayTrap(const Kernel &K, const Constraint &C) {
  return K.anyNestedAtom(C.P, [](const Atom &A) {
    bool Divides = A.K == Atom::FloorDiv || A.K == Atom::Mod;
    return A.K == Atom::Load || (Divides && !A.Den.getConstant());
  });
}

bool TreeBuilder::addGuard(const Root &R, Leaf &L, LeafState &LS) {
  SmallVector<GuardId, 8> Conjuncts, Rest;
  Sk.collectConjuncts(R.G, R.L, Conjuncts);
  SmallVector<AxisId, 6> Axes = S.axesOf(R.L);
  for (const Loop *X = R.L; X && S.Nest.contains(X); X = X->getParentLoop())
    for (const Constraint &C : S.Controls[X].Within)
      if (!isImplied(S.K, C, Axes))
        L.Domain.push_back(C);
  for (GuardId Id : Conjuncts) {
    const Guard &G = Sk[Id];
    std::optional<SmallVector<Constraint, 2>> Cs;
    if (G.K == Guard::Literal)
      Cs = IB.buildConstraints(G.Cond, G.Negated, S.Ctx.LI.getLoopFor(G.Block));
    // The predicate is evaluated behind the domain.
    if (!Cs || (!Rest.empty() && any_of(*Cs, [&](const Constraint &C) {
          return mayTrap(S.K, C);
        }))) {
      Rest.push_back(Id);
      continue;
    }
    for (Constraint &C : *Cs) {
      if (!isImplied(S.K, C, Axes) && !is_contained(L.Domain, C))
        L.Domain.push_back(std::move(C));
    }
  }
  // The conditions are evaluated together, so none may need the others to
  // hold before it reads memory.
  bool IsAlone = Rest.size() == 1 && Sk[Rest.front()].K == Guard::Literal;
  for (GuardId Id : Rest) {
    if (!IsAlone && !isSafeTogether(Id, Conjuncts, Rest))
      return S.fail(Reason::NonAffineCondition, R.Block->getTerminator());
    std::optional<OpId> P = emitGuard(Id, LS);
    if (!P)
      return false;
    if (!L.Predicate) {
      L.Predicate = P;
      continue;
    }
    L.Predicate = emitBoth(true, *L.Predicate, *P, LS);
  }
  return true;
}

/// Whether all loads that \p Id needs happen under affine conditions at most
/// that are among \p Conjuncts.
bool TreeBuilder::isSafeTogether(GuardId Id, ArrayRef<GuardId> Conjuncts,
                                 ArrayRef<GuardId> Rest) {
  const Guard &G = Sk[Id];
  if (G.K == Guard::And || G.K == Guard::Or)
    return isSafeTogether(G.A, Conjuncts, Rest) &&
           isSafeTogether(G.B, Conjuncts, Rest);
  if (G.K == Guard::True)
    return true;
  SmallVector<Value *, 8> Work{G.Cond};
  SmallPtrSet<Value *, 16> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !S.isInside(I) || !Seen.insert(I).second)
      continue;
    if (isa<PHINode>(I) || St.isKept(I))
      continue;
    bool MayTrap = !I->getType()->isFloatingPointTy() && (I->isIntDivRem());
    if (isa<LoadInst>(I) || isa<CallBase>(I) || MayTrap) {
      SmallVector<GuardId, 8> Needed;
      Sk.collectConjuncts(Sk.getGuard(I->getParent()), S.loopOf(I), Needed);
      for (GuardId N : Needed)
        if (!is_contained(Conjuncts, N) || is_contained(Rest, N))
          return false;
    }
    Work.append(I->op_begin(), I->op_end());
  }
  return true;
}
