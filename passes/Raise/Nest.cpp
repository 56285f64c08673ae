//===- Nest.cpp - State shared while one loop nest is raised --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nest.h"
#include "SourceNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include <algorithm>

using namespace llvm;
using namespace dlopt;

bool NestState::fail(Reason R, const Value *Culprit, StringRef Detail) {
  if (Failure.ok()) {
    Failure.R = R;
    Failure.Culprit = dyn_cast_or_null<Instruction>(Culprit);
    Failure.Detail = Detail.str();
  }
  return false;
}

Loop *NestState::loopOf(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Nest.contains(I))
    return nullptr;
  return Ctx.LI.getLoopFor(I->getParent());
}

SmallVector<AxisId, 6> NestState::axesOf(const Loop *L) const {
  SmallVector<AxisId, 6> Axes;
  for (; L && Nest.contains(L); L = L->getParentLoop())
    if (auto It = Controls.find(L); It != Controls.end())
      Axes.push_back(It->second.Ax);
  std::reverse(Axes.begin(), Axes.end());
  return Axes;
}

unsigned NestState::depthOf(const Loop *L) const {
  unsigned Depth = 0;
  for (; L && Nest.contains(L); L = L->getParentLoop())
    ++Depth;
  return Depth;
}

ParamId NestState::getParam(Value *V, bool Signed, unsigned Depth) {
  for (auto [Id, P] : enumerate(K.Params))
    if (P.Bound == V && P.Signed == Signed)
      return static_cast<ParamId>(Id);
  Param P;
  P.Name = V->getName().str();
  if (const auto *A = dyn_cast<Argument>(V); A && P.Name.empty())
    P.Name = "arg" + std::to_string(A->getArgNo());
  P.Shown = getShownName(*V);
  // Callers have checked that the type is one of the model's.
  P.Ty = getScalarType(V->getType()).value_or(ScalarType::I64);
  P.Signed = Signed;
  P.Bound = V;
  P.Depth = Depth;
  K.Params.push_back(std::move(P));
  return static_cast<ParamId>(K.Params.size() - 1);
}

void NestState::addInRange(Poly P, int64_t Lo, int64_t Hi) {
  for (const Need &N : K.Needs)
    if (N.K == Need::InRange && N.P == P && N.Lo >= Lo && N.Hi <= Hi)
      return;
  Need N;
  N.K = Need::InRange;
  N.P = std::move(P);
  N.Lo = Lo;
  N.Hi = Hi;
  K.Needs.push_back(std::move(N));
}

bool NestState::isUnconditional(const BasicBlock *BB) const {
  const Loop *L = Ctx.LI.getLoopFor(BB);
  while (L && Nest.contains(L)) {
    auto It = Controls.find(L);
    if (It == Controls.end())
      return false;
    if (!Ctx.DT.dominates(BB, It->second.Latch))
      return false;
    bool HasRound = BB != It->second.Header;
    if (HasRound && It->second.Clamped)
      return false;
    BB = It->second.Preheader;
    // What the conditions of the preheader say is said by the round.
    if (HasRound && L != &Nest && Implied.contains(BB))
      BB = L->getParentLoop()->getLoopLatch();
    L = L->getParentLoop();
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// An index has a few terms for each loop around it, and a factor in each for
/// each dimension inside that loop's.
static constexpr size_t MaxTerms = 64, MaxFactors = 16;
/// Of what is no parameter: a triangle takes squares.
static constexpr unsigned MaxPower = 4;
/// Factors of all terms and of all that is inside of quotients.
static constexpr size_t MaxSize = 512;
/// Terms before those that are alike are added up.
static constexpr size_t MaxProducts = 4 * MaxTerms;

/// Whether \p P has at most \p Left factors, which are taken off.
static bool isWithin(const Kernel &K, const Poly &P, size_t &Left) {
  if (P.terms().size() > MaxTerms)
    return false;
  auto IsWithin = [&](const Poly &Q) { return isWithin(K, Q, Left); };
  auto IsAtomWithin = [&](AtomId Id) {
    // What is not known yet has no parts.
    if (Id >= K.Atoms.size())
      return true;
    const Atom &A = K.Atoms[Id];
    return A.K == Atom::Axis ? all_of(K.Axes[A.Ref].Extents, IsWithin)
                             : IsWithin(A.Num) && IsWithin(A.Den) &&
                                   all_of(A.Source.Subs, IsWithin);
  };
  for (const auto &[Product, Coef] : P.terms()) {
    if (Product.size() > MaxFactors || Product.size() >= Left)
      return false;
    Left -= Product.size() + 1;
    for (const auto *It = Product.begin(); It != Product.end();) {
      const auto *End =
          std::find_if(It, Product.end(), [&](AtomId Id) { return Id != *It; });
      bool IsParam = *It < K.Atoms.size() && K.Atoms[*It].K == Atom::Param;
      if ((!IsParam && End - It > MaxPower) || !IsAtomWithin(*It))
        return false;
      It = End;
    }
  }
  return true;
}

bool dlopt::isTooLarge(const Kernel &K, const Poly &P) {
  size_t Left = MaxSize;
  return !isWithin(K, P, Left);
}

std::optional<Poly> dlopt::substituteWithin(const Poly &P, AtomId A,
                                            const Poly &By) {
  size_t Products = 0;
  for (const auto &[Product, Coef] : P.terms()) {
    size_t Mine = 1;
    for (auto N = llvm::count(Product, A); N && Mine <= MaxProducts; --N)
      Mine *= By.terms().size();
    if ((Products += Mine) > MaxProducts)
      return std::nullopt;
  }
  return P.substitute(A, By);
}

std::optional<Poly> dlopt::multiplyWithin(const Poly &A, const Poly &B) {
  if (A.terms().size() * B.terms().size() > MaxProducts)
    return std::nullopt;
  return A * B;
}

bool NestState::checkSize() {
  constexpr size_t MaxOperations = 20000, MaxConditions = 512;
  size_t Operations = 0, Conditions = 0;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Operations += L.Ops.size() + L.Assigns.size();
    Conditions += L.Domain.size();
  });
  return (Operations <= MaxOperations && Conditions <= MaxConditions) ||
         fail(Reason::OverBudget, Nest.getHeader()->getTerminator());
}

bool NestState::checkAccesses() {
  constexpr unsigned MaxAccesses = 100;
  SmallVector<unsigned, 8> Accesses(K.Buffers.size());
  SmallVector<bool, 8> Written(K.Buffers.size());
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        ++Accesses[O.Acc.Buf];
    for (const Assign &A : L.Assigns) {
      ++Accesses[A.Target.Buf];
      Written[A.Target.Buf] = true;
    }
  });
  for (auto [Id, Buf] : enumerate(K.Buffers))
    if (!Buf.IsLocal && Written[Id] && Accesses[Id] > MaxAccesses)
      return fail(Reason::OverBudget, Nest.getHeader()->getTerminator());
  return true;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

bool dlopt::isImplied(const Kernel &K, const Constraint &C,
                      ArrayRef<AxisId> Axes) {
  if (std::optional<int64_t> V = C.P.getConstant())
    return C.IsEquality ? *V == 0 : *V >= 0;
  if (C.IsEquality)
    return false;
  for (AxisId A : Axes)
    for (const Poly &E : K.Axes[A].Extents)
      if (C.P == E - Poly(1))
        return true;
  return getRange(K, C.P, Axes).within(0, std::numeric_limits<int64_t>::max());
}
