//===- LibraryTest.cpp - Which library the program meets ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Calls a function of the math library at the probes of its models, one after
/// the other:
///
///   i8 dl.has.exp() {
///     if (known) return known - 1;       ; one byte, relaxed
///     number = 0;
///     if (expf(x) == y for all probes x, y of model 1) number = 1;
///     else if (... of model 2) number = 2;
///     known = number + 1;
///     return number;
///   }
///
/// A second thread may ask the same; it comes to the same answer.
///
//===----------------------------------------------------------------------===//
#include "BodyLower.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/Identical.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {

/// The table of \p M called \p Name, one for all functions that ask.
static GlobalVariable *getTable(Module &M, const Twine &Name,
                                ArrayRef<uint32_t> Numbers) {
  LLVMContext &C = M.getContext();
  Constant *Table = ConstantDataArray::get(C, Numbers);
  GlobalVariable *V = M.getGlobalVariable(Name.str(), true);
  if (V && V->isConstant() && V->hasInitializer() &&
      V->getInitializer() == Table)
    return V;
  V = new GlobalVariable(M, Table->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, Table, Name);
  V->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return V;
}

/// Whether \p O returns what \p Model does for all probes; \p B is behind them
/// then.
static Value *emitProbes(IRBuilderBase &B, const MathModel &Model, const Op &O,
                         const Twine &Name) {
  // The arguments of a probe, and its result, are one behind the other.
  unsigned NumArgs = getNumArgs(Model.Function), Size = NumArgs + 1;
  SmallVector<uint32_t, 128> Bits;
  for (const MathProbe &P : Model.Probes)
    append_range(Bits, ArrayRef(P.Bits).take_front(Size));
  BasicBlock *Start = B.GetInsertBlock();
  Function &F = *Start->getParent();
  auto *Loop = BasicBlock::Create(B.getContext(), "probe", &F),
       *Done = BasicBlock::Create(B.getContext(), "probed", &F);
  Type *Int = B.getInt32Ty();
  Module &M = *F.getParent();
  GlobalVariable *Table = getTable(M, Name + ".probes", Bits);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Index = B.CreatePHI(B.getInt64Ty(), 2),
          *Fits = B.CreatePHI(B.getInt1Ty(), 2);
  auto GetAddress = [&](unsigned I) {
    return B.CreateGEP(Int, Table, B.CreateAdd(Index, B.getInt64(I)));
  };
  SmallVector<Value *, 2> Args;
  // Volatile: no compiler's library is asked for the result of a constant.
  for (unsigned A = 0; A != NumArgs; ++A)
    Args.push_back(
        B.CreateLoad(B.getFloatTy(), GetAddress(A), /*isVolatile=*/true));
  Kernel None;
  Value *Result = ScalarContext(B, None).getOp(O, Args);
  Value *IsSame = B.CreateICmpEQ(B.CreateBitCast(Result, Int),
                                 B.CreateLoad(Int, GetAddress(NumArgs)));
  if (DLOPT_PLANTED(LibraryUntested))
    IsSame = B.getTrue();
  Value *Fit = B.CreateAnd(Fits, IsSame);
  Value *Next = B.CreateAdd(Index, B.getInt64(Size));
  Index->addIncoming(B.getInt64(0), Start);
  Index->addIncoming(Next, Loop);
  Fits->addIncoming(B.getTrue(), Start);
  Fits->addIncoming(Fit, Loop);
  B.CreateCondBr(B.CreateICmpULT(Next, B.getInt64(Bits.size())), Loop, Done);
  B.SetInsertPoint(Done);
  return Fit;
}

static std::string getTestName(MathFunction F) {
  return ("dl.has." + getName(F)).str();
}

/// The byte of \p M in which is kept what is known of \p F.
static GlobalVariable *getKnown(Module &M, MathFunction F) {
  std::string KnownName = getTestName(F) + ".known";
  if (GlobalVariable *Known = M.getGlobalVariable(KnownName, true))
    return Known;
  Type *Byte = Type::getInt8Ty(M.getContext());
  return new GlobalVariable(M, Byte, /*isConstant=*/false,
                            GlobalValue::InternalLinkage,
                            ConstantInt::get(Byte, 0), KnownName);
}

/// Relaxed.
template <typename T> static void makeAtomic(T *Access) {
  Access->setAtomic(AtomicOrdering::Monotonic);
  Access->setAlignment(Align(1));
}

Function *getLibraryTest(const Function &Served, MathFunction Of, const Op &O) {
  Module &M = *const_cast<Module *>(Served.getParent());
  LLVMContext &C = M.getContext();
  std::string Name = getTestName(Of);
  Function *F = createGeneratedTest(
      Served, Name, FunctionType::get(Type::getInt8Ty(C), false));
  GlobalVariable *Known = getKnown(M, Of);
  auto *Entry = BasicBlock::Create(C, "entry", F),
       *IsKnown = BasicBlock::Create(C, "known", F),
       *Ask = BasicBlock::Create(C, "ask", F),
       *Found = BasicBlock::Create(C, "found", F);
  IRBuilder<> B(Entry);
  LoadInst *Load = B.CreateLoad(B.getInt8Ty(), Known);
  makeAtomic(Load);
  B.CreateCondBr(B.CreateICmpNE(Load, B.getInt8(0)), IsKnown, Ask);
  B.SetInsertPoint(IsKnown);
  B.CreateRet(B.CreateSub(Load, B.getInt8(1)));
  B.SetInsertPoint(Found);
  PHINode *Number = B.CreatePHI(B.getInt8Ty(), 2);
  makeAtomic(B.CreateStore(B.CreateAdd(Number, B.getInt8(1)), Known));
  B.CreateRet(Number);
  B.SetInsertPoint(Ask);
  for (auto [I, Model] : enumerate(getMathModels(Of))) {
    Value *Fits = emitProbes(B, Model, O, Name + "." + Twine(I + 1));
    Number->addIncoming(B.getInt8(I + 1), B.GetInsertBlock());
    auto *Next = BasicBlock::Create(C, "next", F);
    B.CreateCondBr(Fits, Found, Next);
    B.SetInsertPoint(Next);
  }
  Number->addIncoming(B.getInt8(0), B.GetInsertBlock());
  B.CreateBr(Found);
  return reuseIdentical(F);
}

Value *emitKnownModel(IRBuilderBase &B, MathFunction F) {
  Module &M = *B.GetInsertBlock()->getModule();
  LoadInst *Load = B.CreateLoad(B.getInt8Ty(), getKnown(M, F));
  makeAtomic(Load);
  return B.CreateSub(Load, B.getInt8(1));
}

void forEachModel(const Kernel &K, const MathPlan &Plan,
                  function_ref<void(const MathModel &, const Op &)> Visit) {
  SmallPtrSet<const MathModel *, 2> Seen;
  bool SaysLanes = K.isScheduled();
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    if (SaysLanes && (Around.empty() || !K.Axes[Around.back()].Schedule.Lanes))
      return;
    for (const Op &O : L.Ops)
      if (const MathModel *Model = getMathModel(O, Plan);
          Model && Seen.insert(Model).second)
        Visit(*Model, O);
  });
}

bool areModelsKnown(const Module &M, const Kernel &K, const MathPlan &Plan) {
  bool AreKnown = true;
  forEachModel(K, Plan, [&](const MathModel &Model, const Op &) {
    AreKnown &= Plan.Accuracy == MathAccuracy::Correct ||
                getKnownModel(M, Model.Function, Plan) != 0;
  });
  return AreKnown;
}

} // namespace dlopt
