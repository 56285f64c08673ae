//===- GeneralFunction.cpp - Functions that others are cases of -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two functions go through the same blocks and take the same steps there:
/// instructions that read or write memory, may trap, or choose where to go on.
/// Everything else only counts by what steps make of it, so that one address
/// that is computed twice in one function may be one in the other.
///
//===----------------------------------------------------------------------===//
#include "dlopt/GeneratedDebugInfo.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/Identical.h"
#include "dlopt/Options.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// Whether a function is another one, whose arguments are some of its own.
class CaseComparator {
public:
  /// \p Lines: of those that one of them asks for, the other one has to, too.
  CaseComparator(const Function &General, const Function &Case, bool Lines)
      : General(General), Case(Case), Lines(Lines) {}

  /// For each argument of the general function, the other one's.
  std::optional<SmallVector<unsigned, 12>> run();
  /// What the other one calls in place of what the general one does.
  ArrayRef<Function *> callees() const { return Callees; }

private:
  using Steps = SmallVector<const Instruction *, 32>;

  bool isStep(const Instruction &I) const;
  bool pairSteps();
  bool isSameStep(const Instruction &X, const Instruction &Y);
  bool isSameCall(const CallInst &X, const CallInst &Y);
  bool isSame(const Value *X, const Value *Y);
  bool haveSameOperands(const Instruction &X, const Instruction &Y);

  const Function &General, &Case;
  const bool Lines;
  /// Of the general function: what it is in the other one.
  DenseMap<const Value *, const Value *> Same;
  SmallVector<std::pair<const Instruction *, const Instruction *>, 64> Pairs;
  SmallVector<Function *, 4> Callees;
};

} // namespace

/// Lines that are asked for are no more than that: those of an array that is
/// read, too, are there already.
bool CaseComparator::isStep(const Instruction &I) const {
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    if (Call->getIntrinsicID() == Intrinsic::prefetch)
      return Lines;
  return isa<PHINode, AllocaInst, FreezeInst>(I) || I.isTerminator() ||
         I.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&I);
}

/// What is said of memory may hold for two arrays alone.
static bool saysMore(const Instruction &I) {
  SmallVector<std::pair<unsigned, MDNode *>, 4> List;
  I.getAllMetadataOtherThanDebugLoc(List);
  return any_of(List, [](const auto &Entry) {
    return !is_contained({LLVMContext::MD_loop, LLVMContext::MD_nontemporal,
                          LLVMContext::MD_prof},
                         Entry.first);
  });
}

/// Both have so many blocks, and as many steps in each.
bool CaseComparator::pairSteps() {
  if (General.size() != Case.size())
    return false;
  for (auto [X, Y] : zip_equal(General, Case)) {
    Same[&X] = &Y;
    auto Is = [this](const Instruction &I) { return isStep(I); };
    auto XSteps = make_filter_range(X, Is);
    auto YSteps = make_filter_range(Y, Is);
    auto It = YSteps.begin();
    for (const Instruction &Step : XSteps) {
      if (It == YSteps.end() || saysMore(Step))
        return false;
      Same[&Step] = &*It;
      Pairs.push_back({&Step, &*It++});
    }
    if (It != YSteps.end())
      return false;
  }
  return true;
}

bool CaseComparator::haveSameOperands(const Instruction &X,
                                      const Instruction &Y) {
  return X.isSameOperationAs(&Y) &&
         X.getRawSubclassOptionalData() == Y.getRawSubclassOptionalData() &&
         all_of(zip_equal(X.operands(), Y.operands()), [&](const auto &Ops) {
           return isSame(std::get<0>(Ops), std::get<1>(Ops));
         });
}

bool CaseComparator::isSame(const Value *X, const Value *Y) {
  if (X->getType() != Y->getType())
    return false;
  if (auto It = Same.find(X); It != Same.end())
    return It->second == Y;
  const auto *XInst = dyn_cast<Instruction>(X),
             *YInst = dyn_cast<Instruction>(Y);
  bool Is = isa<Argument>(X) ? isa<Argument>(Y)
            : XInst
                ? YInst && !isStep(*YInst) && haveSameOperands(*XInst, *YInst)
                : X == Y || (DLOPT_PLANTED(ConstantsTakenForSame) &&
                             isa<ConstantFP, ConstantDataVector>(X));
  if (Is)
    Same[X] = Y;
  return Is;
}

/// Calls of functions that are cases of each other.
bool CaseComparator::isSameCall(const CallInst &X, const CallInst &Y) {
  Function *Of = X.getCalledFunction(), *By = Y.getCalledFunction();
  if (!Of || !By || By == &Case || Of->isDeclaration() || !isGenerated(*By) ||
      X.getTailCallKind() != Y.getTailCallKind() ||
      X.getCallingConv() != Y.getCallingConv())
    return false;
  auto Args = CaseComparator(*Of, *By, Lines).run();
  if (!Args)
    return false;
  if (!is_contained(Callees, By))
    Callees.push_back(By);
  return all_of(enumerate(*Args), [&](const auto &Arg) {
    return isSame(X.getArgOperand(static_cast<unsigned>(Arg.index())),
                  Y.getArgOperand(Arg.value()));
  });
}

bool CaseComparator::isSameStep(const Instruction &X, const Instruction &Y) {
  if (X.hasMetadata(LLVMContext::MD_nontemporal) !=
      Y.hasMetadata(LLVMContext::MD_nontemporal))
    return false;
  if (const auto *Phi = dyn_cast<PHINode>(&X)) {
    const auto *Other = dyn_cast<PHINode>(&Y);
    if (!Other || Phi->getNumOperands() != Other->getNumOperands() ||
        !all_of(zip_equal(Phi->blocks(), Other->blocks()), [&](const auto &B) {
          return isSame(std::get<0>(B), std::get<1>(B));
        }))
      return false;
  }
  const auto *Call = dyn_cast<CallInst>(&X), *Other = dyn_cast<CallInst>(&Y);
  if (Call && Other && Call->getCalledOperand() != Other->getCalledOperand())
    return isSameCall(*Call, *Other);
  return haveSameOperands(X, Y);
}

/// All that is said of functions but by whom they are found.
static bool haveSameAttributes(const Function &X, const Function &Y) {
  auto Get = [](const Function &F) {
    AttrBuilder Attrs(F.getContext(), F.getAttributes().getFnAttrs());
    dropKey(Attrs);
    return Attrs;
  };
  return Get(X) == Get(Y) && X.getReturnType() == Y.getReturnType() &&
         X.getAttributes().getRetAttrs() == Y.getAttributes().getRetAttrs() &&
         X.getCallingConv() == Y.getCallingConv() &&
         X.getSection() == Y.getSection() && X.getAlign() == Y.getAlign() &&
         X.hasPersonalityFn() == Y.hasPersonalityFn();
}

std::optional<SmallVector<unsigned, 12>> CaseComparator::run() {
  if (!haveSameAttributes(General, Case) || !pairSteps() ||
      !all_of(Pairs,
              [&](const auto &P) { return isSameStep(*P.first, *P.second); }))
    return std::nullopt;
  SmallVector<unsigned, 12> Result;
  for (const Argument &Arg : General.args()) {
    const auto *Own = cast_or_null<Argument>(Same.lookup(&Arg));
    // What nothing uses could be anything.
    if (!Own || Arg.hasNoAliasAttr() ||
        General.getAttributes().getParamAttrs(Arg.getArgNo()) !=
            Case.getAttributes().getParamAttrs(Own->getArgNo()))
      return std::nullopt;
    Result.push_back(Own->getArgNo());
  }
  return Result;
}

/// Erases \p Functions, callers in front, as far as nobody calls them.
static void eraseUnused(ArrayRef<Function *> Functions) {
  for (Function *F : Functions)
    if (F->use_empty())
      F->eraseFromParent();
}

/// Whether \p F may be what another function is a case of, or such a case: all
/// its calls are known.
static bool isPrivate(const Function &F) {
  return !F.isDeclaration() && isGenerated(F) && F.hasLocalLinkage();
}

std::optional<GeneralFunction> dlopt::reuseGeneral(Function *New,
                                                   bool InPlace) {
  for (Function &F : *New->getParent()) {
    if (&F == New || !isPrivate(F) || F.arg_size() <= New->arg_size())
      continue;
    CaseComparator Comparator(F, *New, /*Lines=*/!InPlace);
    std::optional<SmallVector<unsigned, 12>> Args = Comparator.run();
    if (!Args)
      continue;
    SmallVector<Function *, 4> Callees(Comparator.callees());
    New->eraseFromParent();
    eraseUnused(Callees);
    return GeneralFunction{&F, std::move(*Args)};
  }
  return std::nullopt;
}

/// Calls \p General in place of \p Old, whose arguments \p Args it has.
static void callGeneral(CallInst &Old, Function &General,
                        ArrayRef<unsigned> Args) {
  auto Values = to_vector<12>(map_range(Args, [&](unsigned I) {
    bool IsMixed =
        DLOPT_PLANTED(CaseArgumentsMixed) && I < 2 &&
        all_of(
            ArrayRef<unsigned>{0, 1},
            [&](unsigned Pointer) {
              return Old.getArgOperand(Pointer)->getType()->isPointerTy();
            });
    return Old.getArgOperand(IsMixed ? 1 - I : I);
  }));
  CallInst *New = CallInst::Create(&General, Values, "", Old.getIterator());
  New->setCallingConv(Old.getCallingConv());
  New->setTailCallKind(Old.getTailCallKind());
  New->copyMetadata(Old);
  New->takeName(&Old);
  Old.replaceAllUsesWith(New);
  Old.eraseFromParent();
}

/// The calls of \p F; nullopt if it is used otherwise.
static std::optional<SmallVector<CallInst *, 4>> getCalls(Function &F) {
  SmallVector<CallInst *, 4> Calls;
  for (User *U : F.users()) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledOperand() != &F ||
        is_contained(Call->args(), &F))
      return std::nullopt;
    Calls.push_back(Call);
  }
  return Calls;
}

void dlopt::replaceCases(Function &General) {
  SmallSetVector<Function *, 4> Cases, Unused;
  for (Function &F : *General.getParent()) {
    if (&F == &General || !isPrivate(F) || F.arg_size() >= General.arg_size())
      continue;
    CaseComparator Comparator(General, F, /*Lines=*/true);
    std::optional<SmallVector<unsigned, 12>> Args = Comparator.run();
    auto Calls = Args ? getCalls(F) : std::nullopt;
    if (!Calls)
      continue;
    addSite(General, F);
    for (CallInst *Call : *Calls)
      callGeneral(*Call, General, *Args);
    Cases.insert(&F);
    Unused.insert_range(Comparator.callees());
  }
  Cases.insert_range(Unused);
  eraseUnused(Cases.getArrayRef());
}
