//===- LaneFunction.cpp - Kernels with lanes as functions -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneLookup.h"
#include "LaneLower.h"
#include "dlopt/CPUFeatures.h"
#include "dlopt/GeneratedDebugInfo.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/KernelKey.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace dlopt {

LaneInputs getLaneInputs(const Kernel &K) {
  std::set<ParamId> Params;
  std::set<BufferId> Buffers;
  auto UsePoly = [&](const Poly &P) {
    K.anyNestedAtom(P, [&](const Atom &A) {
      if (A.K == Atom::Param)
        Params.insert(A.Ref);
      if (A.K == Atom::Load && !K.Buffers[A.Source.Buf].IsLocal)
        Buffers.insert(A.Source.Buf);
      return false;
    });
  };
  auto UseAccess = [&](const Access &X) {
    if (!K.Buffers[X.Buf].IsLocal)
      Buffers.insert(X.Buf);
    UsePoly(getOffset(K, X));
  };
  auto UseExtents = [&](const Node &N, auto &Self) -> void {
    if (N.K == Node::AxisNode)
      for_each(K.Axes[N.Ax].Extents, UsePoly);
    for (const auto &Child : N.Children)
      Self(*Child, Self);
  };
  UseExtents(K.Root, UseExtents);
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Constraint &C : L.Domain)
      UsePoly(C.P);
    for (const Op &O : L.Ops) {
      if (O.K == Op::Load)
        UseAccess(O.Acc);
      else if (O.K == Op::Index)
        UsePoly(O.Idx);
      else if (O.K == Op::Param)
        Params.insert(O.Ref);
    }
    for (const Assign &A : L.Assigns)
      UseAccess(A.Target);
  });
  return {{Params.begin(), Params.end()}, {Buffers.begin(), Buffers.end()}};
}

/// The kernel, whose inputs are the arguments of \p F.
static std::unique_ptr<Kernel> bindTo(const Kernel &K, const LaneInputs &In,
                                      Function &F) {
  auto Own = std::make_unique<Kernel>();
  copyKernel(K, *Own);
  for (Axis &A : Own->Axes)
    A.L = nullptr;
  auto *Arg = F.arg_begin();
  for (BufferId Id : In.Buffers)
    Own->Buffers[Id].Bound = Arg++;
  for (ParamId Id : In.Params)
    Own->Params[Id].Bound = Arg++;
  return Own;
}

/// The bits of a vector of the widest elements in memory, or of numbers as
/// which narrow ones are computed with.
static uint64_t getVectorBits(const Kernel &K, const LanePlan &Plan) {
  uint64_t Bytes = 1;
  auto Use = [&](ScalarType Ty) {
    Bytes = std::max<uint64_t>(Bytes, getSizeInBytes(Ty));
  };
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Use(O.Ty);
      else if (isFloat(O.Ty))
        Use(O.Ty == ScalarType::F64 ? ScalarType::F32 : O.Ty);
    for (const Assign &A : L.Assigns)
      if (const Buffer &To = K.Buffers[A.Target.Buf]; !To.IsLocal)
        Use(To.Ty);
  });
  return std::max(8 * Bytes * Plan.VectorElems, getLookupBits(K, Plan));
}

/// What decides how the code looks.
static std::string getKey(LLVMContext &C, const Kernel &K, const LanePlan &Plan,
                          const LaneInputs &In) {
  std::string Text = describeCode(C, K, In.Buffers, In.Params);
  raw_string_ostream OS(Text);
  OS << " lanes";
  for (AxisId A : Plan.Axes)
    OS << " a" << A;
  OS << ' ' << Plan.VectorElems << 'x' << Plan.Vectors;
  for (const LanePlan::Split &S : Plan.Splits) {
    OS << " split a" << S.Rows << " at";
    for (unsigned End : S.Ends)
      OS << ' ' << End;
    OS << ' ' << Plan.AlongVectors;
  }
  if (Plan.LongSearch)
    OS << " search a" << *Plan.LongSearch;
  if (Plan.StreamBytes)
    OS << " streams " << unsigned(Plan.Large) << " from " << Plan.StreamBytes
       << ' ' << Plan.FetchBytes;
  OS << " math " << getName(Plan.Accuracy) << (Plan.Models ? " models" : "");
  if (Plan.LibraryRelease)
    OS << " of " << Plan.LibraryRelease;
  if (Plan.Blocked)
    OS << " blocks a" << *Plan.Blocked << (Plan.Buffered ? " buffered" : "")
       << (Plan.InBands ? " bands" : " strips ") << Plan.StripLines;
  OS << (Plan.Math.HasFMA ? " fused" : "")
     << (Plan.SeparateProducts ? " separate" : "")
     << (Plan.Scalable ? " scalable" : "") << (Plan.MaskedRest ? " masked" : "")
     << (Plan.Math.HasScaling ? " scaling" : "")
     << (Plan.Math.HasPermutations ? " permutes" : "")
     << (Plan.Math.HasWideVectors ? " wide" : "")
     << (Plan.Math.RoundsBFloat ? " rounds" : "") << " rest " << Plan.RestElems
     << (Plan.FetchesAhead ? " fetches" : "")
     << (Plan.FetchesToL1 ? " near" : "") << " lookups " << Plan.Lookups
     << (Plan.PerThread ? " thread" : "");
  if (DLOPT_PLANTED(LaneKeyCutShort))
    Text = Text.substr(Text.find(" inputs"));
  return "lanes " + getDigest(Text);
}

/// The function may serve callers whose types are others.
static void stripMetadata(Function &F) {
  for (Instruction &I : instructions(F))
    I.dropUnknownNonDebugMetadata({LLVMContext::MD_loop,
                                   LLVMContext::MD_nontemporal,
                                   LLVMContext::MD_prof});
}

SmallVector<BufferId, 2> getLaneResults(const Kernel &K) {
  SmallVector<BufferId, 2> Result;
  for (BufferId Id : K.Root.Locals)
    if (K.Buffers[Id].Shape.empty())
      Result.push_back(Id);
  return Result;
}

/// "reduce f32" is "dl.lanes.reduce.f32.".
static std::string getPrefix(const Kernel &K) {
  std::string Name = "dl.lanes." + K.Kind + ".";
  std::replace(Name.begin(), Name.end(), ' ', '.');
  return Name;
}

namespace {

/// Makes the functions of one kernel.
class LaneBuilder {
public:
  LaneBuilder(const Kernel &K, const Function &Caller, const DebugLoc &Loc)
      : C(Caller.getContext()), K(K), Caller(Caller), Site{Caller, K.Kind, Loc},
        In(getLaneInputs(K)), Results(getLaneResults(K)) {}

  Function *get(const LanePlan &Plan, ArrayRef<LaneVariant> Variants);

private:
  Function *create(const Twine &Name, AttributeSet Attrs) const;
  Function *createDispatcher(StringRef Base, const AttrBuilder &Attrs,
                             const LanePlan &Plan,
                             ArrayRef<LaneVariant> Variants) const;
  Function *createWorker(const Twine &Name, AttributeSet Attrs,
                         const LanePlan &Plan) const;
  AttributeSet getWorkerAttributes(const AttrBuilder &Attrs,
                                   const LanePlan &Plan) const;

  LLVMContext &C;
  const Kernel &K;
  const Function &Caller;
  SourceSite Site;
  LaneInputs In;
  SmallVector<BufferId, 2> Results;
};

} // namespace

AttributeSet LaneBuilder::getWorkerAttributes(const AttrBuilder &Attrs,
                                              const LanePlan &Plan) const {
  if (Plan.PerThread)
    return AttributeSet::get(C, Attrs).addAttribute(C, Attribute::AlwaysInline);
  uint64_t Bits = getVectorBits(K, Plan);
  AttributeSet Worker =
      addWorkerAttributes(C, AttributeSet::get(C, Attrs), Bits);
  // Without that, vectors on the stack may be parts of two cache lines, or of
  // two pages.
  constexpr uint64_t StackBits = 128;
  if (Bits <= StackBits || Plan.Scalable)
    return Worker;
  return Worker.addAttributes(
      C, AttributeSet::get(C, AttrBuilder(C).addStackAlignmentAttr(Bits / 8)));
}

Function *LaneBuilder::create(const Twine &Name, AttributeSet Attrs) const {
  SmallVector<Type *, 12> Types;
  SmallVector<StringRef, 12> Names;
  for (BufferId Id : In.Buffers) {
    Types.push_back(K.Buffers[Id].Bound->getType());
    Names.push_back(K.Buffers[Id].Name);
  }
  for (ParamId Id : In.Params) {
    Types.push_back(getIRType(K.Params[Id].Ty, C));
    Names.push_back(K.Params[Id].Name);
  }
  SmallVector<Type *, 2> ResultTypes;
  for (BufferId Id : Results)
    ResultTypes.push_back(getIRType(K.Buffers[Id].Ty, C));
  Type *Ret =
      Results.empty() ? Type::getVoidTy(C) : StructType::get(C, ResultTypes);
  return createGenerated(Caller, Name, Types, Names, Attrs, Ret);
}

Function *LaneBuilder::createWorker(const Twine &Name, AttributeSet Attrs,
                                    const LanePlan &Plan) const {
  Function *F = create(Name, Attrs);
  std::unique_ptr<Kernel> Own = bindTo(K, In, *F);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  LaneContext Context(B, *Own, Plan);
  Context.Models.readNumbers();
  addExpOfNegative(*Own, Own->Root, Context.OfNegative);
  addExtremesOfNumbers(*Own, *F, Context.OfNumbers);
  dropOrder(*Own, Own->Root, Plan);
  auto Finals = LaneLowering(Context, Own->Root, Plan).run();
  Value *Result = PoisonValue::get(F->getReturnType());
  for (auto [I, Id] : enumerate(Results))
    Result = B.CreateInsertValue(Result, Finals[Id], I);
  if (Results.empty())
    B.CreateRetVoid();
  else
    B.CreateRet(Result);
  stripMetadata(*F);
  return F;
}

/// Passes the arguments of the function that is being built on to \p Worker.
static void emitTailCall(IRBuilderBase &B, Function &Worker) {
  SmallVector<Value *, 12> Args;
  for (Argument &A : B.GetInsertBlock()->getParent()->args())
    Args.push_back(&A);
  CallInst *Call = B.CreateCall(&Worker, Args);
  Call->setTailCall();
  if (Call->getType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

/// A function that does nothing but choose.
Function *LaneBuilder::createDispatcher(StringRef Base,
                                        const AttrBuilder &Attrs,
                                        const LanePlan &Plan,
                                        ArrayRef<LaneVariant> Variants) const {
  Function *F = create(
      Base, AttributeSet::get(C, Attrs).addAttribute(C, Attribute::NoInline));
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  Value *Features = loadCPUFeatures(B);
  for (const LaneVariant &V : Variants) {
    // The guard has asked for the last one.
    bool IsSure = Plan.OnlyVariants && &V == &Variants.back();
    BasicBlock *HasNot = IsSure ? nullptr : branchIfSupported(B, Features, V);
    AttrBuilder Own(C, AttributeSet::get(C, Attrs));
    setVariant(Own, V);
    emitTailCall(B, *createWorker(Base + "." + V.Name,
                                  getWorkerAttributes(Own, V.Plan), V.Plan));
    if (IsSure)
      return F;
    B.SetInsertPoint(HasNot);
  }
  emitTailCall(B, *createWorker(Base + ".plain",
                                getWorkerAttributes(Attrs, Plan), Plan));
  return F;
}

Function *LaneBuilder::get(const LanePlan &Plan,
                           ArrayRef<LaneVariant> Variants) {
  std::string Key = getKey(C, K, Plan, In);
  for (const LaneVariant &V : Variants)
    Key += " | " + V.Name + ' ' + getKey(C, K, V.Plan, In);
  if (Plan.OnlyVariants)
    Key += " alone";
  AttrBuilder Attrs = getGeneratedAttributes(Caller, Key);
  AttributeSet Worker = getWorkerAttributes(Attrs, Plan);
  AttributeSet Entry =
      Variants.empty()
          ? Worker
          : AttributeSet::get(C, Attrs).addAttribute(C, Attribute::NoInline);
  if (Function *Old = findGenerated(Caller, Entry)) {
    addSite(*Old, Site);
    return Old;
  }
  std::string Base = getFreeName(*Caller.getParent(), getPrefix(K));
  Function *F = Variants.empty()
                    ? createWorker(Base, Worker, Plan)
                    : createDispatcher(Base, Attrs, Plan, Variants);
  addDebugInfo(Base, Site);
  return F;
}

Function *getOrCreateLanes(const Kernel &K, const LanePlan &Plan,
                           const Function &Caller,
                           ArrayRef<LaneVariant> Variants,
                           const DebugLoc &Loc) {
  return LaneBuilder(K, Caller, Loc).get(Plan, Variants);
}

} // namespace dlopt
