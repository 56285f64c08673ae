//===- SelfCheck.cpp - Both sides of a guard, and a comparison ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/SelfCheck.h"
#include "CheckKernel.h"
#include "CheckOutputs.h"
#include "dlopt/Compat.h"
#include "dlopt/Errno.h"
#include "dlopt/LightForm.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace dlopt;

SelfCheck::SelfCheck(const Options &O, const Twine &Name)
    : Mode(O.Check), Tolerance(O.Tolerance),
      IsApproximate(O.FastFP || O.Dispatch == DispatchMode::FMA),
      Name(Name.str()) {}

/// Whether the C library that CheckRuntime.c calls is there.
bool dlopt::canSelfCheck(const SelfCheck &C, const Function &F) {
  const Module &M = *F.getParent();
  const Triple T = getTriple(M);
  if (C.Mode == CheckMode::Off)
    return true;
  return M.getDataLayout().getPointerSizeInBits() == 64 &&
         (T.isOSLinux() || T.isOSDarwin() || T.isOSFreeBSD()) && !T.isNVPTX() &&
         !T.isAMDGPU() && !T.isSPIR() && !T.isSPIRV() &&
         !F.hasFnAttribute("no-builtins") &&
         M.getCodeModel() != CodeModel::Kernel;
}

Verdict dlopt::canSelfCheck(const RaisedKernel &RK, const SelfCheck &C,
                            const Function &F, const TargetLibraryInfo &TLI) {
  if (C.Mode == CheckMode::Off)
    return {};
  if (!canSelfCheck(C, F))
    return {Reason::CannotCheck, RK.Preheader->getTerminator(),
            "no C library of a 64-bit system"};
  if (C.Mode == CheckMode::Count)
    return {};
  for (BasicBlock *BB : RK.Nest->blocks())
    for (Instruction &I : *BB)
      if (I.mayWriteToMemory() && !isa<StoreInst, MemIntrinsic>(I) &&
          !I.isLifetimeStartOrEnd() && !isa<AssumeInst>(I) &&
          !isa<NoAliasScopeDeclInst>(I) && !getErrnoFunction(I, TLI))
        return {Reason::CannotCheck, &I, "what it writes cannot be saved"};
  return {};
}

namespace {

class CheckBuilder {
public:
  CheckBuilder(RaisedKernel &RK, GuardedRegion &Region, const SelfCheck &C,
               Function &F, FunctionAnalysisManager &FAM)
      : RK(RK), Region(Region), C(C), F(F), M(*F.getParent()),
        Ctx(F.getContext()), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)),
        TLI(FAM.getResult<TargetLibraryAnalysis>(F)) {}

  void addCounts();
  void addCheck();

private:
  Exactness getTier() const;
  std::string getWhere() const;
  GlobalVariable *createKernel(const CheckOutputs &Outputs);
  void printAtExit(GlobalVariable *Kernel);
  void call(IRBuilderBase &B, StringRef Name, ArrayRef<Value *> Args) {
    B.CreateCall(&getCheckFunction(M, Name), Args);
  }
  BasicBlock *getFastEnd() const;
  BasicBlock *addBlock(const Twine &Name, BasicBlock *Before) {
    return BasicBlock::Create(Ctx, Name, &F, Before);
  }
  void cloneLoops(BasicBlock *Begin, BasicBlock *Behind, Value *Log,
                  const CheckOutputs &Outputs);
  void noteStores(Value *Log, const CheckOutputs &Outputs);
  void leaveEarly(BasicBlock *From, BasicBlock *Exit, Value *Log);
  void compareValues(IRBuilderBase &B, Value *Log, BasicBlock *Behind);
  void closeLocals(BasicBlock *End, BasicBlock *Behind, BasicBlock *Done);

  RaisedKernel &RK;
  GuardedRegion &Region;
  const SelfCheck &C;
  Function &F;
  Module &M;
  LLVMContext &Ctx;
  DominatorTree &DT;
  LoopInfo &LI;
  const TargetLibraryInfo &TLI;
  ValueToValueMapTy Map; ///< of the nest to its clone
};

} // namespace

//===----------------------------------------------------------------------===//
// What the program knows of a kernel
//===----------------------------------------------------------------------===//

Exactness CheckBuilder::getTier() const {
  Exactness How = C.IsApproximate ? Exactness::Bounded : Exactness::Bits;
  for (BasicBlock *BB : RK.Nest->blocks())
    for (const Instruction &I : *BB)
      How = std::min(How, getExactness(I));
  return How;
}

std::string CheckBuilder::getWhere() const {
  if (DebugLoc Loc = getUserLoc(RK.Nest->getStartLoc()))
    return (cast<DILocation>(Loc.get())->getFilename() + ":" +
            Twine(Loc.getLine()))
        .str();
  return (M.getSourceFileName() + ": in " + F.getName()).str();
}

GlobalVariable *CheckBuilder::createKernel(const CheckOutputs &Outputs) {
  return createCheckKernel(M, C, getWhere(), Outputs.describe(), getTier(),
                           /*IsFunction=*/false);
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

void CheckBuilder::printAtExit(GlobalVariable *Kernel) {
  constexpr StringLiteral Name = "dl.check.at.exit";
  Function *AtExit = M.getFunction(Name);
  if (!AtExit) {
    AtExit = Function::Create(FunctionType::get(Type::getVoidTy(Ctx), false),
                              GlobalValue::InternalLinkage, Name, M);
    AtExit->addFnAttr("dl-generated");
    AtExit->setDoesNotThrow();
    ReturnInst::Create(Ctx, BasicBlock::Create(Ctx, "entry", AtExit));
    appendToGlobalDtors(M, AtExit, 65535);
  }
  IRBuilder<> B(AtExit->getEntryBlock().getTerminator());
  call(B, "print_counts", Kernel);
}

/// The block from which the fast path goes to Join.
BasicBlock *CheckBuilder::getFastEnd() const {
  for (BasicBlock *From : predecessors(Region.Join))
    if (From != RK.Exit)
      return From;
  llvm_unreachable("a fast path goes to Join");
}

void CheckBuilder::addCounts() {
  GlobalVariable *Kernel = createKernel(CheckOutputs());
  printAtExit(Kernel);
  Function &Now = getCheckFunction(M, "now");
  auto Add = [&](Instruction *Begin, Instruction *End, unsigned Side) {
    IRBuilder<> B(Begin);
    Value *Since = B.CreateCall(&Now);
    B.SetInsertPoint(End);
    call(B, "count", {Kernel, B.getInt32(Side), Since});
  };
  Add(&*Region.Enter->getFirstNonPHIIt(), getFastEnd()->getTerminator(), 0);
  Add(RK.Nest->getLoopPreheader()->getTerminator(),
      &*RK.Exit->getFirstNonPHIIt(), 1);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void CheckBuilder::noteStores(Value *Log, const CheckOutputs &Outputs) {
  for (BasicBlock *BB : RK.Nest->blocks())
    for (Instruction &I : *BB)
      if (unsigned Output = Outputs.find(I))
        emitCheckNote(*cast<Instruction>(Map.lookup(&I)), Log, Output);
}

/// \p From, a block of the clone, leaves where the source does and the kernel
/// does not.
void CheckBuilder::leaveEarly(BasicBlock *From, BasicBlock *Exit, Value *Log) {
  BasicBlock *Side = addBlock("dl.check.left", Exit);
  IRBuilder<> B(Side);
  call(B, "left", Log);
  B.CreateBr(Exit);
  From->getTerminator()->replaceSuccessorWith(Exit, Side);
  for (PHINode &Phi : Exit->phis())
    for (BasicBlock *Old : RK.Nest->blocks())
      if (Map.lookup(Old) == From) {
        Value *V = Phi.getIncomingValueForBlock(Old), *Copy = Map.lookup(V);
        Phi.addIncoming(Copy ? Copy : V, Side);
      }
}

/// Runs from \p Begin to \p Behind.
void CheckBuilder::cloneLoops(BasicBlock *Begin, BasicBlock *Behind, Value *Log,
                              const CheckOutputs &Outputs) {
  SmallVector<BasicBlock *, 16> Blocks;
  Loop *Copy = cloneLoopWithPreheader(Behind, Begin, RK.Nest, Map, ".checked",
                                      &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  Begin->getTerminator()->setSuccessor(0, Copy->getLoopPreheader());
  noteStores(Log, Outputs);
  for (BasicBlock *Old : RK.Nest->blocks()) {
    auto *From = cast<BasicBlock>(Map.lookup(Old));
    for (BasicBlock *To :
         SmallSetVector<BasicBlock *, 2>(succ_begin(Old), succ_end(Old))) {
      if (RK.Nest->contains(To))
        continue;
      if (To == RK.Exit)
        From->getTerminator()->replaceSuccessorWith(To, Behind);
      else
        leaveEarly(From, To, Log);
    }
  }
}

/// Values that are used behind the kernel become those of the loops.
void CheckBuilder::compareValues(IRBuilderBase &B, Value *Log,
                                 BasicBlock *Behind) {
  IRBuilder<> Close(Behind, Behind->begin());
  for (auto &[Phi, Index] : Region.Outs) {
    Value *Inside = RK.LiveOuts[Index].V;
    Type *Ty = Inside->getType();
    PHINode *Expected = Close.CreatePHI(Ty, 1, Inside->getName() + ".checked");
    for (BasicBlock *From : predecessors(Behind))
      Expected->addIncoming(Map.lookup(Inside), From);
    int At = Phi->getBasicBlockIndex(getFastEnd());
    Value *Got = Phi->getIncomingValue(At);
    Phi->setIncomingValue(At, Expected);
    auto [Class, Bytes] = getCheckElement(Ty, M.getDataLayout());
    call(B, "value",
         {Log,
          B.CreateGlobalString(
              getSourceName(Inside, "the value behind the loop")),
          B.getInt32(Class), B.getInt32(Bytes), emitCheckBits(B, Got),
          emitCheckBits(B, Expected)});
  }
}

/// What phis of Join take that is neither used behind the kernel nor computed
/// in front of it: locals of the generated code, in registers. Where that has
/// not run they have no value.
void CheckBuilder::closeLocals(BasicBlock *End, BasicBlock *Behind,
                               BasicBlock *Done) {
  for (PHINode &Phi : Region.Join->phis()) {
    auto *V = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Done));
    if (!V || DT.dominates(V->getParent(), Behind))
      continue;
    PHINode *Local = PHINode::Create(V->getType(), 2, V->getName(),
                                     Done->getFirstNonPHIIt());
    Local->addIncoming(V, End);
    Local->addIncoming(PoisonValue::get(V->getType()), Behind);
    Phi.setIncomingValue(Phi.getBasicBlockIndex(Done), Local);
  }
}

void CheckBuilder::addCheck() {
  CheckOutputs Outputs(RK, LI, TLI);
  GlobalVariable *Kernel = createKernel(Outputs);
  DebugLoc Loc = Region.Enter->getTerminator()->getDebugLoc();
  BasicBlock *Begin = addBlock("dl.check", Region.Enter);
  BasicBlock *Behind = addBlock("dl.check.behind", Region.Enter);
  for (BasicBlock *From : to_vector(predecessors(Region.Enter)))
    From->getTerminator()->replaceSuccessorWith(Region.Enter, Begin);
  IRBuilder<> B(Begin);
  B.SetCurrentDebugLocation(Loc);
  Value *Log =
      B.CreateCall(&getCheckFunction(M, "begin"),
                   {Kernel, B.CreateIntrinsic(Intrinsic::frameaddress,
                                              {PointerType::getUnqual(Ctx)},
                                              {B.getInt32(0)})},
                   "dl.log");
  B.CreateBr(Region.Enter);
  DT.recalculate(F);
  cloneLoops(Begin, Behind, Log, Outputs);

  // Joins what was compared with what could not be.
  BasicBlock *End = getFastEnd();
  B.SetInsertPoint(End->getTerminator());
  B.SetCurrentDebugLocation(Loc);
  compareValues(B, Log, Behind);
  Value *Places = Outputs.emitPlaces(B, DT);
  call(B, "end", {Log, Places});
  BasicBlock *Done = addBlock("dl.check.done", Region.Join);
  End->getTerminator()->replaceSuccessorWith(Region.Join, Done);
  UncondBrInst::Create(Region.Join, Done)->setDebugLoc(Loc);
  Region.Join->replacePhiUsesWith(End, Done);

  B.SetInsertPoint(Behind);
  Value *Goes = B.CreateCall(&getCheckFunction(M, "swap"), Log);
  B.CreateCondBr(B.CreateIsNotNull(Goes), Region.Enter, Done);
  Region.Fast = Done;
  adoptNewLoops(F, DT, LI);
  closeLocals(End, Behind, Done);
}

void dlopt::addSelfCheck(RaisedKernel &RK, GuardedRegion &Region,
                         const SelfCheck &C, Function &F,
                         FunctionAnalysisManager &FAM) {
  if (C.Mode == CheckMode::Off)
    return;
  dropEffects(F);
  CheckBuilder Builder(RK, Region, C, F, FAM);
  if (C.Mode == CheckMode::Count)
    Builder.addCounts();
  else
    Builder.addCheck();
}
