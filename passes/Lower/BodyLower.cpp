//===- BodyLower.cpp - Leaves to scalar IR --------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Accesses and conditions; ExpressionLower.cpp has the operations.
///
//===----------------------------------------------------------------------===//
#include "BodyLower.h"
#include "BlockUtils.h"
#include "ExpressionLower.h"
#include "dlopt/Compat.h"
#include "dlopt/Rematerialize.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt {

SmallVector<bool, 16> findNeeded(const Leaf &L, ArrayRef<OpId> Roots,
                                 bool AndCalls) {
  SmallVector<bool, 16> Needed(L.Ops.size(), false);
  for (OpId Id : Roots)
    Needed[Id] = true;
  for (OpId Id = L.Ops.size(); Id-- > 0;) {
    Needed[Id] |= AndCalls && L.Ops[Id].WritesErrno;
    if (Needed[Id])
      for (OpId Arg : L.Ops[Id].Args)
        Needed[Arg] = true;
  }
  return Needed;
}

ScalarContext::ScalarContext(IRBuilderBase &B, const Kernel &K)
    : B(B), K(K), AxisValues(K.Axes.size(), nullptr) {}

static Value *materialize(ScalarContext &C, Value *Bound) {
  auto InRegion = [&](const BasicBlock *BB) {
    return any_of(C.K.Axes,
                  [&](const Axis &Ax) { return Ax.L && Ax.L->contains(BB); });
  };
  return rematerialize(C.B, Bound, InRegion, C.Copies);
}

Value *ScalarContext::getParam(ParamId P) {
  return materialize(*this, K.Params[P].Bound);
}

Value *ScalarContext::getBase(BufferId Buf) {
  if (AllocaInst *Local = Locals.lookup(Buf))
    return Local;
  return materialize(*this, K.Buffers[Buf].Bound);
}

std::optional<uint64_t> getNumElements(const Buffer &Buf) {
  uint64_t Result = 1;
  for (const Poly &Extent : Buf.Shape) {
    std::optional<int64_t> C = Extent.getConstant();
    if (!C || *C < 0)
      return std::nullopt;
    Result = SaturatingMultiply(Result, uint64_t(*C));
  }
  return Result;
}

AllocaInst *ScalarContext::createLocal(Function &F, BufferId Id, Type *Elem) {
  const Buffer &Buf = K.Buffers[Id];
  Type *Ty = Buf.Shape.empty()
                 ? Elem
                 : ArrayType::get(Elem, getNumElements(Buf).value_or(0));
  const DataLayout &DL = F.getDataLayout();
  AllLocals.push_back(new AllocaInst(Ty, DL.getAllocaAddrSpace(), nullptr,
                                     DL.getPrefTypeAlign(Ty), Buf.Name,
                                     F.getEntryBlock().getFirstInsertionPt()));
  return AllLocals.back();
}

Poly getLocalOffset(const Kernel &K, const Access &X) {
  Poly Offset;
  for (auto [Dim, Extent] : enumerate(K.Buffers[X.Buf].Shape))
    Offset = Offset * Extent + X.Subs[Dim];
  return Offset;
}

Value *ScalarContext::getAddress(const Access &X) {
  const Buffer &Buf = K.Buffers[X.Buf];
  Value *Base = getBase(X.Buf);
  if (Buf.IsLocal && Buf.Shape.empty())
    return Base;
  Value *Offset =
      ScalarContext::getPoly(Buf.IsLocal ? getLocalOffset(K, X) : X.offset());
  return B.CreateGEP(getIRType(Buf.Ty, B.getContext()), Base, Offset);
}

Align getElementAlign(const Value *Origin, const Type *Elem) {
  auto *Old = dyn_cast_or_null<Instruction>(Origin);
  if (!Old || !isa<LoadInst, StoreInst>(Old) || getLoadStoreType(Old) != Elem)
    return Align(1);
  return std::min(getLoadStoreAlignment(Old),
                  Align(PowerOf2Ceil(Elem->getPrimitiveSizeInBits() / 8)));
}

/// A load or store of the element at \p Address: alignment and TBAA of the
/// access it came from, if that is known, hold for the new one too.
template <typename InstT>
static InstT *finishAccess(InstT *New, const Value *Origin) {
  New->setAlignment(getElementAlign(Origin, getLoadStoreType(New)));
  auto *Old = dyn_cast_or_null<InstT>(Origin);
  if (!Old || getLoadStoreType(Old) != getLoadStoreType(New))
    return New;
  New->copyMetadata(*Old, {LLVMContext::MD_tbaa, LLVMContext::MD_nontemporal});
  return New;
}

Value *ScalarContext::getAtom(AtomId Id) {
  const Atom &A = K.Atoms[Id];
  switch (A.K) {
  case Atom::Axis:
    return AxisValues[A.Ref];
  case Atom::Param:
    return B.CreateIntCast(getParam(A.Ref), B.getInt64Ty(),
                           K.Params[A.Ref].Signed);
  case Atom::Load: {
    Type *Ty = getIRType(K.Buffers[A.Source.Buf].Ty, B.getContext());
    // What is raised is aligned as its type is: bytes would be read one by one
    // where that is not known.
    return B.CreateIntCast(B.CreateLoad(Ty, getAddress(A.Source)),
                           B.getInt64Ty(), A.Signed);
  }
  case Atom::Size:
  case Atom::VL:
    llvm_unreachable("only plain kernels become loops here");
  case Atom::FloorDiv:
  case Atom::Mod:
    return Quotients.lookup(Id); // null: emitPoly expands it
  }
  return nullptr;
}

Value *ScalarContext::getPoly(const Poly &P) {
  return emitPoly(B, K, P,
                  [&](IRBuilderBase &, AtomId Id) { return getAtom(Id); });
}

/// A call of the function by its name, for a kernel that came from text.
static CallInst *createCall(IRBuilderBase &B, const Op &O,
                            ArrayRef<Value *> Args) {
  Type *Ty = getIRType(O.Ty, B.getContext());
  SmallVector<Type *, 3> Params;
  for (Value *Arg : Args)
    Params.push_back(Arg->getType());
  Module *M = B.GetInsertBlock()->getModule();
  CallInst *Call = B.CreateCall(
      M->getOrInsertFunction(O.Callee, FunctionType::get(Ty, Params, false)),
      Args);
  Call->setDoesNotThrow();
  if (!O.WritesErrno)
    Call->setDoesNotAccessMemory();
  return Call;
}

/// A copy of the call in the source: its attributes (errno, nobuiltin) hold for
/// the same function of other numbers too.
/// What \p Call says of its arguments and of what it returns, its place in the
/// source knows: the copy serves others, too.
static void dropPromises(CallInst &Call) {
  AttributeMask Promises = AttributeFuncs::getUBImplyingAttributes();
  Promises.addAttribute(Attribute::NoFPClass);
  Call.removeRetAttrs(Promises);
  for (unsigned I = 0; I != Call.arg_size(); ++I)
    Call.removeParamAttrs(I, Promises);
}

static Value *copyCall(IRBuilderBase &B, const Op &O, ArrayRef<Value *> Args) {
  CallInst *Call;
  if (auto *Origin = dyn_cast_or_null<CallInst>(O.Origin)) {
    Call = cast<CallInst>(Origin->clone());
    for (auto [Idx, Arg] : enumerate(Args))
      Call->setArgOperand(Idx, Arg);
    B.Insert(Call);
    Call->setDebugLoc(B.getCurrentDebugLocation());
    dropPromises(*Call);
  } else {
    Call = createCall(B, O, Args);
  }
  if (isa<FPMathOperator>(Call))
    Call->setFastMathFlags(O.FMF);
  return Call;
}

Value *ScalarContext::getOp(const Op &O, ArrayRef<Value *> Args) {
  Type *Ty = getIRType(O.Ty, B.getContext());
  switch (O.K) {
  case Op::Load: {
    LoadInst *Load = B.CreateLoad(Ty, getAddress(O.Acc));
    // Locals are aligned as their type is.
    return K.Buffers[O.Acc.Buf].IsLocal ? Load : finishAccess(Load, O.Origin);
  }
  case Op::Index:
    return B.CreateTrunc(getPoly(O.Idx), Ty);
  case Op::Param:
    return getParam(O.Ref);
  case Op::Const:
  case Op::Inst:
  case Op::Intrinsic:
    return emitOperation(B, O, Args);
  case Op::LibCall:
    return copyCall(B, O, Args);
  case Op::View:
    llvm_unreachable("only plain kernels become loops here");
  }
  return nullptr;
}

/// All addresses are computed before the first store.
void ScalarContext::assign(ArrayRef<Assign> Assigns, ArrayRef<Value *> Values) {
  SmallVector<Value *, 2> Addresses;
  for (const Assign &A : Assigns)
    Addresses.push_back(getAddress(A.Target));
  for (auto [A, V, Address] : zip_equal(Assigns, Values, Addresses)) {
    StoreInst *Store = B.CreateStore(V, Address);
    auto *Origin = dyn_cast_or_null<Instruction>(A.Origin);
    if (Origin && Origin->getDebugLoc())
      Store->setDebugLoc(Origin->getDebugLoc());
    if (!K.Buffers[A.Target.Buf].IsLocal)
      finishAccess(Store, A.Origin);
  }
}

namespace {

/// Emits one leaf; what is under a condition goes into a block of its own.
class LeafLowering {
public:
  LeafLowering(ScalarContext &C, const Leaf &L)
      : C(C), L(L), Values(L.Ops.size(), nullptr) {}

  void run() {
    auto Before = C.Copies;
    // In order: a later constraint may load what an earlier one guards.
    auto EnterIf = [&](Value *Condition) { enterIf(Condition); };
    for (const Constraint &Cond : L.Domain)
      C.restrict(emitConstraint(Cond), EnterIf);
    if (L.Predicate) {
      evaluate({*L.Predicate}, /*AndCalls=*/false);
      C.restrict(Values[*L.Predicate], EnterIf);
    }
    SmallVector<OpId, 2> Results;
    for (const Assign &A : L.Assigns)
      Results.push_back(A.Value);
    evaluate(Results, /*AndCalls=*/true);
    SmallVector<Value *, 2> Assigned;
    for (OpId Id : Results)
      Assigned.push_back(Values[Id]);
    C.assign(L.Assigns, Assigned);
    if (Done) {
      C.B.CreateBr(Done);
      DebugLoc Loc = C.B.getCurrentDebugLocation();
      C.B.SetInsertPoint(Done, Done->getFirstInsertionPt());
      C.B.SetCurrentDebugLocation(Loc);
    }
    C.Copies = std::move(Before);
  }

private:
  Value *emitConstraint(const Constraint &Cond) {
    Value *V = C.getPoly(Cond.P), *Zero = Constant::getNullValue(V->getType());
    return Cond.IsEquality ? C.B.CreateICmpEQ(V, Zero)
                           : C.B.CreateICmpSGE(V, Zero);
  }

  void enterIf(Value *Condition) {
    if (!Done)
      Done = splitAtInsertPoint(C.B, "dl.done");
    BasicBlock *Then =
        BasicBlock::Create(C.B.getContext(), "dl.if", Done->getParent(), Done);
    C.B.CreateCondBr(Condition, Then, Done);
    DebugLoc Loc = C.B.getCurrentDebugLocation();
    C.B.SetInsertPoint(Then);
    C.B.SetCurrentDebugLocation(Loc);
  }

  /// Evaluates what \p Roots need, in the order of the source; \p AndCalls: and
  /// all calls that may set errno.
  void evaluate(ArrayRef<OpId> Roots, bool AndCalls) {
    SmallVector<bool, 16> Needed = findNeeded(L, Roots, AndCalls);
    DebugLoc LeafLoc = C.B.getCurrentDebugLocation();
    for (auto [Id, O] : enumerate(L.Ops)) {
      if (!Needed[Id] || Values[Id])
        continue;
      SmallVector<Value *, 3> Args;
      for (OpId Arg : O.Args)
        Args.push_back(Values[Arg]);
      auto *Origin = dyn_cast_or_null<Instruction>(O.Origin);
      if (Origin && Origin->getDebugLoc())
        C.B.SetCurrentDebugLocation(Origin->getDebugLoc());
      Values[Id] = C.getOp(O, Args);
      C.B.SetCurrentDebugLocation(LeafLoc);
    }
  }

  ScalarContext &C;
  const Leaf &L;
  SmallVector<Value *, 16> Values; ///< by operation; null: not evaluated
  BasicBlock *Done = nullptr;      ///< behind the conditions, if there are any
};

} // namespace

void lowerLeaf(ScalarContext &C, const Leaf &L) { LeafLowering(C, L).run(); }

} // namespace dlopt
