//===- FunctionChecks.cpp - Functions beside those of the source ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckKernel.h"
#include "dlopt/Compat.h"
#include "dlopt/Errno.h"
#include "dlopt/Kernel.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace dlopt;

/// Functions that are copied for one check, at most.
static constexpr size_t MostCopies = 16;

//===----------------------------------------------------------------------===//
// What can be run twice
//===----------------------------------------------------------------------===//

static bool isLibraryFunction(const CallBase &C, const TargetLibraryInfo &TLI) {
  LibFunc Func;
  const Function *Callee = C.getCalledFunction();
  return Callee && Callee->isDeclaration() && TLI.getLibFunc(C, Func) &&
         (getErrnoFunction(C, TLI) || isModelLibFunction(Callee->getName()));
}

/// Whether \p I does nothing that cannot be undone, or is a call of \p Callee
/// that does not.
static bool canRunTwice(const Instruction &I, const TargetLibraryInfo &TLI,
                        Function *&Callee) {
  if (I.isVolatile() || I.isAtomic() || I.isEHPad() ||
      isa<FenceInst, InvokeInst, CallBrInst, ResumeInst, VAArgInst>(I))
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return true;
  if (Call->isMustTailCall() || Call->hasOperandBundles() ||
      Call->isConvergent() || Call->isInlineAsm())
    return false;
  if (isa<MemIntrinsic>(I))
    return true;
  if (const auto *II = dyn_cast<IntrinsicInst>(&I)) {
    Intrinsic::ID ID = II->getIntrinsicID();
    return II->doesNotAccessMemory() || II->isAssumeLikeIntrinsic() ||
           ID == Intrinsic::stacksave || ID == Intrinsic::stackrestore;
  }
  if (isLibraryFunction(*Call, TLI))
    return true;
  Callee = Call->getCalledFunction();
  return Callee && Callee->hasExactDefinition() && !Callee->isVarArg() &&
         Callee->getFunctionType() == Call->getFunctionType();
}

static bool hasPlainParameters(const Function &F) {
  return !F.isVarArg() && !F.hasPersonalityFn() && !F.hasGC() &&
         !F.isPresplitCoroutine() && none_of(F.args(), [](const Argument &A) {
           return A.hasPassPointeeByValueCopyAttr() || A.hasSwiftErrorAttr() ||
                  A.hasNestAttr() || A.hasInAllocaAttr() ||
                  A.hasPreallocatedAttr();
         });
}

/// \p F and what it calls; empty if that cannot be run twice.
static SmallSetVector<Function *, 4> findCallees(Function &F,
                                                 FunctionAnalysisManager &FAM) {
  SmallSetVector<Function *, 4> Found;
  Found.insert(&F);
  for (size_t Next = 0; Next != Found.size(); ++Next) {
    Function &G = *Found[Next];
    const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(G);
    if (!hasPlainParameters(G) || Found.size() > MostCopies)
      return {};
    for (Instruction &I : instructions(G)) {
      Function *Callee = nullptr;
      if (!canRunTwice(I, TLI, Callee))
        return {};
      if (Callee)
        Found.insert(Callee);
    }
  }
  return Found;
}

/// Values of what is returned that fit into a word.
static bool returnsNumber(const Function &F) {
  const Type *Ty = F.getReturnType();
  return Ty->isVoidTy() || Ty->isPointerTy() ||
         (Ty->getPrimitiveSizeInBits() && Ty->getPrimitiveSizeInBits() <= 64 &&
          !Ty->isVectorTy());
}

//===----------------------------------------------------------------------===//
// The source
//===----------------------------------------------------------------------===//

namespace {

/// Copies functions that note what they store.
class SourceCopier {
public:
  explicit SourceCopier(Module &M) : M(M) {}
  Function *copy(Function &F);
  void noteStores(Function &F, Function *Of);
  void passLog(Function &F);
  Exactness getTier() const { return How; }

  SmallVector<CheckOutput, 4> Outputs;
  SmallVector<int, 4> Arguments;

private:
  unsigned getOutput(Instruction &Store, const Function *Of);

  Module &M;
  DenseMap<Function *, Function *> Copies;
  Exactness How = Exactness::Bits;
};

} // namespace

/// What belongs to a symbol that others see.
static void makeLocal(Function &F) {
  F.setLinkage(GlobalValue::InternalLinkage);
  F.setComdat(nullptr);
  F.setVisibility(GlobalValue::DefaultVisibility);
  F.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  F.setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  F.setDSOLocal(true);
}

/// Variables are in memory, until a pipeline has begun: which of them are
/// parameters cannot be seen then.
static void promoteVariables(Function &F) {
  SmallVector<AllocaInst *, 8> Variables;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A))
      Variables.push_back(A);
  DominatorTree DT(F);
  PromoteMemToReg(Variables, DT);
}

/// The same with one parameter more. Nothing is said of what it does to memory,
/// which calls of the run-time functions would contradict.
Function *SourceCopier::copy(Function &F) {
  SmallVector<Type *, 8> Params(F.getFunctionType()->params());
  Params.push_back(PointerType::getUnqual(M.getContext()));
  auto *New = Function::Create(
      FunctionType::get(F.getReturnType(), Params, /*isVarArg=*/false),
      GlobalValue::InternalLinkage, F.getAddressSpace(), "dl.check.source", &M);
  ValueToValueMapTy Map;
  for (auto [From, To] : zip(F.args(), New->args()))
    Map[&From] = &To;
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(New, &F, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  makeLocal(*New);
  stripDebugInfo(*New);
  promoteVariables(*New);
  dropEffects(*New);
  for (Attribute::AttrKind K : {Attribute::AlwaysInline, Attribute::InlineHint,
                                Attribute::OptimizeNone})
    New->removeFnAttr(K);
  New->addFnAttr(Attribute::NoInline);
  New->addFnAttr("dl-generated");
  Copies[&F] = New;
  for (Instruction &I : instructions(New))
    How = std::min(How, getExactness(I));
  return New;
}

/// What the source calls the parameter \p Number of \p F.
static std::string getParameterName(const Function &F, unsigned Number) {
  for (const Instruction &I : instructions(F))
    for (const DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange()))
      if (const DILocalVariable *V = R.getVariable();
          V->getArg() == Number + 1 && V->getScope() == F.getSubprogram())
        return V->getName().str();
  const Argument &A = *F.getArg(Number);
  return A.hasName() ? A.getName().str() : ("argument " + Twine(Number)).str();
}

unsigned SourceCopier::getOutput(Instruction &Store, const Function *Of) {
  Type *Ty = Type::getInt8Ty(M.getContext());
  Value *Where = nullptr;
  if (auto *S = dyn_cast<StoreInst>(&Store)) {
    Ty = S->getValueOperand()->getType();
    Where = S->getPointerOperand();
  } else {
    Where = cast<MemIntrinsic>(Store).getRawDest();
  }
  CheckOutput O;
  std::tie(O.Class, O.Bytes) = getCheckElement(Ty, M.getDataLayout());
  auto *Parameter = dyn_cast<Argument>(getUnderlyingObject(Where));
  // Numbers of outputs are bytes.
  bool IsOwn = Parameter && Of && Outputs.size() < MostCheckOutputs;
  O.Name = IsOwn ? getParameterName(*Of, Parameter->getArgNo()) : "memory";
  int Number = IsOwn ? static_cast<int>(Parameter->getArgNo()) : -1;
  for (auto [I, Known] : enumerate(Outputs))
    if (Arguments[I] == Number && Known.Class == O.Class &&
        Known.Bytes == O.Bytes)
      return static_cast<unsigned>(I) + 1;
  Outputs.push_back(O);
  Arguments.push_back(Number);
  return static_cast<unsigned>(Outputs.size());
}

/// \p Of: the function that is checked, if \p F is its copy.
void SourceCopier::noteStores(Function &F, Function *Of) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isa<StoreInst, MemIntrinsic>(I))
      continue;
    const Value *Where = isa<StoreInst>(I)
                             ? cast<StoreInst>(I).getPointerOperand()
                             : cast<MemIntrinsic>(I).getRawDest();
    if (!isa<AllocaInst>(getUnderlyingObject(Where)))
      emitCheckNote(I, F.getArg(F.arg_size() - 1), getOutput(I, Of));
  }
}

/// Calls of functions that are copied become calls of the copies.
void SourceCopier::passLog(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee =
        Call ? Copies.lookup(Call->getCalledFunction()) : nullptr;
    if (!Callee)
      continue;
    SmallVector<Value *, 8> Args(Call->args());
    Args.push_back(F.getArg(F.arg_size() - 1));
    IRBuilder<> B(Call);
    CallInst *New = B.CreateCall(Callee, Args);
    New->setCallingConv(Call->getCallingConv());
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
}

void FunctionChecks::keepSource(Function &F) {
  Options O = getOptions(F);
  if (!O.runs("dl-prepare") || F.hasAvailableExternallyLinkage() ||
      F.hasFnAttribute(Attribute::AlwaysInline) || !returnsNumber(F) ||
      (O.Check != CheckMode::Abort && O.Check != CheckMode::Report))
    return;
  SelfCheck C(O, "function " + F.getName());
  if (!canSelfCheck(C, F))
    return;
  SmallSetVector<Function *, 4> Callees = findCallees(F, FAM);
  if (Callees.empty())
    return;
  SourceCopier Copier(M);
  Source S;
  S.F = &F;
  for (Function *Callee : Callees)
    S.Copies.push_back(Copier.copy(*Callee));
  for (Function *Copy : S.Copies) {
    Copier.passLog(*Copy);
    Copier.noteStores(*Copy, Copy == S.Copies.front() ? &F : nullptr);
  }
  // Names of arguments are those of the source, if it has any.
  const DISubprogram *SP = F.getSubprogram();
  std::string Where =
      SP ? (SP->getFilename() + ":" + Twine(SP->getLine())).str()
         : M.getSourceFileName();
  S.Kernel =
      createCheckKernel(M, C, Where, Copier.Outputs,
                        C.IsApproximate ? Exactness::Bounded : Copier.getTier(),
                        /*IsFunction=*/true);
  S.Arguments = std::move(Copier.Arguments);
  Sources.push_back(std::move(S));
}

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

/// Moves what \p F does into a function of its own.
static Function *moveBody(Function &F) {
  auto *New = Function::Create(
      F.getFunctionType(), GlobalValue::InternalLinkage, F.getAddressSpace(),
      F.getName() + ".checked", F.getParent());
  New->copyAttributesFrom(&F);
  makeLocal(*New);
  New->splice(New->begin(), &F);
  for (auto [From, To] : zip(F.args(), New->args())) {
    To.takeName(&From);
    From.replaceAllUsesWith(&To);
  }
  SmallVector<std::pair<unsigned, MDNode *>, 2> Metadata;
  F.getAllMetadata(Metadata);
  F.clearMetadata();
  for (auto [Kind, Node] : Metadata)
    New->setMetadata(Kind, Node);
  return New;
}

/// Facts that hold for f, but not for what runs it twice.
static void dropFacts(Function &F) {
  dropEffects(F);
  F.removeFnAttr("dl-light");
  F.addFnAttr("dl-generated");
  F.addFnAttr(Attribute::NoInline);
  for (Argument &A : F.args())
    for (Attribute::AttrKind K :
         {Attribute::NoAlias, Attribute::ReadOnly, Attribute::WriteOnly,
          Attribute::ReadNone, NoCaptureKind, Attribute::Returned})
      A.removeAttr(K);
}

void FunctionChecks::wrap(const Source &S) {
  Function &F = *S.F;
  FAM.clear(F, F.getName());
  Function *Checked = moveBody(F);
  dropFacts(F);
  LLVMContext &Ctx = M.getContext();
  IRBuilder<> B(BasicBlock::Create(Ctx, "entry", &F));
  BasicBlock *Run = BasicBlock::Create(Ctx, "dl.check", &F);
  BasicBlock *Done = BasicBlock::Create(Ctx, "dl.check.done", &F);
  auto *Ty = ArrayType::get(B.getInt64Ty(), S.Arguments.size());
  Value *Places = B.CreateAlloca(Ty, nullptr, "dl.places");
  for (auto [I, Argument] : enumerate(S.Arguments))
    B.CreateStore(Argument < 0
                      ? B.getInt64(0)
                      : B.CreatePtrToInt(F.getArg(Argument), B.getInt64Ty()),
                  B.CreateConstInBoundsGEP2_64(Ty, Places, 0, I));
  Value *Frame = B.CreateIntrinsic(
      Intrinsic::frameaddress, {PointerType::getUnqual(Ctx)}, {B.getInt32(0)});
  Value *Log =
      B.CreateCall(&getCheckFunction(M, "begin"), {S.Kernel, Frame}, "dl.log");
  SmallVector<Value *, 8> Args(make_pointer_range(F.args()));
  Args.push_back(Log);
  CallInst *Expected = B.CreateCall(S.Copies.front(), Args);
  Expected->setCallingConv(S.Copies.front()->getCallingConv());
  Value *Goes = B.CreateCall(&getCheckFunction(M, "swap"), Log);
  B.CreateCondBr(B.CreateIsNotNull(Goes), Run, Done);
  B.SetInsertPoint(Run);
  Args.pop_back();
  CallInst *Got = B.CreateCall(Checked, Args);
  Got->setCallingConv(Checked->getCallingConv());
  if (!F.getReturnType()->isVoidTy()) {
    auto [Class, Bytes] = getCheckElement(F.getReturnType(), M.getDataLayout());
    B.CreateCall(&getCheckFunction(M, "value"),
                 {Log, B.CreateGlobalString("what is returned"),
                  B.getInt32(Class), B.getInt32(Bytes), emitCheckBits(B, Got),
                  emitCheckBits(B, Expected)});
  }
  B.CreateCall(&getCheckFunction(M, "end"), {Log, Places});
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Expected);
}

void FunctionChecks::apply(function_ref<bool(const Function &)> HasChanged) {
  for (const Source &S : Sources) {
    if (HasChanged(*S.F)) {
      wrap(S);
      continue;
    }
    for (Function *Copy : S.Copies)
      Copy->dropAllReferences();
    for (Function *Copy : S.Copies)
      Copy->eraseFromParent();
    S.Kernel->eraseFromParent();
  }
  Sources.clear();
}
