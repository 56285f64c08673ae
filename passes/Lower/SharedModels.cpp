//===- SharedModels.cpp - The library's functions as functions of lanes ---===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What computes a function with the library's bits is a hundred operations and
/// more, and calls of the library behind them. Both are there once for all
/// loops of a module that have the same target:
///
///   <16 x float> dl.math.exp.0(<16 x float> x)       ; of one model
///   <16 x float> dl.math.exp.ask.0(<16 x float> y, <16 x float> x, i64 lanes)
///
//===----------------------------------------------------------------------===//
#include "LaneModels.h"
#include "dlopt/CorrectMath.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace dlopt {

/// What decides how code for \p O looks, but for the attributes of the
/// function.
static std::string getKey(const Twine &What, const Op &O, const MathPlan &Plan,
                          ArrayRef<Value *> Args) {
  std::string Key;
  raw_string_ostream OS(Key);
  for (const Value *V : Args)
    OS << *V->getType() << ' ';
  if (DLOPT_PLANTED(ModelKeyCutShort))
    return Key;
  OS << What << " of ";
  if (O.K == Op::LibCall)
    OS << O.Callee << (O.WritesErrno ? " errno" : "");
  else
    OS << "intrinsic " << O.Opcode;
  O.FMF.print(OS << ' ');
  OS << ' ' << getName(Plan.Accuracy) << ' ' << Plan.Math.VectorBits
     << (Plan.Math.HasFMA ? " fused" : "")
     << (Plan.Math.HasScaling ? " scaling" : "")
     << (Plan.Math.HasPermutations ? " permutes" : "")
     << (Plan.Math.HasTables ? " tables" : "")
     << (Plan.Math.HasWideVectors ? " wide" : "");
  return Key;
}

/// Attributes of a function that is called with vectors by \p Served: both have
/// to agree on how these are passed.
static AttributeSet getAttributes(const Function &Served, StringRef Key,
                                  bool IsHot) {
  AttrBuilder Attrs = getGeneratedAttributes(Served, Key);
  Attrs.removeAttribute(Attribute::StackAlignment);
  Attrs.addAttribute(Attribute::NoInline);
  if (IsHot)
    markShared(Attrs);
  else
    Attrs.addAttribute(Attribute::Cold);
  for (StringRef Kind : {"min-legal-vector-width", "prefer-vector-width"}) {
    Attrs.removeAttribute(Kind);
    if (Attribute A = Served.getFnAttribute(Kind); A.isValid())
      Attrs.addAttribute(A);
  }
  return AttributeSet::get(Served.getContext(), Attrs);
}

/// The function \p Name of \p Args, which returns what \p Emit makes of them.
Value *LaneModels::share(const Twine &Name, const Twine &Key, const Op &O,
                         ArrayRef<Value *> Args, bool IsHot, SharedBody Emit) {
  const Function &Served = *B.GetInsertBlock()->getParent();
  AttributeSet Attrs = getAttributes(Served, getKey(Key, O, Plan, Args), IsHot);
  Function *F = findGenerated(Served, Attrs);
  if (!F) {
    SmallVector<Type *, 4> Types;
    for (const Value *V : Args)
      Types.push_back(V->getType());
    SmallVector<StringRef, 4> Names(Args.size(), "");
    std::string Prefix = ("dl.math." + Name + ".").str();
    F = createGenerated(Served, getFreeName(*Served.getParent(), Prefix), Types,
                        Names, Attrs, Args.front()->getType());
    IRBuilder<> Own(BasicBlock::Create(B.getContext(), "entry", F));
    const Kernel None;
    ScalarContext Context(Own, None);
    LaneModels Models(Context, Plan);
    SmallVector<Value *, 4> Params;
    for (Argument &A : F->args()) {
      // Lanes that nobody looks at may be anything.
      A.removeAttr(Attribute::NoUndef);
      Params.push_back(&A);
    }
    Own.CreateRet(Emit(Models, Params));
    for (Instruction &I : instructions(*F))
      I.dropUnknownNonDebugMetadata(
          {LLVMContext::MD_loop, LLVMContext::MD_prof});
  }
  return B.CreateCall(F, Args);
}

/// No more registers than that have no room for the constants of a model beside
/// what is computed: a call costs next to nothing there.
static constexpr unsigned ConstantsInMemory = 16;

Value *LaneModels::computeShared(const MathModel &Model, const Op &O,
                                 ArrayRef<Value *> X, Value *Mask) {
  bool IsOrdered =
      any_of(Ordered, [&](const OrderedCall &C) { return C.Function == &O; });
  auto *Ty = dyn_cast<FixedVectorType>(X.front()->getType());
  if (!Ty || IsOrdered || Plan.Math.NumVectorRegs > ConstantsInMemory)
    return computeBy(Model, O, X, Mask);
  SmallVector<Value *, 4> Args(X);
  // As registers have it that are compared.
  if (Mask)
    Args.push_back(B.CreateSExt(Mask, Ty->getWithNewType(B.getInt32Ty())));
  ArrayRef<MathModel> All = Plan.Accuracy == MathAccuracy::Correct
                                ? *getCorrectMath(Model.Function)
                                : getMathModels(Model.Function);
  return share(getName(Model.Function),
               "model " + Twine(&Model - All.begin()) + (Mask ? " masked" : ""),
               O, Args, /*IsHot=*/true,
               [&](LaneModels &Own, ArrayRef<Value *> Params) {
                 Value *Lanes = nullptr;
                 if (Mask) {
                   Lanes = Own.B.CreateIsNotNull(Params.back());
                   Params = Params.drop_back();
                 }
                 return Own.computeBy(Model, O, Params, Lanes);
               });
}

Value *LaneModels::callShared(const Op &O, ArrayRef<Value *> X, Value *Result,
                              Value *Left) {
  if (!isa<FixedVectorType>(Result->getType()))
    return callIn(O, X, Result, Left);
  SmallVector<Value *, 4> Args = {Result};
  append_range(Args, X);
  Args.push_back(Left);
  // Intrinsics have no callee.
  StringRef Name =
      O.K == Op::LibCall ? StringRef(O.Callee) : getName(*getMathFunction(O));
  return share(Name + ".ask", "calls", O, Args, /*IsHot=*/false,
               [&](LaneModels &Own, ArrayRef<Value *> Params) {
                 return Own.callIn(O, Params.drop_front().drop_back(),
                                   Params.front(), Params.back());
               });
}

} // namespace dlopt
