//===- MathModels.cpp - Math functions with the library's bits ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/MathModels.h"
#include "BodyLower.h"
#include "MathBuilder.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/Identical.h"
#include "dlopt/Lanes.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Module.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

/// exp(r) up to |r| = log(2) / 2, within 2^-39.7 (a minimax polynomial by
/// Remez' algorithm, its coefficients rounded).
static constexpr double ExpPoly[] = {0x1p+0,
                                     0x1.ffffffffc4a22p-1,
                                     0x1.ffffffff9520ep-2,
                                     0x1.555555b50668ep-3,
                                     0x1.55555661fc311p-5,
                                     0x1.11106aa75d915p-7,
                                     0x1.6c14240fdb937p-10,
                                     0x1.a1c756ce69a0dp-13,
                                     0x1.a4275ab098e78p-16};

/// exp of a float, within 2^-39 of itself. n * log(2) is less than 2^7: one
/// part of log(2) leaves out 2^-47.
static Value *emitExpInDouble(MathBuilder &M, Value *X) {
  const MathFormat &F = M.Format;
  double Magic = F.Magic + F.Bias;
  Value *T = M.mulAdd(X, F.Log2E, M.num(Magic));
  Value *R = M.mulAdd(M.sub(T, Magic), -0x1.62e42fefa39efp-1, X);
  return M.mul(M.poly(R, M.mul(R, R), ExpPoly), M.pow2(T));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

#define DLOPT_MATH_PROBE(X, RESULT) {X, RESULT},
#define DLOPT_MATH_MODEL(FUNCTION, EMIT, WINDOW, LIMIT, ...)                   \
  static constexpr MathProbe FUNCTION##Probes[] = {__VA_ARGS__};
#include "MathModels.def"

static const MathModel Models[] = {
#define DLOPT_MATH_PROBE(X, RESULT)
#define DLOPT_MATH_MODEL(FUNCTION, EMIT, WINDOW, LIMIT, ...)                   \
  {MathFunction::FUNCTION, WINDOW, LIMIT, EMIT, FUNCTION##Probes},
#include "MathModels.def"
};

const MathModel *getMathModel(MathFunction F) {
  const auto *It =
      find_if(Models, [&](const MathModel &M) { return M.Function == F; });
  return It == std::end(Models) ? nullptr : It;
}

const MathModel *getMathModel(const Op &O, const LanePlan &Plan) {
  if (!Plan.Models || Plan.Scalable || O.Ty != ScalarType::F32 ||
      getInlineMath(O, Plan))
    return nullptr;
  std::optional<MathFunction> F = getMathFunction(O);
  return F ? getMathModel(*F) : nullptr;
}

bool isMathInLanes(const Op &O, const LanePlan &Plan) {
  return getInlineMath(O, Plan) || getMathModel(O, Plan);
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Lanes of \p Y, double, that are within \p Window units of float's last place
/// of the middle between two floats, all of them normal.
static Value *isNearMiddle(IRBuilderBase &B, Value *Y, double Window) {
  constexpr unsigned Dropped = 52 - 23;
  constexpr int64_t Unit = int64_t(1) << Dropped;
  auto Width = static_cast<int64_t>(std::ceil(Window * Unit));
  if (DLOPT_PLANTED(WindowTooSmall))
    Width = 1;
  auto *Ty = cast<VectorType>(Y->getType());
  Type *Bits = VectorType::get(B.getInt64Ty(), Ty->getElementCount());
  Type *Low = VectorType::get(B.getInt32Ty(), Ty->getElementCount());
  auto Number = [&](int64_t X) { return ConstantInt::getSigned(Low, X); };
  Value *Rest = B.CreateTrunc(B.CreateBitCast(Y, Bits), Low);
  Rest = B.CreateAnd(B.CreateAdd(Rest, Number(Width - Unit / 2)),
                     Number(Unit - 1));
  return B.CreateICmpSLE(Rest, Number(2 * Width));
}

ModelledMath emitModel(IRBuilderBase &B, const MathModel &Model, Value *X,
                       const MathTarget &T) {
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.clearFastMathFlags();
  B.setDefaultFPMathTag(nullptr);
  MathBuilder M(B, X->getType()->getWithNewType(B.getDoubleTy()), T);
  Value *Y = Model.Emit(M, B.CreateFPExt(X, M.Ty));
  Value *Calls = isNearMiddle(B, Y, Model.Window);
  // NaN, too.
  Value *Beyond = B.CreateFCmpUGT(B.CreateUnaryIntrinsic(Intrinsic::fabs, X),
                                  ConstantFP::get(X->getType(), Model.Limit));
  if (!DLOPT_PLANTED(RangeUntested))
    Calls = B.CreateOr(Calls, Beyond);
  return {B.CreateFPTrunc(Y, X->getType()), Calls};
}

//===----------------------------------------------------------------------===//
// Which library it is
//===----------------------------------------------------------------------===//

static Constant *getNumbers(LLVMContext &C, ArrayRef<uint32_t> Numbers) {
  return ConstantDataArray::get(C, Numbers);
}

static GlobalVariable *createTable(Function &F, const Twine &Name,
                                   ArrayRef<uint32_t> Numbers) {
  auto *V = new GlobalVariable(
      *F.getParent(),
      ArrayType::get(Type::getInt32Ty(F.getContext()), Numbers.size()),
      /*isConstant=*/true, GlobalValue::PrivateLinkage,
      getNumbers(F.getContext(), Numbers), Name);
  V->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return V;
}

/// Sets \p Known to 1 or 2, and returns whether it is 1.
static void emitProbes(Function &F, BasicBlock *Start, const MathModel &Model,
                       const Op &O, GlobalVariable &Known) {
  LLVMContext &C = F.getContext();
  SmallVector<uint32_t, 64> Inputs, Results;
  for (const MathProbe &P : Model.Probes) {
    Inputs.push_back(bit_cast<uint32_t>(P.X));
    Results.push_back(P.Result);
  }
  auto *Loop = BasicBlock::Create(C, "probe", &F),
       *Done = BasicBlock::Create(C, "probed", &F);
  IRBuilder<> B(Start);
  Type *Float = B.getFloatTy(), *Int = B.getInt32Ty();
  GlobalVariable *X = createTable(F, F.getName() + ".inputs", Inputs),
                 *Y = createTable(F, F.getName() + ".results", Results);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Index = B.CreatePHI(B.getInt64Ty(), 2),
          *Fits = B.CreatePHI(B.getInt1Ty(), 2);
  // Volatile: no compiler's library is asked for the result of a constant.
  Value *Input = B.CreateLoad(Float, B.CreateGEP(Int, X, Index),
                              /*isVolatile=*/true);
  Kernel None;
  Value *Result = ScalarContext(B, None).getOp(O, {Input});
  Value *IsSame = B.CreateICmpEQ(B.CreateBitCast(Result, Int),
                                 B.CreateLoad(Int, B.CreateGEP(Int, Y, Index)));
  if (DLOPT_PLANTED(LibraryUntested))
    IsSame = B.getTrue();
  Value *Fit = B.CreateAnd(Fits, IsSame);
  Value *Next = B.CreateAdd(Index, B.getInt64(1));
  Index->addIncoming(B.getInt64(0), Start);
  Index->addIncoming(Next, Loop);
  Fits->addIncoming(B.getTrue(), Start);
  Fits->addIncoming(Fit, Loop);
  B.CreateCondBr(B.CreateICmpULT(Next, B.getInt64(Inputs.size())), Loop, Done);
  B.SetInsertPoint(Done);
  StoreInst *Store =
      B.CreateStore(B.CreateSelect(Fit, B.getInt8(1), B.getInt8(2)), &Known);
  Store->setAtomic(AtomicOrdering::Monotonic);
  Store->setAlignment(Align(1));
  B.CreateRet(Fit);
}

Function *getLibraryTest(const Function &Served, const MathModel &Model,
                         const Op &O) {
  Module &M = *const_cast<Module *>(Served.getParent());
  LLVMContext &C = M.getContext();
  std::string Name = ("dl.has." + getName(Model.Function)).str();
  Function *F = createGeneratedTest(
      Served, Name, FunctionType::get(Type::getInt1Ty(C), false));
  // A second thread may ask the same; it comes to the same answer.
  std::string KnownName = Name + ".known";
  GlobalVariable *Known = M.getGlobalVariable(KnownName, true);
  if (!Known)
    Known =
        new GlobalVariable(M, Type::getInt8Ty(C), /*isConstant=*/false,
                           GlobalValue::InternalLinkage,
                           ConstantInt::get(Type::getInt8Ty(C), 0), KnownName);
  auto *Entry = BasicBlock::Create(C, "entry", F),
       *IsKnown = BasicBlock::Create(C, "known", F),
       *Ask = BasicBlock::Create(C, "ask", F);
  IRBuilder<> B(Entry);
  LoadInst *Load = B.CreateLoad(B.getInt8Ty(), Known);
  Load->setAtomic(AtomicOrdering::Monotonic);
  Load->setAlignment(Align(1));
  B.CreateCondBr(B.CreateICmpNE(Load, B.getInt8(0)), IsKnown, Ask);
  B.SetInsertPoint(IsKnown);
  B.CreateRet(B.CreateICmpEQ(Load, B.getInt8(1)));
  emitProbes(*F, Ask, Model, O, *Known);
  return reuseIdentical(F);
}

} // namespace dlopt
