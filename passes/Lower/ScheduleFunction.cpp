//===- ScheduleFunction.cpp - Schedules as functions ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BodyLower.h"
#include "ScheduleEmitter.h"
#include "ScheduleFrame.h"
#include "dlopt/CPUFeatures.h"
#include "dlopt/GeneratedDebugInfo.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/KernelKey.h"
#include "dlopt/LowerSchedule.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {

/// Of the longest vector.
static uint64_t getVectorBits(const Kernel &K) {
  uint64_t Lanes = 0, Bits = 8;
  for (const Axis &A : K.Axes)
    if (!A.Schedule.Lanes.Scalable)
      Lanes = std::max<uint64_t>(Lanes, A.Schedule.Lanes.N);
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      Bits = std::max<uint64_t>(Bits, 8 * getSizeInBytes(O.Ty));
  });
  constexpr uint64_t Longest = 512;
  return std::min(Lanes * Bits, Longest);
}

/// Whether what is written through one pointer is touched through no other.
static bool isUnaliased(const Kernel &K) {
  auto IsTouched = [&](BufferId B) {
    return !K.Buffers[B].IsLocal && (isRead(K, B) || assigns(K.Root, B));
  };
  auto AreApart = [&](BufferId A, BufferId B) {
    return any_of(K.Needs, [&](const Need &N) {
      return N.K == Need::Disjoint &&
             ((N.Buf == A && is_contained(N.Others, B)) ||
              (N.Buf == B && is_contained(N.Others, A)));
    });
  };
  for (BufferId A = 0; A != K.Buffers.size(); ++A)
    for (BufferId B = 0; B != K.Buffers.size(); ++B)
      if (A != B && IsTouched(A) && IsTouched(B) && assigns(K.Root, A) &&
          !AreApart(A, B))
        return false;
  return true;
}

namespace {

/// Makes the functions of one kernel, which have the same arguments.
class ScheduleBuilder {
public:
  ScheduleBuilder(Function &Caller, const Kernel &K) : Caller(Caller) {
    for (const Buffer &Buf : K.Buffers)
      if (!Buf.IsLocal)
        add(Buf.Bound, Buf.Name);
    for (const Param &P : K.Params)
      if (!P.isComputed())
        add(P.Bound, P.Name);
  }
  Function *create(const Twine &Name, AttributeSet Attrs) const {
    return createGenerated(Caller, Name, Types, Names, Attrs);
  }
  AttributeSet getWorker(const AttrBuilder &Attrs, const Kernel &K) const {
    LLVMContext &C = Caller.getContext();
    return addWorkerAttributes(C, AttributeSet::get(C, Attrs),
                               getVectorBits(K));
  }
  AttributeSet getDispatcher(const AttrBuilder &Attrs) const {
    LLVMContext &C = Caller.getContext();
    return AttributeSet::get(C, Attrs).addAttribute(C, Attribute::NoInline);
  }
  Function *createWorker(const Twine &Name, const AttrBuilder &Attrs,
                         const Kernel &K, const MathPlan &Math) const;
  Function *createDispatcher(StringRef Name, const AttrBuilder &Attrs,
                             const Kernel &K, const MathPlan &Math,
                             ArrayRef<ScheduleVariant> Variants) const;
  ArrayRef<Value *> args() const { return Args; }

private:
  Function *createBody(const Twine &Name, const AttrBuilder &Attrs,
                       const Kernel &K, const MathPlan &Math,
                       const ConditionalFrame *Frame) const;
  void bind(Kernel &K, const Function &F) const;
  void add(Value *V, StringRef Name) {
    Args.push_back(V);
    Types.push_back(V->getType());
    Names.push_back(Name);
  }

  Function &Caller;
  SmallVector<Type *, 8> Types;
  SmallVector<StringRef, 8> Names;
  SmallVector<Value *, 8> Args;
};

} // namespace

/// The arguments of \p F are what \p K is bound to.
void ScheduleBuilder::bind(Kernel &K, const Function &F) const {
  const auto *Arg = F.arg_begin();
  for (Buffer &Buf : K.Buffers)
    if (!Buf.IsLocal) {
      Buf.Bound = const_cast<Argument *>(Arg++);
      Buf.Depth = 0;
    }
  for (Param &P : K.Params)
    if (!P.isComputed()) {
      P.Bound = const_cast<Argument *>(Arg++);
      P.Depth = 0;
    }
}

/// \p Frame: what its last argument points to; null: it has none.
Function *ScheduleBuilder::createBody(const Twine &Name,
                                      const AttrBuilder &Attrs, const Kernel &K,
                                      const MathPlan &Math,
                                      const ConditionalFrame *Frame) const {
  LLVMContext &C = Caller.getContext();
  SmallVector<Type *, 8> Own(Types);
  SmallVector<StringRef, 8> OwnNames(Names);
  if (Frame) {
    Own.push_back(
        PointerType::get(C, Caller.getDataLayout().getAllocaAddrSpace()));
    OwnNames.push_back("frame");
  }
  Function *F =
      createGenerated(Caller, Name, Own, OwnNames, getWorker(Attrs, K));
  Kernel Inside;
  copyKernel(K, Inside);
  for (Axis &A : Inside.Axes)
    A.L = nullptr;
  bind(Inside, *F);
  bool IsApart = DLOPT_PLANTED(ApartUnasked) || isUnaliased(K);
  for (const Buffer &Buf : Inside.Buffers)
    if (!Buf.IsLocal && IsApart)
      cast<Argument>(Buf.Bound)->addAttr(Attribute::NoAlias);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  if (Frame) {
    Argument *Memory = F->getArg(F->arg_size() - 1);
    Memory->addAttr(Attribute::NoAlias);
    Memory->addAttr(Attribute::getWithAlignment(C, Align(StackAlign)));
    for (const auto &[Local, Offset] : Frame->Locals)
      Inside.Buffers[Local].Bound =
          B.CreateGEP(B.getInt8Ty(), Memory, B.getInt64(Offset));
  }
  lowerSchedule(B, Inside, Math);
  B.CreateRetVoid();
  joinBroadcasts(*F);
  return F;
}

/// What calls the code of \p K: another function has the frame, where there is
/// one.
Function *ScheduleBuilder::createWorker(const Twine &Name,
                                        const AttrBuilder &Attrs,
                                        const Kernel &K,
                                        const MathPlan &Math) const {
  std::optional<ConditionalFrame> Frame = findFrame(K);
  if (!Frame)
    return createBody(Name, Attrs, K, Math, nullptr);
  LLVMContext &C = Caller.getContext();
  AttrBuilder Part(C, AttributeSet::get(C, Attrs));
  dropKey(Part);
  Function *Body = createBody(Name + ".body", Part, K, Math, &*Frame);
  auto Call = [](IRBuilderBase &B, Function &Callee, Value *Memory) {
    SmallVector<Value *, 8> Own;
    for (Argument &A : B.GetInsertBlock()->getParent()->args())
      Own.push_back(&A);
    if (Memory)
      Own.push_back(Memory);
    CallInst *Result = B.CreateCall(&Callee, Own);
    B.CreateRetVoid();
    return Result;
  };
  Function *Framed = create(Name + ".frame", getWorker(Part, K));
  IRBuilder<> B(BasicBlock::Create(C, "entry", Framed));
  AllocaInst *Memory =
      B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Frame->Bytes));
  Memory->setAlignment(Align(StackAlign));
  Call(B, *Body, Memory);
  Function *F = create(Name, getWorker(Attrs, K));
  Kernel Outside;
  copyKernel(K, Outside);
  bind(Outside, *F);
  B.SetInsertPoint(BasicBlock::Create(C, "entry", F));
  ScalarContext Sizes(B, Outside);
  computeNumbers(Sizes, Outside);
  Value *IsFramed = B.CreateICmpSGE(Sizes.getPoly(Frame->If), B.getInt64(0));
  BasicBlock *Large = BasicBlock::Create(C, "large", F),
             *Small = BasicBlock::Create(C, "small", F);
  B.CreateCondBr(IsFramed, Large, Small);
  B.SetInsertPoint(Large);
  Call(B, *Framed, nullptr)->setTailCall();
  B.SetInsertPoint(Small);
  Call(B, *Body, Constant::getNullValue(Memory->getType()))->setTailCall();
  return F;
}

/// A function that does nothing but choose.
Function *
ScheduleBuilder::createDispatcher(StringRef Name, const AttrBuilder &Attrs,
                                  const Kernel &K, const MathPlan &Math,
                                  ArrayRef<ScheduleVariant> Variants) const {
  LLVMContext &C = Caller.getContext();
  Function *F = create(
      Name, AttributeSet::get(C, Attrs).addAttribute(C, Attribute::NoInline));
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  auto Choose = [&](Function *Worker) {
    SmallVector<Value *, 8> Own;
    for (Argument &A : F->args())
      Own.push_back(&A);
    B.CreateCall(Worker, Own)->setTailCall();
    B.CreateRetVoid();
  };
  Value *Features = loadCPUFeatures(B);
  for (const ScheduleVariant &V : Variants) {
    BasicBlock *HasNot = V.IsSure ? nullptr : branchIfSupported(B, Features, V);
    AttrBuilder Own(C, AttributeSet::get(C, Attrs));
    setVariant(Own, V);
    Choose(createWorker(Name + "." + V.Name, Own, *V.K, V.Math));
    if (V.IsSure)
      return F;
    B.SetInsertPoint(HasNot);
  }
  Choose(createWorker(Name + ".plain", Attrs, K, Math));
  return F;
}

/// What decides how the code of \p K looks; what \p Math says of the target the
/// function's attributes say, too.
static std::string getKey(LLVMContext &C, const Kernel &K, const MathPlan &Math,
                          ArrayRef<BufferId> Buffers = {},
                          ArrayRef<ParamId> Params = {}) {
  return getDigest(
      describeCode(C, K, Buffers, Params) + (isUnaliased(K) ? " apart" : "") +
      " math " + getName(Math.Accuracy).str() +
      (Math.Models ? " models of " : " ") + utostr(Math.LibraryRelease));
}

/// The function for \p K, which may be there already.
static Function *getOrCreateScheduled(Function &Caller, const Kernel &K,
                                      const MathPlan &Math,
                                      ArrayRef<ScheduleVariant> Variants,
                                      const ScheduleBuilder &Builder,
                                      const DebugLoc &Loc) {
  LLVMContext &C = Caller.getContext();
  SmallVector<BufferId, 8> Buffers;
  for (auto [Id, Buf] : enumerate(K.Buffers))
    if (!Buf.IsLocal)
      Buffers.push_back(static_cast<BufferId>(Id));
  auto Params = to_vector(seq<ParamId>(0, K.Params.size()));
  std::string Key = "schedule " + getKey(C, K, Math, Buffers, Params);
  for (const ScheduleVariant &V : Variants)
    Key += " | " + V.Name + ' ' + getKey(C, *V.K, V.Math) +
           (V.IsSure ? " alone" : "");
  AttrBuilder Attrs = getGeneratedAttributes(Caller, Key);
  SourceSite Site = {Caller, K.Kind, Loc};
  if (Function *Old = findGenerated(
          Caller, Variants.empty() ? Builder.getWorker(Attrs, K)
                                   : Builder.getDispatcher(Attrs))) {
    addSite(*Old, Site);
    return Old;
  }
  std::string Name = getFreeName(*Caller.getParent(), "dl.schedule.");
  Function *F = Variants.empty()
                    ? Builder.createWorker(Name, Attrs, K, Math)
                    : Builder.createDispatcher(Name, Attrs, K, Math, Variants);
  addDebugInfo(Name, Site);
  return F;
}

void callScheduled(IRBuilderBase &B, const Kernel &K, const MathPlan &Math,
                   ArrayRef<ScheduleVariant> Variants) {
  Function &Caller = *B.GetInsertBlock()->getParent();
  ScheduleBuilder Builder(Caller, K);
  DebugLoc Loc = B.getCurrentDebugLocation();
  if (!K.Axes.empty() && K.Axes.front().Loc)
    Loc = K.Axes.front().Loc;
  Function *Callee =
      getOrCreateScheduled(Caller, K, Math, Variants, Builder, Loc);
  B.CreateCall(Callee, Builder.args())->setDebugLoc(getCallLoc(Caller, Loc));
}

} // namespace dlopt
