//===- RememberedPointers.cpp - Pointers to elements that were found ------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   best = p;                     best = 0;
///   while (++p != end)            while (++p != end)
///     if (*best < *p)               if (start[best] < *p)
///       best = p;                     best = p - start;
///   return best;                  return start + best;
///
/// What p - start is follows from the rounds. Pointers that are chosen behind
/// the loop between such a one and others at a fixed place, as for an empty
/// range, are numbers as well.
///
//===----------------------------------------------------------------------===//
#include "Remembered.h"
#include "RoundCounter.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

/// Bounds how many pointers are chosen behind the loop.
static constexpr size_t MostBehind = 16;

namespace {

/// How far a pointer is behind the base: bytes, multiples of values, and bytes
/// for each round that has been.
struct Distance {
  int64_t Bytes = 0, PerRound = 0;
  SmallVector<std::pair<Value *, int64_t>, 1> Scaled;
};

class PointerCounter {
public:
  PointerCounter(Loop &L, const DominatorTree &DT, Remembered R)
      : L(L), DT(DT), DL(L.getHeader()->getModule()->getDataLayout()),
        R(std::move(R)) {}
  bool run();

private:
  bool addOffset(const GEPOperator &G, Distance &D);
  bool addSteps(PHINode &P, Distance &D);
  std::optional<Distance> getDistance(Value *V);
  bool findUnit();
  bool isFixed(Value *V);
  void findChoicesBehind();
  Value *multiply(IRBuilderBase &B, Value *X, int64_t Times);
  Value *getNumber(const Distance &D, Instruction *At);
  Value *getOperand(const Use &U);
  void addNumbers();
  void replaceUses(Instruction *Choice);

  Loop &L;
  const DominatorTree &DT;
  const DataLayout &DL;
  Remembered R;
  Value *Base = nullptr;
  int64_t Unit = 0;
  /// Offsets do not wrap as signed or unsigned numbers.
  bool NSW = true, NUW = true;
  RoundCounter Rounds;
  MapVector<Instruction *, Value *> Numbers;
};

} // namespace

bool PointerCounter::addOffset(const GEPOperator &G, Distance &D) {
  OffsetMap Variable;
  APInt Constant(64, 0);
  if (!G.collectOffset(DL, 64, Variable, Constant))
    return false;
  NSW &= G.hasNoUnsignedSignedWrap();
  NUW &= G.hasNoUnsignedWrap();
  D.Bytes += Constant.getSExtValue();
  for (auto &[V, Scale] : Variable) {
    // Rows are bytes already.
    Value *X = nullptr;
    uint64_t Bits = 0;
    if (match(V, m_NSWShl(m_Value(X), m_ConstantInt(Bits))) &&
        X->getType()->isIntegerTy(64) && Bits < 32 &&
        Scale.getSignificantBits() < 32)
      D.Scaled.push_back({X, Scale.getSExtValue() << Bits});
    else
      D.Scaled.push_back({V, Scale.getSExtValue()});
  }
  return true;
}

/// An iterator: a phi of the header that moves by the same in each round.
bool PointerCounter::addSteps(PHINode &P, Distance &D) {
  auto *Next =
      P.getParent() == L.getHeader()
          ? dyn_cast<GEPOperator>(P.getIncomingValueForBlock(L.getLoopLatch()))
          : nullptr;
  APInt Step(64, 0);
  if (!Next || Next->getPointerOperand() != &P ||
      !Next->accumulateConstantOffset(DL, Step))
    return false;
  NSW &= Next->hasNoUnsignedSignedWrap();
  NUW &= Next->hasNoUnsignedWrap();
  D.PerRound += Step.getSExtValue();
  return true;
}

std::optional<Distance> PointerCounter::getDistance(Value *V) {
  Distance D;
  while (V != Base) {
    if (auto *G = dyn_cast<GEPOperator>(V)) {
      if (!addOffset(*G, D))
        return std::nullopt;
      V = G->getPointerOperand();
    } else if (auto *P = dyn_cast<PHINode>(V);
               P && L.contains(P) && addSteps(*P, D)) {
      V = P->getIncomingValueForBlock(L.getLoopPreheader());
    } else {
      return std::nullopt;
    }
  }
  return D;
}

/// Finds the base and in how many bytes everything is counted.
bool PointerCounter::findUnit() {
  Type *Ty = R.Phi->getType();
  if (DL.getPointerTypeSizeInBits(Ty) != 64 ||
      DL.getIndexTypeSizeInBits(Ty) != 64 || DL.isNonIntegralPointerType(Ty))
    return false;
  Base = R.getStart(L);
  while (auto *G = dyn_cast<GEPOperator>(Base)) {
    if (!G->hasAllConstantIndices())
      break;
    Base = G->getPointerOperand();
  }
  SmallVector<Value *, 4> All = {R.getStart(L)};
  for (Use *U : R.Taken)
    All.push_back(*U);
  bool Moves = false;
  for (Value *V : All) {
    std::optional<Distance> D = getDistance(V);
    if (!D)
      return false;
    Unit = std::gcd(std::gcd(Unit, D->Bytes), D->PerRound);
    for (auto &[X, Scale] : D->Scaled)
      Unit = std::gcd(Unit, Scale);
    Moves |= D->PerRound != 0 || !D->Scaled.empty();
  }
  return Moves;
}

/// Whether \p V, behind the loop, is whole units behind the base.
bool PointerCounter::isFixed(Value *V) {
  std::optional<Distance> D = getDistance(V);
  return D && !D->PerRound && D->Bytes % Unit == 0 &&
         all_of(D->Scaled, [&](auto &X) { return X.second % Unit == 0; });
}

/// Adds phis and selects behind the loop that choose among what is counted.
void PointerCounter::findChoicesBehind() {
  SmallSetVector<Instruction *, 4> Behind;
  auto AddUsers = [&](Instruction *I) {
    for (User *U : I->users()) {
      auto *X = cast<Instruction>(U);
      if ((isa<PHINode>(X) || isa<SelectInst>(X)) && !L.contains(X) &&
          Behind.size() < MostBehind &&
          (!isa<Instruction>(Base) || DT.dominates(cast<Instruction>(Base), X)))
        Behind.insert(X);
    }
  };
  for (Instruction *I : R.Choices)
    AddUsers(I);
  for (size_t I = 0; I != Behind.size(); ++I)
    AddUsers(Behind[I]);
  auto IsOther = [&](Instruction *I) {
    return any_of(I->operands(), [&](Use &U) {
      if (isa<SelectInst>(I) && U.getOperandNo() == 0)
        return false;
      auto *X = dyn_cast<Instruction>(U);
      return !(X && (R.Choices.contains(X) || Behind.contains(X))) &&
             !isFixed(U);
    });
  };
  while (Behind.remove_if(IsOther))
    ;
  R.Choices.insert(Behind.begin(), Behind.end());
}

/// Shifts, which what divides by them cancels, for powers of two.
Value *PointerCounter::multiply(IRBuilderBase &B, Value *X, int64_t Times) {
  if (Times == 1)
    return X;
  if (isPowerOf2_64(Times))
    return B.CreateShl(X, Log2_64(Times), "", NUW, NSW);
  return B.CreateMul(X, B.getInt64(Times), "", NUW, NSW);
}

/// The number of units that \p D is, in front of \p At.
Value *PointerCounter::getNumber(const Distance &D, Instruction *At) {
  IRBuilder<> B(At);
  Value *N = nullptr;
  auto Add = [&](Value *X, int64_t Bytes) {
    X = multiply(B, X, Bytes / Unit);
    N = N ? B.CreateAdd(N, X, "", NUW, NSW) : X;
  };
  for (auto &[X, Scale] : D.Scaled)
    Add(B.CreateSExtOrTrunc(X, B.getInt64Ty()), Scale);
  if (D.PerRound) {
    if (!Rounds.Count)
      Rounds = addRoundCounter(L);
    Add(Rounds.Count, D.PerRound);
  }
  Value *Fixed = B.getInt64(D.Bytes / Unit);
  if (!N || cast<ConstantInt>(Fixed)->isZero())
    return N ? N : Fixed;
  return B.CreateAdd(N, Fixed, "", NUW, NSW);
}

/// The number for what a choice takes by \p U.
Value *PointerCounter::getOperand(const Use &U) {
  if (auto *I = dyn_cast<Instruction>(U))
    if (auto It = Numbers.find(I); It != Numbers.end())
      return It->second;
  // In front of the select that takes the number, not of that of the pointer.
  auto *User = cast<Instruction>(U.getUser());
  return getNumber(*getDistance(U), isa<SelectInst>(User)
                                        ? cast<Instruction>(Numbers[User])
                                        : getPlaceOf(U));
}

void PointerCounter::addNumbers() {
  IntegerType *Int64 = Type::getInt64Ty(R.Phi->getContext());
  Value *Unknown = PoisonValue::get(Int64);
  for (Instruction *I : R.Choices) {
    IRBuilder<> B(I);
    Value *N = isa<PHINode>(I)
                   ? static_cast<Value *>(
                         B.CreatePHI(Int64, I->getNumOperands(), I->getName()))
                   : SelectInst::Create(I->getOperand(0), Unknown, Unknown,
                                        I->getName(), I->getIterator());
    cast<Instruction>(N)->setDebugLoc(I->getDebugLoc());
    Numbers[I] = N;
  }
  for (auto &[I, N] : Numbers)
    if (auto *P = dyn_cast<PHINode>(I)) {
      auto *Q = cast<PHINode>(N);
      for (Use &U : P->incoming_values()) {
        // A block may lead here twice.
        BasicBlock *From = P->getIncomingBlock(U);
        int Known = Q->getBasicBlockIndex(From);
        Q->addIncoming(Known < 0 ? getOperand(U) : Q->getIncomingValue(Known),
                       From);
      }
    } else {
      for (unsigned Arm : {1, 2})
        cast<SelectInst>(N)->setOperand(Arm, getOperand(I->getOperandUse(Arm)));
    }
}

/// Lets what uses the pointer \p Choice use the base and the number.
void PointerCounter::replaceUses(Instruction *Choice) {
  Value *N = Numbers[Choice];
  auto *After = isa<PHINode>(Choice)
                    ? &*Choice->getParent()->getFirstInsertionPt()
                    : Choice->getNextNode();
  IRBuilder<> B(After);
  if (DLOPT_PLANTED(RememberedPointerShort) && !L.contains(Choice))
    N = B.CreateSub(N, B.getInt64(1));
  Value *Bytes = nullptr, *Pointer = nullptr, *Number = nullptr;
  for (Use &U : make_early_inc_range(Choice->uses())) {
    auto *User = cast<Instruction>(U.getUser());
    if (Numbers.contains(User))
      continue;
    if (!Bytes)
      Bytes = multiply(B, N, Unit);
    if (isa<PtrToIntInst>(User) && User->getType()->isIntegerTy(64)) {
      if (!Number)
        Number = B.CreateAdd(B.CreatePtrToInt(Base, B.getInt64Ty()), Bytes);
      User->replaceAllUsesWith(Number);
      continue;
    }
    if (!Pointer) {
      GEPNoWrapFlags NW = GEPNoWrapFlags::none();
      if (NSW)
        NW |= GEPNoWrapFlags::noUnsignedSignedWrap();
      if (NUW)
        NW |= GEPNoWrapFlags::noUnsignedWrap();
      Pointer = B.CreatePtrAdd(Base, Bytes, "", NW);
    }
    U.set(Pointer);
  }
}

bool PointerCounter::run() {
  if (!findUnit())
    return false;
  findChoicesBehind();
  addNumbers();
  for (Instruction *I : R.Choices)
    replaceUses(I);
  for (Instruction *I : R.Choices)
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  for (Instruction *I : R.Choices)
    I->eraseFromParent();
  return true;
}

bool countRememberedPointers(const LoopInfo &LI, const DominatorTree &DT) {
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!L->getLoopPreheader() || !L->getLoopLatch())
      continue;
    for (PHINode &P : make_early_inc_range(L->getHeader()->phis()))
      if (P.getType()->isPointerTy())
        if (std::optional<Remembered> R = Remembered::get(P, *L, LI))
          Changed |= PointerCounter(*L, DT, std::move(*R)).run();
  }
  return Changed;
}

} // namespace dlopt
