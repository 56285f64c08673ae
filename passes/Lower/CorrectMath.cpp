//===- CorrectMath.cpp - Correctly rounded functions of float -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/CorrectMath.h"
#include "CorrectFormulas.h"
#include "MathFormulas.h"
#include "dlopt/Compat.h"
#include "dlopt/CorrectCalls.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/Identical.h"
#include "dlopt/Options.h"
#include "dlopt/Target.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

enum class CorrectResults { Normal, Any };

struct CorrectMath {
  MathModel Fast;
  CorrectFormula *Slow;
};

} // namespace

static MathPairs getPairs(MathFunction F) {
#define DLOPT_CORRECT_PAIRS(FUNCTION, FORMULA, LANES)                          \
  if (F == MathFunction::FUNCTION)                                             \
    return {emit##FORMULA, LANES};
#include "CorrectMath.def"
  return {};
}

static const CorrectMath Table[] = {
#define DLOPT_CORRECT_MATH(FUNCTION, FORMULA, WINDOW, LEAST, GREATEST,         \
                           RESULTS, SLOW)                                      \
  {{MathFunction::FUNCTION,                                                    \
    emit##FORMULA,                                                             \
    WINDOW,                                                                    \
    LEAST,                                                                     \
    GREATEST,                                                                  \
    {},                                                                        \
    /*ProbesAllNear=*/false,                                                   \
    CorrectResults::RESULTS == CorrectResults::Any,                            \
    0,                                                                         \
    0,                                                                         \
    getPairs(MathFunction::FUNCTION)},                                         \
   emit##SLOW},
#include "CorrectMath.def"
};

static const CorrectMath *find(MathFunction F) {
  const auto *It = find_if(
      Table, [&](const CorrectMath &C) { return C.Fast.Function == F; });
  return It == std::end(Table) ? nullptr : It;
}

const MathModel *getCorrectMath(MathFunction F) {
  const CorrectMath *C = find(F);
  return C ? &C->Fast : nullptr;
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

Value *emitIf(MathBuilder &M, Value *C, function_ref<Value *()> Compute,
              Value *Other) {
  IRBuilderBase &B = M.B;
  BasicBlock *Before = B.GetInsertBlock();
  Function *F = Before->getParent();
  auto *Then = BasicBlock::Create(B.getContext(), "number", F),
       *Done = BasicBlock::Create(B.getContext(), "any", F);
  B.CreateCondBr(C, Then, Done);
  B.SetInsertPoint(Then);
  Value *Y = Compute();
  Then = B.GetInsertBlock();
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  PHINode *Result = B.CreatePHI(M.Ty, 2);
  Result->addIncoming(Other, Before);
  Result->addIncoming(Y, Then);
  return Result;
}

static FunctionType *getFunctionType(LLVMContext &C, MathFunction F) {
  Type *Float = Type::getFloatTy(C);
  SmallVector<Type *, 2> Params(getNumArgs(F), Float);
  return FunctionType::get(Float, Params, /*isVarArg=*/false);
}

/// A branch that is rarely taken.
static void branchToSlow(IRBuilderBase &B, Value *Calls, BasicBlock *Slow,
                         BasicBlock *Done) {
  B.CreateCondBr(Calls, Slow, Done,
                 MDBuilder(B.getContext()).createUnlikelyBranchWeights());
}

Function *getCorrectFunction(const Function &Served, MathFunction F,
                             const MathTarget &T) {
  const CorrectMath &C = *find(F);
  LLVMContext &Context = Served.getContext();
  Type *Float = Type::getFloatTy(Context);
  Function *Result = createShared(Served, "dl.correct." + getName(F) + "f",
                                  getFunctionType(Context, F));
  Result->setMemoryEffects(MemoryEffects::none());
  auto CreateBlock = [&](const Twine &Name) {
    return BasicBlock::Create(Context, Name, Result);
  };
  IRBuilder<> B(CreateBlock("entry"));
  BasicBlock *Slow = CreateBlock("slow");
  SmallVector<Value *, 2> Floats(make_pointer_range(Result->args()));
  ModelledLanes Y = emitModel(B, C.Fast, Floats, T);
  BasicBlock *Fast = B.GetInsertBlock(), *Done = CreateBlock("done");
  branchToSlow(B, Y.Calls.front(), Slow, Done);
  B.SetInsertPoint(Slow);
  MathBuilder M(B, B.getDoubleTy(), T);
  DoubleDoubleBuilder D(M);
  SmallVector<Value *, 2> Args;
  for (Value *X : Floats)
    Args.push_back(B.CreateFPExt(X, M.Ty));
  Value *Exact = B.CreateFPTrunc(C.Slow(D, Args), Float);
  Slow = B.GetInsertBlock();
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  PHINode *Phi = B.CreatePHI(Float, 2);
  Phi->addIncoming(Y.Result, Fast);
  Phi->addIncoming(Exact, Slow);
  B.CreateRet(Phi);
  return reuseIdentical(Result);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

Expected<MathParams> MathParams::parse(StringRef Params) {
  MathParams P;
  if (Params == "mark")
    P.Mark = true;
  else if (!Params.empty())
    return unknownParam(Params);
  return P;
}

void MathParams::print(raw_ostream &OS) const {
  if (Mark)
    OS << "mark";
}

/// Whether \p Call calls a function of the C library. Not all math functions
/// have a name in LLVM, as erfc: those are there where others are.
static bool callsLibrary(const CallBase &Call, const Function &Callee,
                         const TargetLibraryInfo &TLI) {
  LibFunc Known;
  return Callee.isDeclarationForLinker() && !Call.isNoBuiltin() &&
         (!TLI.getLibFunc(Callee, Known) || TLI.has(Known));
}

/// The function of the table that \p Call calls, by name or as an intrinsic.
static std::optional<MathFunction>
getCorrectable(const CallBase &Call, const TargetLibraryInfo &TLI) {
  const Function *Callee = Call.getCalledFunction();
  // GPUs have no library, and no calls of it.
  if (!Callee || !Call.getType()->isFloatTy() || Call.isStrictFP() ||
      !TLI.has(LibFunc_expf) || Call.isMustTailCall() ||
      Call.hasOperandBundles() || isa<InvokeInst>(Call))
    return std::nullopt;
  if (!Callee->isIntrinsic() && !callsLibrary(Call, *Callee, TLI))
    return std::nullopt;
  Op O;
  O.K = Callee->isIntrinsic() ? Op::Intrinsic : Op::LibCall;
  O.Ty = ScalarType::F32;
  O.Opcode = Callee->getIntrinsicID();
  O.Callee = Callee->getName().str();
  std::optional<MathFunction> F = getMathFunction(O);
  if (!F || !find(*F))
    return std::nullopt;
  // Not every declaration is the library's.
  FunctionType *Ty = getFunctionType(Call.getContext(), *F);
  return Callee->getFunctionType() == Ty && Call.getFunctionType() == Ty
             ? F
             : std::nullopt;
}

/// The C library's function, or null if that is another one here.
static Function *getLibraryFunction(Module &M, MathFunction F,
                                    FunctionType *Ty) {
  std::string Name = (getName(F) + "f").str();
  if (GlobalValue *Named = M.getNamedValue(Name)) {
    auto *Known = dyn_cast<Function>(Named);
    return Known && Known->isDeclaration() && Known->getFunctionType() == Ty
               ? Known
               : nullptr;
  }
  return Function::Create(Ty, GlobalValue::ExternalLinkage, Name, M);
}

/// Intrinsics become calls, which are kept as they are, where the program has
/// no function of its own that they would call.
static bool mark(CallBase &Call, MathFunction F) {
  if (Call.getCalledFunction()->isIntrinsic()) {
    Function *Library =
        getLibraryFunction(*Call.getModule(), F, Call.getFunctionType());
    if (!Library)
      return false;
    Call.setCalledFunction(Library);
  }
  markCorrect(Call, getName(F));
  return true;
}

static bool markCalls(Function &F, const TargetLibraryInfo &TLI) {
  bool Any = false;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (std::optional<MathFunction> Of = getCorrectable(*Call, TLI))
        Any |= mark(*Call, *Of);
  return Any;
}

static std::optional<MathFunction> getMarked(const CallBase &Call) {
  StringRef Name = getCorrectMark(Call);
  const auto *It = find_if(Table, [&](const CorrectMath &C) {
    return getName(C.Fast.Function) == Name;
  });
  return It == std::end(Table) ? std::nullopt
                               : std::optional(It->Fast.Function);
}

namespace {

/// The functions of a module that calls are replaced by. Those for one CPU
/// serve all code for that and newer ones.
class CorrectFunctions {
public:
  explicit CorrectFunctions(FunctionAnalysisManager &FAM) : FAM(FAM) {}
  /// Replaces the calls of \p F that are marked; true if there are any.
  bool replaceCalls(Function &F);

private:
  Function &get(Function &Caller, MathFunction Of);

  FunctionAnalysisManager &FAM;
  SmallVector<std::pair<MathFunction, Function *>, 8> Known;
};

} // namespace

Function &CorrectFunctions::get(Function &Caller, MathFunction Of) {
  const auto &TTI = FAM.getResult<TargetIRAnalysis>(Caller);
  for (auto [Function, Correct] : Known)
    if (Function == Of && Correct->getSection() == Caller.getSection() &&
        TTI.areInlineCompatible(&Caller, Correct))
      return *Correct;
  MathTarget T = getMathTarget(Caller, getTargetModel(Caller, TTI));
  Known.emplace_back(Of, getCorrectFunction(Caller, Of, T));
  return *Known.back().second;
}

bool CorrectFunctions::replaceCalls(Function &F) {
  bool Any = false;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    std::optional<MathFunction> Of = Call ? getMarked(*Call) : std::nullopt;
    if (!Of)
      continue;
    replaceMarked(*Call, get(F, *Of));
    Any = true;
  }
  return Any;
}

/// Not so on x87, whose registers have more bits.
static bool roundsOperations(const Module &M, const TargetTransformInfo &TTI) {
  Type *Double = Type::getDoubleTy(M.getContext());
  return getTriple(M).getArch() != Triple::x86 ||
         TTI.isTypeLegal(FixedVectorType::get(Double, 2));
}

PreservedAnalyses MathPass::run(Module &M, ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Any = false;
  // There will be more.
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    if (!F.isDeclaration())
      Functions.push_back(&F);
  for (Function *F : Functions) {
    // Whatever the others have done with the function; but what is generated
    // has no options: its calls are marked if those that they copy are.
    Options O = getOptions(*F, /*EvenIfProcessed=*/true);
    if (O.runs("dl-math") && O.Math == MathAccuracy::Correct &&
        !F->hasFnAttribute(Attribute::StrictFP) &&
        roundsOperations(M, FAM.getResult<TargetIRAnalysis>(*F)))
      Any |= markCalls(*F, FAM.getResult<TargetLibraryAnalysis>(*F));
  }
  CorrectFunctions Correct(FAM);
  if (!P.Mark)
    for (Function *F : Functions)
      Any |= Correct.replaceCalls(*F);
  return Any ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace dlopt
