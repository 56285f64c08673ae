//===- Contraction.cpp - The functions of a contraction -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Contraction.h"
#include "CacheLines.h"
#include "ContractionEmitter.h"
#include "dlopt/CPUFeatures.h"
#include "dlopt/GeneratedDebugInfo.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace dlopt {
using namespace contraction;
namespace {

void printBlocks(const PackedBlocks &P, raw_ostream &OS) {
  OS << " kc=" << P.KC << " nc=" << P.NC << " sums=" << P.SumRows << '/'
     << P.SumKC << 'x' << P.SumNC << " rows-of-a=" << P.RowsOfA;
}

std::string getKey(const ContractionSpec &S, const ContractionPlan &P) {
  std::string Key;
  raw_string_ostream OS(Key);
  static constexpr StringLiteral Combs[] = {"fmuladd", "fma", "muladd"};
  OS << S.getName() << ' ' << Combs[S.Comb]
     << (S.Subtracts ? " subtracted" : "");
  S.MulFlags.print(OS << ' ');
  S.AddFlags.print(OS << " /");
  if (DLOPT_PLANTED(KeyCutShort))
    return Key;
  if (S.OperandTy)
    OS << " of " << getName(*S.OperandTy);
  if (S.OutputTy)
    OS << " to " << getName(*S.OutputTy);
  if (!S.FactorA.empty())
    S.FactorA.print(OS << " a(");
  if (!S.FactorB.empty())
    S.FactorB.print(OS << " b(");
  if (S.Scale)
    S.ScaleFlags.print(OS << " scaled by " << *S.Scale << ' ');
  if (!S.Epilogue.isTrivial() || S.makesFactors() || S.Scale)
    S.Epilogue.print(OS << " epilogue(");
  if (S.hasResultSteps())
    OS << (S.StepC != 1 ? " stepped" : "")
       << (S.StepsOfStart ? " stepped-start" : "");
  if (S.isTriangle())
    OS << (S.Elements == ContractionSpec::LowerTriangle ? " lower" : " upper");
  if (S.SingleRow && S.hasRowKernel())
    OS << " single row";
  if (S.hasSteps())
    OS << " steps=" << S.StepA << ',' << S.StepB;
  OS << ' ' << P.TileRows << 'x' << P.TileVectors << 'x' << P.VectorElems
     << (P.Scalable ? " scalable" : "") << (P.GroupedA ? " grouped" : "")
     << (P.MaskedLoads ? " masked-loads" : "")
     << (P.MaskedStores ? " masked-stores" : "");
  printBlocks(P, OS);
  if (P.LargeWork)
    printBlocks(P.Large, OS << " from " << P.LargeWork << " on");
  OS << " direct=" << P.DirectBytes << " aligned=" << P.AlignedBytes
     << " unaligned=" << P.UnalignedBytes << " rows=" << P.PackRows
     << " aligned-rows=" << P.AlignedRows
     << " unaligned-rows=" << P.UnalignedRows << " unroll=" << P.UnrollK
     << (P.LanesOfA ? " lanes" : "") << " chains=" << P.MinChains
     << " groups=" << P.RowGroups << '/' << P.PairBytes
     << " a-bytes=" << P.StepBytesOfA << '/' << P.SetBytesOfA;
  if (P.FetchesNext)
    OS << " fetched=" << P.FetchedBytes << " near-rows=" << P.NearRows
       << " near=" << P.NearBytes;
  if (P.UnitSteps)
    OS << " unit-steps=(" << getKey(*S.getUnitSteps(), *P.UnitSteps) << ')';
  return Key;
}

/// The functions that do the work of one schedule.
struct Workers {
  Function *Tiles = nullptr, *Packed = nullptr, *Row = nullptr;
};

class ContractionBuilder {
public:
  ContractionBuilder(const ContractionSpec &S, const ContractionPlan &P,
                     const Function &Caller, StringRef Key,
                     const ContractionVariant *Variant = nullptr)
      : Caller(Caller), C(Caller.getContext()), Spec(S), Plan(P) {
    AttrBuilder Attrs = getGeneratedAttributes(Caller, Key);
    if (Variant)
      setVariant(Attrs, *Variant);
    Inherited = AttributeSet::get(C, Attrs);
  }
  /// The function that chooses among \p Variants and this one.
  Function *get(ArrayRef<ContractionVariant> Variants, StringRef Key,
                const DebugLoc &Loc);

private:
  ContractionBuilder(const ContractionSpec &S, const ContractionPlan &P,
                     const Function &Caller, AttributeSet Inherited)
      : Caller(Caller), C(Caller.getContext()), Spec(S), Plan(P),
        Inherited(Inherited) {}
  void emitProduct(IRBuilderBase &B, StringRef Base);
  void emitUnitSteps(IRBuilderBase &B, StringRef Base, ArrayRef<Value *> Args);
  Workers createWorkers(StringRef Base);
  void emitCalls(IRBuilderBase &B, const Workers &W,
                 MutableArrayRef<Value *> Args);
  Value *staysInPlace(IRBuilderBase &B, const TilesArgs &T);
  bool emitRowCall(IRBuilderBase &B, const Workers &W,
                   MutableArrayRef<Value *> Args);
  AttributeSet getWorkerAttributes() const;
  AttributeSet getEntryAttributes(bool Chooses) const;
  Function *createEntry(const Twine &Name, AttributeSet Attrs);
  Function *createTiles(StringRef Base);
  Function *createPacked(StringRef Base, Function &Tiles);

  const Function &Caller;
  LLVMContext &C;
  const ContractionSpec &Spec;
  const ContractionPlan &Plan;
  AttributeSet Inherited;
};

AttributeSet ContractionBuilder::getWorkerAttributes() const {
  return addWorkerAttributes(
      C, Inherited, uint64_t(Plan.VectorElems) * getSizeInBytes(Spec.Ty) * 8);
}

/// The function that is called has no vectors and, where it chooses by size
/// alone, two calls.
AttributeSet ContractionBuilder::getEntryAttributes(bool Chooses) const {
  return Inherited.addAttribute(C, Chooses ? Attribute::NoInline
                                           : Attribute::AlwaysInline);
}

Function *ContractionBuilder::createTiles(StringRef Base) {
  Type *Ptr = PointerType::get(C, 0), *Int = Type::getInt64Ty(C);
  SmallVector<Type *, 14> Params = {Ptr, Int, Ptr, Int, Ptr, Int, Int,
                                    Ptr, Int, Int, Int, Int, Int};
  SmallVector<StringRef, 14> Names = {"C",   "ldc",        "A", "lda", "B",
                                      "ldb", "panel.step", "S", "srs", "scs",
                                      "M",   "N",          "K"};
  bool HasLast = Spec.hasResults();
  if (HasLast) {
    Params.push_back(Type::getInt1Ty(C));
    Names.push_back("last");
  }
  size_t First = Params.size();
  appendOperandTypes(Spec, C, Params, Names);
  if (Spec.StepC != 1) {
    Params.push_back(Type::getInt64Ty(C));
    Names.push_back("step.c");
  }
  if (Spec.isTriangle()) {
    Params.push_back(Type::getInt64Ty(C));
    Names.push_back("diagonal");
  }
  if (Plan.MayStayA) {
    Params.push_back(Type::getInt64Ty(C));
    Names.push_back("step.a");
  }
  if (Plan.FetchesNext) {
    Params.append({Ptr, Int});
    Names.append({"next", "next.ld"});
  }
  Function *F = createGenerated(Caller, Base + ".tiles", Params, Names,
                                getWorkerAttributes());
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  auto Arg = [&](unsigned I) { return F->getArg(I); };
  TilesArgs T = {Arg(0),  Arg(1),
                 Arg(2),  Arg(3),
                 Arg(4),  Arg(5),
                 Arg(6),  Arg(7),
                 Arg(8),  Arg(9),
                 Arg(10), Arg(11),
                 Arg(12), HasLast ? Arg(13) : nullptr};
  for (Argument &X : drop_begin(F->args(), First))
    T.Operands.push_back(&X);
  if (Plan.FetchesNext) {
    T.NextLd = T.Operands.pop_back_val();
    T.Next = T.Operands.pop_back_val();
  }
  if (Plan.MayStayA)
    T.StepA = T.Operands.pop_back_val();
  if (Spec.isTriangle())
    T.Diagonal = T.Operands.pop_back_val();
  if (Spec.StepC != 1)
    T.StepC = T.Operands.pop_back_val();
  emitTiles(B, Spec, Plan, T);
  B.CreateRetVoid();
  return F;
}

/// A function with the arguments of the whole product.
Function *ContractionBuilder::createEntry(const Twine &Name,
                                          AttributeSet Attrs) {
  Type *Ptr = PointerType::get(C, 0), *Int = Type::getInt64Ty(C);
  SmallVector<Type *, 16> Types = {Ptr, Int, Ptr, Int, Ptr, Int,
                                   Ptr, Int, Int, Int, Int, Int};
  SmallVector<StringRef, 16> Names = {"C", "ldc", "A",   "lda", "B", "ldb",
                                      "S", "srs", "scs", "M",   "N", "K"};
  appendOperandTypes(Spec, C, Types, Names);
  for (auto [Step, StepName] :
       {std::pair(Spec.StepA, "step.a"), std::pair(Spec.StepB, "step.b"),
        std::pair(Spec.StepC, "step.c")})
    if (Step == ContractionSpec::AnyStep) {
      Types.push_back(Int);
      Names.push_back(StepName);
    }
  if (Spec.isTriangle()) {
    Types.push_back(Int);
    Names.push_back("diagonal");
  }
  return createGenerated(Caller, Name, Types, Names, Attrs);
}

Function *ContractionBuilder::createPacked(StringRef Base, Function &Tiles) {
  // Its loops copy, or call .tiles: aligned and unrolled they are no faster.
  Function *F = createEntry(
      Base + ".packed",
      getWorkerAttributes().addAttribute(C, Attribute::OptimizeForSize));
  emitPacked(*F, Tiles, Spec, Plan);
  return F;
}

Workers ContractionBuilder::createWorkers(StringRef Base) {
  Workers W;
  if (Spec.hasRowKernel()) {
    W.Row = createEntry(Base + ".row", getWorkerAttributes());
    emitRow(*W.Row, Spec, Plan);
    if (Spec.SingleRow)
      return W;
  }
  W.Tiles = createTiles(Base);
  W.Packed = Plan.KC ? createPacked(Base, *W.Tiles) : nullptr;
  return W;
}

/// A single row: whole vectors of columns by .row, and \p Args becomes the rest
/// of them, if there is any. True: there are no other rows.
bool ContractionBuilder::emitRowCall(IRBuilderBase &B, const Workers &W,
                                     MutableArrayRef<Value *> Args) {
  if (Spec.SingleRow) {
    B.CreateCall(W.Row, Args);
    B.CreateRetVoid();
    return true;
  }
  Function *F = B.GetInsertBlock()->getParent();
  auto *One = BasicBlock::Create(C, "one.row", F);
  auto *Done = BasicBlock::Create(C, "done", F);
  auto *Rest = BasicBlock::Create(C, "rest", F);
  BasicBlock *Before = B.GetInsertBlock();
  Value *M = Args[9], *N = Args[10], *Zero = B.getInt64(0);
  B.CreateCondBr(B.CreateICmpEQ(M, B.getInt64(1)), One, Rest);
  B.SetInsertPoint(One);
  B.CreateCall(W.Row, Args);
  Value *Whole = B.CreateAnd(N, B.getInt64(-uint64_t(getRowLanes(Spec, Plan))));
  Value *IsWhole =
      DLOPT_PLANTED(RowRestDropped) ? B.getTrue() : B.CreateICmpEQ(Whole, N);
  B.CreateCondBr(IsWhole, Done, Rest);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  B.SetInsertPoint(Rest);
  PHINode *J = B.CreatePHI(B.getInt64Ty(), 2);
  J->addIncoming(Zero, Before);
  J->addIncoming(Whole, One);
  auto Advance = [&](unsigned I, ScalarType Ty, Value *Stride) {
    Args[I] = B.CreateGEP(getIRType(Ty, C), Args[I], B.CreateMul(J, Stride));
  };
  Advance(0, Spec.getOutputTy(), B.getInt64(1));
  Advance(4, Spec.Ty, Args[5]);
  Advance(6, Spec.Ty, Args[8]);
  Args[10] = B.CreateSub(N, J);
  advanceOperands(B, Spec, Args.drop_front(NumEntryArgs), Zero, J);
  return false;
}

/// Whether A and B are multiplied where they lie, all of B at once.
Value *ContractionBuilder::staysInPlace(IRBuilderBase &B, const TilesArgs &T) {
  Value *RowBytes =
      B.CreateMul(T.Ldb, B.getInt64(getSizeInBytes(Spec.getOperandTy())));
  Value *Starts = B.CreateOr(B.CreatePtrToInt(T.B, B.getInt64Ty()), RowBytes);
  Value *IsAligned =
      B.CreateICmpEQ(B.CreateAnd(Starts, B.getInt64(CacheLineBytes - 1)),
                     B.getInt64(0), "aligned");
  auto Select = [&](uint64_t Aligned, uint64_t Unaligned) {
    return B.CreateSelect(IsAligned, B.getInt64(Aligned),
                          B.getInt64(Unaligned));
  };
  Value *Most = Select(Plan.AlignedBytes, Plan.UnalignedBytes);
  Value *Few =
      B.CreateICmpULT(T.M, Select(Plan.AlignedRows, Plan.UnalignedRows));
  Most = B.CreateSelect(Few, B.getInt64(Plan.DirectBytes), Most);
  // Rows of B that lie far apart fill the same few sets of the cache.
  if (Spec.hasSteps())
    RowBytes = B.CreateBinaryIntrinsic(Intrinsic::abs, RowBytes, B.getFalse());
  Value *Stays = B.CreateICmpULE(B.CreateMul(T.K, RowBytes), Most);
  return Plan.MayStayA ? B.CreateAnd(Stays, staysA(B, Spec, Plan, T)) : Stays;
}

/// Calls \p W with the arguments \p Args of the whole product, and returns.
void ContractionBuilder::emitCalls(IRBuilderBase &B, const Workers &W,
                                   MutableArrayRef<Value *> Args) {
  Function &F = *B.GetInsertBlock()->getParent();
  TilesArgs T = {Args[0], Args[1],       Args[2],  Args[3], Args[4],
                 Args[5], B.getInt64(1), Args[6],  Args[7], Args[8],
                 Args[9], Args[10],      Args[11], nullptr};
  if (Spec.hasResults())
    T.Last = B.getTrue();
  if (Plan.FetchesNext)
    T.setNoNext(B);
  T.Operands.append(Args.begin() + NumEntryArgs, Args.end());
  if (Spec.isTriangle())
    T.Diagonal = T.Operands.pop_back_val();
  if (Spec.StepC != 1)
    T.StepC = T.Operands.pop_back_val();
  if (W.Row && emitRowCall(B, W, Args))
    return;
  if (!Plan.MayStay) {
    B.CreateCall(W.Packed, Args);
    B.CreateRetVoid();
    return;
  }
  if (W.Packed) {
    auto *InPlace = BasicBlock::Create(B.getContext(), "small", &F);
    auto *Large = BasicBlock::Create(B.getContext(), "large", &F);
    B.CreateCondBr(staysInPlace(B, T), InPlace, Large);
    B.SetInsertPoint(Large);
    B.CreateCall(W.Packed, Args);
    B.CreateRetVoid();
    B.SetInsertPoint(InPlace);
  }
  callTiles(B, *W.Tiles, Plan.MayStayA ? getInPlaceA(B, T) : T);
  B.CreateRetVoid();
}

/// Where all steps that are arguments turn out to be 1, the product without
/// them. Rows of C that are as long as they are far apart do not overlap.
void ContractionBuilder::emitUnitSteps(IRBuilderBase &B, StringRef Base,
                                       ArrayRef<Value *> Args) {
  ContractionSpec Unit = *Spec.getUnitSteps();
  Value *One = B.getInt64(1), *Holds = B.getTrue();
  auto Test = [&](Value *Condition) {
    if (!DLOPT_PLANTED(UnitStepsUnasked))
      Holds = B.CreateAnd(Holds, Condition);
  };
  SmallVector<Value *, 16> Rest(Args.take_front(NumEntryArgs));
  if (Spec.StepsOfStart)
    Test(B.CreateICmpULE(Args[8], One));
  ArrayRef<Value *> Extras = Args.drop_front(NumEntryArgs);
  for (const auto &O : Spec.Epilogue.Operands) {
    for (auto [I, X] : enumerate(Extras.take_front(getNumArgs(O))))
      if (O.Stepped && I == 2)
        Test(B.CreateICmpEQ(X, One));
      else
        Rest.push_back(X);
    Extras = Extras.drop_front(getNumArgs(O));
  }
  for (int64_t Step : {Spec.StepA, Spec.StepB, Spec.StepC})
    if (Step == ContractionSpec::AnyStep) {
      Test(B.CreateICmpEQ(Extras.front(), One));
      Extras = Extras.drop_front();
    }
  if (Spec.StepC != 1)
    Test(B.CreateOr(B.CreateICmpUGE(Args[1], Args[10]),
                    B.CreateICmpEQ(Args[9], One)));
  Rest.append(Extras.begin(), Extras.end());
  Function *F = B.GetInsertBlock()->getParent();
  auto *Adjacent = BasicBlock::Create(C, "unit.steps", F);
  auto *Apart = BasicBlock::Create(C, "any.steps", F);
  B.CreateCondBr(Holds, Adjacent, Apart);
  B.SetInsertPoint(Adjacent);
  ContractionBuilder Other(Unit, *Plan.UnitSteps, Caller, Inherited);
  Other.emitCalls(B, Other.createWorkers((Base + ".unit").str()), Rest);
  B.SetInsertPoint(Apart);
}

/// The product, with the arguments of the function that is being built.
void ContractionBuilder::emitProduct(IRBuilderBase &B, StringRef Base) {
  SmallVector<Value *, 16> Args;
  for (Argument &A : B.GetInsertBlock()->getParent()->args())
    Args.push_back(&A);
  if (Plan.UnitSteps)
    emitUnitSteps(B, Base, Args);
  emitCalls(B, createWorkers(Base), Args);
}

Function *ContractionBuilder::get(ArrayRef<ContractionVariant> Variants,
                                  StringRef Key, const DebugLoc &Loc) {
  AttributeSet Wanted = getEntryAttributes(!Variants.empty());
  std::string Name = Spec.getName();
  StringRef Kind = StringRef(Name).rsplit('.').first;
  SourceSite Site = {Caller, Kind, Loc, Spec.SumLoc};
  if (Function *Old = findGenerated(Caller, Wanted)) {
    addSite(*Old, Site);
    return Old;
  }
  std::string Base = getFreeName(*Caller.getParent(), "dl." + Name + ".");
  Function *Entry = createEntry(Base, Wanted);
  IRBuilder<> B(BasicBlock::Create(C, "entry", Entry));
  Value *Features = Variants.empty() ? nullptr : loadCPUFeatures(B);
  for (const ContractionVariant &V : Variants) {
    ContractionBuilder Other(V.Spec, V.Plan, Caller, Key, &V);
    BasicBlock *HasNot = branchIfSupported(B, Features, V);
    Other.emitProduct(B, Base + "." + V.Name);
    B.SetInsertPoint(HasNot);
  }
  emitProduct(B, Base);
  addDebugInfo(Base, Site);
  return Entry;
}

} // namespace

bool ContractionSpec::hasRowKernel() const {
  return TransB && !makesFactors() && !hasSteps() && !isTriangle() &&
         !hasResultSteps();
}

bool ContractionSpec::usesDots() const {
  return hasRowKernel() && !TransA && !Subtracts && Comb != FMA && !Scale &&
         (AddFlags.allowReassoc() || DLOPT_PLANTED(DotsInvented));
}

bool ContractionSpec::hasResultSteps() const {
  return StepC != 1 || StepsOfStart ||
         any_of(Epilogue.Operands, [](const auto &O) { return O.Stepped; });
}

std::optional<ContractionSpec> ContractionSpec::getUnitSteps() const {
  ContractionSpec Unit = *this;
  bool Changed = StepsOfStart;
  for (int64_t *Step : {&Unit.StepA, &Unit.StepB, &Unit.StepC})
    if (*Step == AnyStep) {
      *Step = 1;
      Changed = true;
    }
  Unit.StepsOfStart = false;
  for (ContractionEpilogue::Operand &O : Unit.Epilogue.Operands) {
    Changed |= O.Stepped;
    O.Stepped = false;
  }
  if (!Changed)
    return std::nullopt;
  return Unit;
}

std::string ContractionSpec::getName() const {
  return (Twine("matmul.") + (TransA ? "t" : "n") + (TransB ? "t." : "n.") +
          dlopt::getName(Ty))
      .str();
}

Function *getOrCreateContraction(const ContractionSpec &S,
                                 const ContractionPlan &P,
                                 const Function &Caller,
                                 ArrayRef<ContractionVariant> Variants,
                                 const DebugLoc &Loc) {
  std::string Key = getKey(S, P);
  for (const ContractionVariant &V : Variants)
    Key += " | " + V.Name + ' ' + getKey(V.Spec, V.Plan);
  return ContractionBuilder(S, P, Caller, Key).get(Variants, Key, Loc);
}

} // namespace dlopt
