//===- Prefilter.cpp - Which functions may hold a kernel ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Prefilter.h"
#include "Helpers.h"
#include "dlopt/Compat.h"
#include "dlopt/LightForm.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace dlopt {

/// True for an address of an array element, as opposed to a variable on the
/// stack or a member of a struct.
static bool isElementAddress(const Value *Ptr) {
  bool IsMember = false;
  while (const auto *GEP = dyn_cast<GEPOperator>(Ptr)) {
    if (!GEP->hasAllConstantIndices())
      return true;
    // Constant offsets: members, unless it is p[1] with p moving, or p[0].
    Type *T = GEP->getSourceElementType();
    IsMember |=
        T->isStructTy() || (T->isIntegerTy(8) && !GEP->hasAllZeroIndices());
    Ptr = GEP->getPointerOperand();
  }
  return !IsMember && !isa<AllocaInst>(Ptr);
}

static bool isElementLoad(const Value *V) {
  const auto *LI = dyn_cast<LoadInst>(V);
  return LI && !LI->getType()->isPointerTy() &&
         isElementAddress(LI->getPointerOperand());
}

static const Value *skipCasts(const Value *V) {
  while (const auto *C = dyn_cast<CastInst>(V))
    V = C->getOperand(0);
  return V;
}

/// Whether an index is a product, or a sum with one, as that of a matrix is.
static bool hasProduct(const Value *Index, unsigned Most = 3) {
  const auto *Made = dyn_cast<BinaryOperator>(skipCasts(Index));
  return Made && Most &&
         (Made->getOpcode() == Instruction::Mul ||
          (Made->getOpcode() == Instruction::Add &&
           any_of(Made->operands(),
                  [&](const Value *Op) { return hasProduct(Op, Most - 1); })));
}

/// Whether \p Ptr is the address of an element of a matrix or of more axes.
static bool isMatrixElement(const Value *Ptr) {
  unsigned Indices = 0;
  for (; const auto *GEP = dyn_cast<GEPOperator>(Ptr);
       Ptr = GEP->getPointerOperand())
    for (const Value *Index : GEP->indices()) {
      Indices += !isa<Constant>(Index);
      if (Indices > 1 || hasProduct(Index))
        return true;
    }
  return false;
}

/// Whether \p I copies an element: a number, or anything of a matrix.
/// Programs copy bytes and words all the time.
static bool isCopy(const Instruction &I) {
  const auto *From = dyn_cast<LoadInst>(I.getOperand(0));
  return From && isElementLoad(From) && isElementAddress(I.getOperand(1)) &&
         (From->getType()->isFloatingPointTy() ||
          isMatrixElement(From->getPointerOperand()) ||
          isMatrixElement(I.getOperand(1)));
}

static bool isDirectElement(const Value *V) {
  return isElementLoad(skipCasts(V));
}

/// Whether \p V is an array element, apart from casts, or was put into the
/// variable that it is read from by the same block, as raw IR does.
static bool isElement(const Value *V) {
  const auto *LI = dyn_cast<LoadInst>(skipCasts(V));
  if (!LI || isElementLoad(LI))
    return LI;
  const auto *Variable = dyn_cast<AllocaInst>(LI->getPointerOperand());
  return Variable && any_of(Variable->users(), [&](const User *U) {
           const auto *Set = dyn_cast<StoreInst>(U);
           return Set && Set->getParent() == LI->getParent() &&
                  Set->getPointerOperand() == Variable &&
                  isDirectElement(Set->getValueOperand());
         });
}

/// The same, or what is made of an element: without a zero point, or bits of
/// it.
static bool isFactor(const Value *V, unsigned Most = 3) {
  if (isElement(V))
    return true;
  const auto *Made = dyn_cast<BinaryOperator>(skipCasts(V));
  return Made && Most && any_of(Made->operands(), [&](const Value *Op) {
           return isFactor(Op, Most - 1);
         });
}

/// Whether \p I may take an integer element into a sum or an extremum. With
/// constants programs count and look for characters.
static bool isGathering(const User &I) {
  return I.getOperand(0)->getType()->isIntegerTy() &&
         any_of(I.operands(), [](const Value *Op) { return isElement(Op); }) &&
         none_of(I.operands(), IsaPred<ConstantInt>);
}

/// Whether \p I may ask if an integer element is the greatest so far.
static bool isSearching(const Instruction &I) {
  const auto *C = dyn_cast<ICmpInst>(&I);
  return C && C->isRelational() && isGathering(I) &&
         !all_of(C->operands(),
                 [](const Value *Op) { return isDirectElement(Op); });
}

/// The same of an instruction in \p BB; if \p Exits, what ends the loop is
/// none: it runs as often as an element says.
static bool hasSearch(const BasicBlock &BB, bool Exits) {
  const auto *Br = dyn_cast<CondBrInst>(BB.getTerminator());
  return any_of(BB, [&](const Instruction &I) {
    return isSearching(I) && !(Exits && Br && Br->getCondition() == &I);
  });
}

/// Whether \p I reads a table at a byte, or at bits of one.
static bool isLookup(const Instruction &I) {
  const auto *Place = dyn_cast<GetElementPtrInst>(I.getOperand(0));
  if (!Place || !isElementLoad(&I))
    return false;
  constexpr unsigned Most = 4;
  const Value *Index =
      skipCasts(Place->getOperand(Place->getNumOperands() - 1));
  for (unsigned Depth = 0; Depth != Most; ++Depth) {
    const auto *Made = dyn_cast<BinaryOperator>(Index);
    if (!Made || !isa<ConstantInt>(Made->getOperand(1)))
      break;
    Index = skipCasts(Made->getOperand(0));
  }
  return Index->getType()->isIntegerTy(8) && isElementLoad(Index);
}

/// Whether \p I makes a variable what another one is, as `best = i` does.
static bool isTaking(const Instruction &I) {
  const auto *Set = dyn_cast<StoreInst>(&I);
  const auto *From =
      Set ? dyn_cast<LoadInst>(skipCasts(Set->getValueOperand())) : nullptr;
  return From && isa<AllocaInst>(Set->getPointerOperand()) &&
         isa<AllocaInst>(From->getPointerOperand()) &&
         From->getPointerOperand() != Set->getPointerOperand();
}

static bool isVolatile(const Instruction &I) {
  return I.isVolatile() && !DLOPT_PLANTED(VolatileIgnored);
}

bool hasCycle(const Function &F) {
  // A cycle has, whatever the order, an edge that does not lead on.
  SmallPtrSet<const BasicBlock *, 32> Seen;
  for (const BasicBlock &BB : F) {
    Seen.insert(&BB);
    if (any_of(successors(&BB),
               [&](const BasicBlock *Succ) { return Seen.contains(Succ); }))
      return true;
  }
  return false;
}

/// Whether \p Of is one of the functions that vectors have.
static bool isMathFunction(Intrinsic::ID Of) {
  static constexpr StringLiteral Names[] = {
#define DLOPT_MATH_FUNCTION(ID, NAME, ARGS) "llvm." NAME,
#include "dlopt/VectorMath.def"
  };
  return is_contained(Names, Intrinsic::getBaseName(Of));
}

void KernelFilter::addCall(const CallBase &CB, Traits &T) {
  if (const auto *I = dyn_cast<IntrinsicInst>(&CB)) {
    T.Functions |= isMathFunction(I->getIntrinsicID());
    T.Computes |= CB.getType()->isFPOrFPVectorTy();
    T.Gathers |= isa<MinMaxIntrinsic>(CB) && isGathering(CB);
    T.Opaque |= CB.isConvergent();
    return;
  }
  if (const Function *Helper = getHelper(CB)) {
    Traits H = getTraits(*Helper);
    if (H.Size > MaxHelperSize || H.LoopDepth > MaxHelperDepth) {
      H.Opaque = true;
      H.InlinedSize = 0; // it stays a call
    }
    T.merge(H);
    return;
  }
  // Functions of the math library compute on numbers and give a number.
  const Function *Callee = CB.getCalledFunction();
  if (Callee && CB.getType()->isFloatingPointTy() &&
      all_of(CB.args(),
             [](const Value *A) { return !A->getType()->isPointerTy(); }))
    T.Computes = T.Functions = true;
  else
    T.Opaque |= !CB.doesNotAccessMemory();
}

void KernelFilter::addInstruction(const Instruction &I, Traits &T) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FNeg:
  case Instruction::FCmp:
    T.Computes = true;
    return;
  case Instruction::Mul:
    // Integer products of anything else are index arithmetic.
    T.Computes |=
        any_of(I.operands(), [](const Value *Op) { return isFactor(Op); });
    return;
  case Instruction::Add:
    T.Gathers |= isGathering(I);
    return;
  case Instruction::ICmp:
    T.Compares |= cast<ICmpInst>(I).isRelational() &&
                  I.getOperand(0)->getType()->isIntegerTy() &&
                  all_of(I.operands(),
                         [](const Value *Op) { return isDirectElement(Op); });
    return;
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    T.Divides = true;
    return;
  case Instruction::Load:
    T.Loads |= isElementLoad(&I);
    T.Computes |= isLookup(I);
    T.Opaque |= isVolatile(I) || I.isAtomic();
    return;
  case Instruction::Store:
    T.Copies |= isCopy(I);
    T.Opaque |= isVolatile(I) || I.isAtomic();
    return;
  case Instruction::Call:
  case Instruction::Invoke:
    return addCall(cast<CallBase>(I), T);
  case Instruction::AtomicCmpXchg:
  case Instruction::AtomicRMW:
  case Instruction::Fence:
  case Instruction::CallBr:
  case Instruction::IndirectBr:
    T.Opaque = true;
    return;
  default:
    return;
  }
}

Traits KernelFilter::getBlockTraits(const BasicBlock &BB) {
  Traits T;
  for (const Instruction &I : BB)
    addInstruction(I, T);
  return T;
}

/// Blocks from which every path ends in a trap or an exception: they are on no
/// path through a kernel.
static SmallPtrSet<const BasicBlock *, 8> findFatalBlocks(const Function &F) {
  SmallPtrSet<const BasicBlock *, 8> Fatal;
  if (none_of(F, [](const BasicBlock &BB) {
        return isa<UnreachableInst, ResumeInst>(BB.getTerminator());
      }))
    return Fatal;
  for (const BasicBlock *BB : post_order(&F))
    if (isa<UnreachableInst, ResumeInst>(BB->getTerminator()) ||
        (!succ_empty(BB) && all_of(successors(BB), [&](const BasicBlock *To) {
          return Fatal.contains(To);
        })))
      Fatal.insert(BB);
  return Fatal;
}

/// Values that are looked at to find out what a condition is about.
static constexpr size_t MostValues = 16;

/// Whether a variable on the stack keeps its value in \p L.
static bool isKept(const AllocaInst &Variable, const Loop &L) {
  return all_of(Variable.users(), [&](const User *U) {
    const auto *I = dyn_cast<Instruction>(U);
    return isa<LoadInst>(U) || (I && I->isLifetimeStartOrEnd()) ||
           (isa<StoreInst>(U) && !L.contains(I) &&
            cast<StoreInst>(U)->getPointerOperand() == &Variable);
  });
}

/// Whether \p V is found anew in each round of \p L: an element, or what is
/// computed of others. A test of anything else is one in front of the loop.
static bool varies(const Value &V, const Loop &L) {
  SmallVector<const Value *, 8> Todo = {&V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Todo.empty()) {
    const auto *I = dyn_cast<Instruction>(Todo.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    const auto *LI = dyn_cast<LoadInst>(I);
    const auto *Variable =
        LI ? dyn_cast<AllocaInst>(LI->getPointerOperand()) : nullptr;
    if (Seen.size() > MostValues || isa<PHINode>(I) ||
        (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) ||
        (Variable && !isKept(*Variable, L)))
      return true;
    if (!Variable)
      append_range(Todo, I->operand_values());
  }
  return false;
}

/// Whether \p Bit, which raw IR may have in parts, is computed in \p L of
/// numbers that are no integers, or compares a pointer with null.
bool KernelFilter::isData(const Value &Bit, const Loop &L) {
  SmallVector<const Value *, 8> Todo = {&Bit};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Todo.empty() && Seen.size() < MostValues) {
    const auto *I = dyn_cast<Instruction>(Todo.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if ((isa<FCmpInst>(I) ||
         (isa<ICmpInst>(I) &&
          any_of(I->operands(), IsaPred<ConstantPointerNull>))) &&
        varies(*I, L))
      return true;
    if (auto *CB = dyn_cast<CallBase>(I)) {
      const Function *Helper = getHelper(*CB);
      if (Helper && getTraits(*Helper).Computes)
        return true;
    } else if (isa<PHINode, BinaryOperator, CastInst, SelectInst, ICmpInst>(
                   I)) {
      append_range(Todo, I->operand_values());
    }
  }
  return false;
}

/// Whether what elements are decides how long \p L runs: it looks for one, or
/// follows pointers from one to the next.
bool KernelFilter::isLeftByData(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return !DLOPT_PLANTED(EarlyExitIgnored) &&
         any_of(Exiting, [&](const BasicBlock *BB) {
           auto *Br = dyn_cast<CondBrInst>(BB->getTerminator());
           return Br && isData(*Br->getCondition(), L) &&
                  any_of(Br->successors(), [&](const BasicBlock *To) {
                    return !L.contains(To) && !isa<UnreachableInst, ResumeInst>(
                                                  To->getTerminator());
                  });
         });
}

void KernelFilter::addLoops(const Function &F, Traits &T) {
  DominatorTree DT(const_cast<Function &>(F));
  LoopInfo LI(DT);
  unsigned Depth = 0;
  for (const Loop *L : LI.getLoopsInPreorder()) {
    Depth = std::max(Depth, L->getLoopDepth());
    T.Opaque |= isLeftByData(*L);
  }
  T.LoopDepth += Depth;
}

/// Instructions of \p BB that count: variables on the stack, and what is said
/// of them and of other values, are gone when the function is inlined.
static unsigned getSize(const BasicBlock &BB) {
  return count_if(BB, [](const Instruction &I) {
    return !isa<AllocaInst>(I) && !isAssumeLikeIntrinsic(&I);
  });
}

Traits KernelFilter::getTraits(const Function &F) {
  // Seen from a callee, a function whose walk is under way is recursive.
  Traits Recursive;
  Recursive.Opaque = true;
  if (auto [It, IsNew] = Memo.try_emplace(&F, Recursive); !IsNew)
    return It->second;
  Traits T;
  // A first bound, before anything is looked at closely.
  unsigned All = 0;
  for (const BasicBlock &BB : F)
    if ((All += BB.size()) > 4 * MaxStageSize)
      break;
  T.Size = All;
  if (All > 4 * MaxStageSize) {
    T.Opaque = true;
    return Memo[&F] = T;
  }
  T.Size = 0;
  auto Fatal = findFatalBlocks(F);
  // Some frontends leave blocks behind that nothing leads to.
  for (const BasicBlock *BB : depth_first(&F)) {
    if (!Fatal.contains(BB)) {
      T.merge(getBlockTraits(*BB));
      T.Size += getSize(*BB);
    }
    T.Assumes +=
        count_if(*BB, [](const Instruction &I) { return isa<AssumeInst>(I); });
  }
  T.InlinedSize = SaturatingAdd<uint64_t>(T.InlinedSize, T.Size);
  if (T.Size > MaxStageSize) {
    T.Opaque = true;
    return Memo[&F] = T;
  }
  if (hasCycle(F))
    addLoops(F, T);
  return Memo[&F] = T;
}

/// Whether \p L may count coordinates, each of which starts again at its end:
/// it asks what it has just counted.
static bool countsCoordinates(const Loop &L) {
  return any_of(L.blocks(), [&](const BasicBlock *BB) {
    auto *Br = dyn_cast<CondBrInst>(BB->getTerminator());
    auto *Cmp = Br && !L.isLoopExiting(BB)
                    ? dyn_cast<ICmpInst>(Br->getCondition())
                    : nullptr;
    return Cmp && any_of(Cmp->operands(), [](const Value *Op) {
             auto *Next = dyn_cast<BinaryOperator>(skipCasts(Op));
             auto *By = Next && Next->getOpcode() == Instruction::Add
                            ? dyn_cast<ConstantInt>(Next->getOperand(1))
                            : nullptr;
             return By && By->isOne();
           });
  });
}

/// Whether \p LI has a loop that a kernel may have; with \p MustWork, one that
/// computes or copies.
bool KernelFilter::hasLoop(const LoopInfo &LI, bool MustWork) {
  // What spoils a loop spoils those around it.
  SmallPtrSet<const Loop *, 8> Spoiled;
  SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
  for (const Loop *L : reverse(Loops)) {
    Traits T;
    bool Searches = false, Takes = false;
    for (const BasicBlock *BB : L->blocks())
      if (LI.getLoopFor(BB) == L) {
        T.merge(getBlockTraits(*BB));
        Searches |= hasSearch(*BB, L->isLoopExiting(BB));
        Takes |= any_of(*BB, isTaking);
      }
    // The greatest element is read again where it was found.
    Searches |= T.Compares && Takes;
    bool ByData = isLeftByData(*L);
    if (T.Opaque || ByData || Spoiled.contains(L))
      Spoiled.insert(L->getParentLoop());
    // What is called in it may be a loop.
    if (T.Opaque || ((ByData || Spoiled.contains(L)) && !T.LoopDepth))
      continue;
    // A transpose takes two loops, or one whose index is divided or whose
    // coordinates are counted. Plain copies have instructions of their own on
    // GPUs alone.
    bool IsGPU = getTriple(*L->getHeader()->getModule()).isNVPTX();
    // Integers that one loop gathers LLVM shares among lanes, unless it also
    // looks where they are.
    bool IsInside = L->getLoopDepth() > 1;
    bool Works =
        T.Computes || Searches || (T.Gathers && IsInside) ||
        (T.Copies && (IsInside || T.Divides || IsGPU || countsCoordinates(*L)));
    // Tables of functions (angles, windows, twiddle factors) read nothing.
    if (!MustWork || (Works && (T.Loads || T.Functions)))
      return true;
  }
  return false;
}

bool KernelFilter::mayHoldKernel(const Function &F) {
  if (!hasCycle(F))
    return false;
  DominatorTree DT(const_cast<Function &>(F));
  return hasLoop(LoopInfo(DT), /*MustWork=*/true);
}

bool isStage(const Traits &T) {
  return !T.Opaque && T.LoopDepth && T.Size <= MaxStageSize &&
         (T.Computes || T.Copies) && T.Loads;
}

bool KernelFilter::mayJoinCalls(const Function &F) {
  SmallVector<const CallBase *, 8> Calls;
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB)
      if (const auto *CB = dyn_cast<CallBase>(&I);
          CB && !isa<IntrinsicInst>(CB))
        if (const Function *Callee = getHelper(*CB);
            Callee && Callee != &F && isStage(getTraits(*Callee)))
          Calls.push_back(CB);
  if (Calls.empty())
    return false;
  if (!hasCycle(F))
    return Calls.size() > 1;
  DominatorTree DT(const_cast<Function &>(F));
  LoopInfo LI(DT);
  // In loops, they become part of these anyway.
  erase_if(Calls, [&](const CallBase *CB) {
    return LI.getLoopFor(CB->getParent()) != nullptr;
  });
  return Calls.size() > 1 ||
         (!Calls.empty() && hasLoop(LI, /*MustWork=*/false));
}

bool mayHoldKernel(const Function &F) {
  return KernelFilter().mayHoldKernel(F);
}

} // namespace dlopt
