//===- Coordinates.cpp - Coordinates that loops compute -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Libraries of tensors of up to so many dimensions find the place of an
/// element by a loop over these, often with the coordinates in an array:
///
///   for (i < n) {
///     int c[4], r = i, o = 0;
///     for (k = 3; k >= 0; k--) { c[k] = r % dims[k]; r /= dims[k]; }
///     for (k < 4) o += c[k] * strides[k];
///     y[i] = x[o];
///   }
///
/// or set one of them at an index that is an argument or read:
///
///   c[axis] = 0;   ->   c[0] = axis == 0 ? 0 : c[0]; c[1] = ...
///
/// Such loops are no axes of a kernel: unrolled they are an expression of i,
/// and the array is four numbers. Loops over values, such as the rows of a
/// tile, are axes: what tells the two apart is that coordinates go into
/// addresses, and nowhere else.
///
//===----------------------------------------------------------------------===//
#include "Coordinates.h"
#include "dlopt/Compat.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace dlopt {

static constexpr unsigned MostDimensions = 8, MostInstructions = 512,
                          MostUsers = 256;

/// The array that \p A is, or that is the only member of a class.
static ArrayType *getArrayType(const AllocaInst &A) {
  Type *T = A.getAllocatedType();
  for (auto *S = dyn_cast<StructType>(T); S && S->getNumElements() == 1;
       S = dyn_cast<StructType>(T))
    T = S->getElementType(0);
  return dyn_cast<ArrayType>(T);
}

/// The array of integers on the stack behind \p Ptr, if it is one.
static AllocaInst *getArray(Value *Ptr) {
  if (!Ptr->getType()->isPointerTy())
    return nullptr;
  auto *A = dyn_cast<AllocaInst>(getUnderlyingObject(Ptr));
  auto *T = A ? getArrayType(*A) : nullptr;
  return T && T->getElementType()->isIntegerTy() &&
                 T->getNumElements() <= MostDimensions && A->isStaticAlloca()
             ? A
             : nullptr;
}

namespace {

/// Where numbers go.
class Uses {
public:
  void add(Value *V);
  /// Whether they become addresses, and nothing else.
  bool areAddresses() { return follow() && Any; }

private:
  bool follow();
  bool visit(Value *V, User *U);

  SmallSetVector<Value *, 32> Values;
  bool Any = false;
};

} // namespace

void Uses::add(Value *V) { Values.insert(V); }

bool Uses::visit(Value *V, User *U) {
  if (auto *G = dyn_cast<GetElementPtrInst>(U)) {
    // Of an array on the stack its own elements matter.
    bool IsElement = G->getPointerOperand() != V && !getArray(G);
    Any |= IsElement;
    if (!IsElement && isa<AllocaInst>(getUnderlyingObject(V)))
      add(G);
    return true;
  }
  if (isa<AllocaInst>(getUnderlyingObject(V))) {
    if (isa<LoadInst>(U)) {
      if (!U->getType()->isIntegerTy())
        return false;
      add(U);
      return true;
    }
    if (auto *Store = dyn_cast<StoreInst>(U))
      return Store->getPointerOperand() == V;
    return isa<MemSetInst>(U) || cast<Instruction>(U)->isLifetimeStartOrEnd();
  }
  if (auto *Store = dyn_cast<StoreInst>(U)) {
    AllocaInst *A = getArray(Store->getPointerOperand());
    if (A)
      add(A);
    return A;
  }
  if (isa<CondBrInst, SwitchInst>(U))
    return true;
  if (!isa<BinaryOperator, ICmpInst, SExtInst, ZExtInst, TruncInst, SelectInst,
           PHINode, FreezeInst, MinMaxIntrinsic>(U) ||
      !U->getType()->isIntegerTy())
    return false;
  add(U);
  return true;
}

bool Uses::follow() {
  for (unsigned I = 0; I != Values.size(); ++I) {
    Value *V = Values[I];
    for (User *U : V->users())
      if (!visit(V, U) || Values.size() > MostUsers)
        return false;
  }
  return true;
}

bool isAddressOnly(Value &V) {
  Uses Found;
  Found.add(&V);
  return Found.areAddresses();
}

/// Whether \p I may be in a loop that computes coordinates. Those that it sets
/// and results of divisions go to \p Found.
static bool mayCompute(Instruction &I, Uses &Found, bool &Any) {
  Type *Ty = I.getType();
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    AllocaInst *A = getArray(Store->getPointerOperand());
    if (!A || !Store->isSimple())
      return false;
    Found.add(A);
    Any = true;
    return true;
  }
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (AllocaInst *A = getArray(Load->getPointerOperand())) {
      Found.add(A);
      Any = true;
    }
    // Of a container the pointer to its elements, too.
    return Load->isSimple() && (Ty->isIntegerTy() || Ty->isPointerTy());
  }
  if (I.isIntDivRem()) {
    Any |= !isa<Constant>(I.getOperand(1));
    Found.add(&I);
  }
  if (isa<CallBase>(I))
    return isa<MinMaxIntrinsic>(I) || isAssumeLikeIntrinsic(&I);
  return Ty->isIntegerTy() || isa<GetElementPtrInst>(I) || I.isTerminator();
}

bool computesCoordinates(const Loop &L) {
  if (!L.isInnermost() || !L.getParentLoop() || !L.isLoopSimplifyForm())
    return false;
  Uses Found;
  bool Any = false;
  unsigned Size = 0;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (++Size > MostInstructions || !mayCompute(I, Found, Any))
        return false;
      if (any_of(I.users(), [&](const User *U) {
            return !L.contains(cast<Instruction>(U));
          }))
        Found.add(&I);
    }
  return Any && Found.areAddresses();
}

/// How often the header of \p L runs, if all that it does is compute
/// coordinates; 0 otherwise.
static unsigned countDimensions(const Loop &L,
                                function_ref<ScalarEvolution &()> GetSE) {
  if (!computesCoordinates(L))
    return 0;
  unsigned Rounds = GetSE().getSmallConstantMaxTripCount(&L), Size = 0;
  for (const BasicBlock *BB : L.blocks())
    Size += BB->size();
  return Rounds > MostDimensions + 1 || Rounds * Size > MostInstructions
             ? 0
             : Rounds;
}

bool unrollCoordinates(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<Loop *, 4> Inner;
  for (Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost() && L->getParentLoop())
      Inner.push_back(L);
  auto GetSE = [&]() -> ScalarEvolution & {
    return FAM.getResult<ScalarEvolutionAnalysis>(F);
  };
  bool Changed = false;
  for (Loop *L : Inner) {
    unsigned Rounds = countDimensions(*L, GetSE);
    if (!Rounds)
      continue;
    UnrollLoopOptions All = {};
    All.Count = Rounds;
    All.Force = true;
    LoopUnrollResult Done = UnrollLoop(
        L, All, &LI, &GetSE(), &FAM.getResult<DominatorTreeAnalysis>(F),
        &FAM.getResult<AssumptionAnalysis>(F),
        &FAM.getResult<TargetIRAnalysis>(F), nullptr, /*PreserveLCSSA=*/true);
    Changed |= Done != LoopUnrollResult::Unmodified;
  }
  return Changed;
}

namespace {

/// An array of coordinates with accesses at indices that are not constants.
class IndexedArray {
public:
  IndexedArray(AllocaInst &A, const LoopInfo &LI)
      : A(A), LI(LI), Element(getArrayType(A)->getElementType()) {}
  bool match();
  void spread();

private:
  bool matchIndex(GetElementPtrInst &G);
  bool isFixed(const Value *V, unsigned Most = 8) const;
  Value *getElement(IRBuilderBase &B, unsigned I) const {
    return B.CreateConstInBoundsGEP1_64(Element, &A, I);
  }

  AllocaInst &A;
  const LoopInfo &LI;
  Type *Element;
  SmallVector<std::pair<Instruction *, Value *>, 8> Accesses;
};

} // namespace

/// Whether \p V is made of what is read and of arguments alone.
bool IndexedArray::isFixed(const Value *V, unsigned Most) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !LI.getLoopFor(I->getParent()))
    return true;
  return Most &&
         isa<CastInst, BinaryOperator, LoadInst, GetElementPtrInst>(I) &&
         all_of(I->operands(),
                [&](const Value *Op) { return isFixed(Op, Most - 1); });
}

/// Whether \p G is an address of one element for simple accesses.
bool IndexedArray::matchIndex(GetElementPtrInst &G) {
  Value *Index = G.getOperand(G.getNumOperands() - 1);
  bool IsElement =
      G.getSourceElementType() == Element && G.getNumIndices() == 1;
  auto *Zero = dyn_cast<ConstantInt>(G.getOperand(1));
  bool IsOfArray = G.getSourceElementType() == getArrayType(A) &&
                   G.getNumIndices() == 2 && Zero && Zero->isZero();
  if ((!IsElement && !IsOfArray) || G.getPointerOperand() != &A ||
      !Index->getType()->isIntegerTy(64) || !isFixed(Index))
    return false;
  for (User *U : G.users()) {
    auto *Load = dyn_cast<LoadInst>(U);
    auto *Store = dyn_cast<StoreInst>(U);
    if (!(Load && Load->isSimple() && Load->getType() == Element) &&
        !(Store && Store->isSimple() && Store->getPointerOperand() == &G &&
          Store->getValueOperand()->getType() == Element))
      return false;
    Accesses.push_back({cast<Instruction>(U), Index});
  }
  return true;
}

bool IndexedArray::match() {
  constexpr unsigned MostAccesses = 8;
  SmallVector<Value *, 8> Todo{&A};
  bool InLoop = false;
  while (!Todo.empty())
    for (User *U : Todo.pop_back_val()->users()) {
      auto *G = dyn_cast<GetElementPtrInst>(U);
      InLoop |= LI.getLoopFor(cast<Instruction>(U)->getParent()) != nullptr;
      if (G && G->hasAllConstantIndices())
        Todo.push_back(G);
      else if (G && !matchIndex(*G))
        return false;
    }
  return InLoop && !Accesses.empty() && Accesses.size() <= MostAccesses &&
         isAddressOnly(A);
}

/// An index that is none of the array's would be undefined behavior.
void IndexedArray::spread() {
  uint64_t Size = getArrayType(A)->getNumElements();
  for (auto [I, Index] : Accesses) {
    IRBuilder<> B(I);
    auto *Store = dyn_cast<StoreInst>(I);
    Value *Loaded = nullptr;
    for (unsigned K = 0; K != Size; ++K) {
      Value *Ptr = getElement(B, K), *Old = B.CreateLoad(Element, Ptr);
      Value *Is = B.CreateICmpEQ(Index, ConstantInt::get(Index->getType(), K));
      if (Store)
        B.CreateStore(B.CreateSelect(Is, Store->getValueOperand(), Old), Ptr);
      else
        Loaded = Loaded ? B.CreateSelect(Is, Old, Loaded) : Old;
    }
    if (Loaded)
      I->replaceAllUsesWith(Loaded);
    I->eraseFromParent();
  }
}

bool spreadIndices(Function &F, const LoopInfo &LI) {
  SmallVector<AllocaInst *, 4> Arrays;
  for (Instruction &I : F.getEntryBlock())
    if (getArray(&I) == &I)
      Arrays.push_back(cast<AllocaInst>(&I));
  bool Changed = false;
  for (AllocaInst *A : Arrays) {
    IndexedArray Array(*A, LI);
    if (!Array.match())
      continue;
    Array.spread();
    Changed = true;
  }
  return Changed;
}

} // namespace dlopt
