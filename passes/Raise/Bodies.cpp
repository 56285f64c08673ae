//===- Bodies.cpp - Expressions as bodies of leaves -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Leaves.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace dlopt;

OpId TreeBuilder::add(Op O, LeafState &LS) {
  LS.L.Ops.push_back(std::move(O));
  return static_cast<OpId>(LS.L.Ops.size() - 1);
}

OpId TreeBuilder::emitLocal(BufferId B, LeafState &LS) {
  Op O;
  O.K = Op::Load;
  O.Ty = S.K.Buffers[B].Ty;
  O.Acc.Buf = B;
  return add(std::move(O), LS);
}

std::optional<OpId> TreeBuilder::emitConstant(Constant *C, LeafState &LS) {
  Op O;
  O.K = Op::Const;
  O.Ty = *getScalarType(C->getType());
  if (auto *I = dyn_cast<ConstantInt>(C))
    O.Bits = I->getZExtValue();
  else if (auto *F = dyn_cast<ConstantFP>(C))
    O.Bits = F->getValueAPF().bitcastToAPInt().getZExtValue();
  else
    return std::nullopt;
  return add(std::move(O), LS);
}

std::optional<OpId> TreeBuilder::emitParam(Value *V, unsigned Depth,
                                           LeafState &LS) {
  Op O;
  O.K = Op::Param;
  O.Ty = *getScalarType(V->getType());
  O.Ref = S.getParam(V, true, Depth);
  return add(std::move(O), LS);
}

std::optional<OpId> TreeBuilder::emit(Value *V, const Loop *Where,
                                      LeafState &LS) {
  if (auto It = LS.Ops.find(V); It != LS.Ops.end())
    return It->second;
  std::optional<OpId> Id;
  if (!getScalarType(V->getType())) {
    S.fail(V->getType()->isPointerTy() ? Reason::PointerStored
                                       : Reason::UnsupportedType,
           V);
    return std::nullopt;
  }
  if (isa<UndefValue>(V)) {
    S.fail(Reason::UnsupportedOperation, nullptr, "an undefined value");
    return std::nullopt;
  }
  if (auto *C = dyn_cast<Constant>(V))
    Id = emitConstant(C, LS);
  if (!Id && !S.isInside(V)) {
    Id = emitParam(V, 0, LS);
  } else if (!Id) {
    if (std::optional<Poly> P = St.getIndex(V, Where)) {
      Op O;
      O.K = Op::Index;
      O.Ty = *getScalarType(V->getType());
      O.Idx = std::move(*P);
      Id = add(std::move(O), LS);
    }
  }
  if (!Id) {
    std::optional<States::Source> Src = St.resolve(V);
    if (!Src)
      return std::nullopt;
    if (Src->State) {
      std::optional<BufferId> B = getBuffer(Src->State);
      if (!B) {
        S.fail(Reason::CarriedValue, Src->State);
        return std::nullopt;
      }
      Id = emitLocal(*B, LS);
    } else if (Src->V != V) {
      Id = emit(Src->V, S.loopOf(Src->V), LS);
    } else if (Value *Whole = IB.getWhole(V, Where)) {
      Id = emit(Whole, Where, LS);
    } else {
      Id = emitInst(cast<Instruction>(V), LS);
    }
  }
  if (Id)
    LS.Ops[V] = *Id;
  return Id;
}

std::optional<OpId> TreeBuilder::emitInst(Instruction *I, LeafState &LS) {
  if (St.isKept(I) && LS.R.Kept != I)
    return emitLocal(Locals[I], LS);
  const Loop *L = S.loopOf(I);
  Op O;
  O.Ty = *getScalarType(I->getType());
  O.Origin = I;
  if (auto *Ld = dyn_cast<LoadInst>(I)) {
    if (!isAligned(S, *Ld)) {
      S.fail(Reason::UnsupportedType, Ld, "an under-aligned access");
      return std::nullopt;
    }
    std::optional<Access> A =
        IB.buildAccess(Ld->getPointerOperand(), Ld->getType(), L);
    if (!A) {
      IB.failAccess(Ld);
      return std::nullopt;
    }
    O.K = Op::Load;
    O.Acc = std::move(*A);
    return add(std::move(O), LS);
  }
  // What the model does not have, and does not change, is a number of the
  // kernel: a comparison of pointers, a part of a vector that is an argument.
  bool HasPointers = any_of(I->operands(), [](const Use &U) {
    return U->getType()->isPointerTy() && !isa<Function>(U);
  });
  if (HasPointers || isa<ExtractElementInst, ExtractValueInst>(I)) {
    if (std::optional<unsigned> Depth = IB.getInvariantDepth(I))
      return emitParam(I, *Depth, LS);
    S.fail(HasPointers ? Reason::PointerStored : Reason::UnsupportedOperation,
           I, HasPointers ? "" : I->getOpcodeName());
    return std::nullopt;
  }
  if (!fillInst(I, O))
    return std::nullopt;
  unsigned NumArgs =
      isa<CallBase>(I) ? cast<CallBase>(I)->arg_size() : I->getNumOperands();
  for (unsigned A = 0; A != NumArgs; ++A) {
    std::optional<OpId> Arg = emit(I->getOperand(A), L, LS);
    if (!Arg)
      return std::nullopt;
    O.Args.push_back(*Arg);
  }
  return add(std::move(O), LS);
}

bool TreeBuilder::fillCall(CallBase *C, Op &O) {
  if (const auto *II = dyn_cast<IntrinsicInst>(C);
      II && isModelIntrinsic(II->getIntrinsicID())) {
    O.K = Op::Intrinsic;
    O.Opcode = II->getIntrinsicID();
    return true;
  }
  if (!isMathCall(S, *C))
    return S.fail(Reason::UnknownCall, C);
  O.K = Op::LibCall;
  O.Callee = C->getCalledFunction()->getName().str();
  O.WritesErrno = C->mayWriteToMemory();
  return true;
}

bool TreeBuilder::fillInst(Instruction *I, Op &O) {
  if (isa<FPMathOperator>(I))
    O.FMF = I->getFastMathFlags();
  if (auto *C = dyn_cast<CallBase>(I))
    return fillCall(C, O);
  if (!isa<UnaryOperator>(I) && !isa<BinaryOperator>(I) && !isa<CastInst>(I) &&
      !isa<CmpInst>(I) && !isa<SelectInst>(I) && !isa<FreezeInst>(I))
    return S.fail(Reason::UnsupportedOperation, I, I->getOpcodeName());
  if (any_of(I->operands(),
             [](const Use &U) { return !getScalarType(U->getType()); }))
    return S.fail(Reason::UnsupportedType, I);
  O.K = Op::Inst;
  O.Opcode = I->getOpcode();
  if (const auto *C = dyn_cast<CmpInst>(I))
    O.Pred = C->getPredicate();
  if (const auto *B = dyn_cast<OverflowingBinaryOperator>(I)) {
    O.NUW = B->hasNoUnsignedWrap();
    O.NSW = B->hasNoSignedWrap();
  }
  if (const auto *T = dyn_cast<TruncInst>(I)) {
    O.NUW = T->hasNoUnsignedWrap();
    O.NSW = T->hasNoSignedWrap();
  }
  if (const auto *E = dyn_cast<PossiblyExactOperator>(I))
    O.Exact = E->isExact();
  if (const auto *D = dyn_cast<PossiblyDisjointInst>(I))
    O.Disjoint = D->isDisjoint();
  if (const auto *N = dyn_cast<PossiblyNonNegInst>(I))
    O.NNeg = N->hasNonNeg();
  return true;
}

/// The second condition may be poison where the first one decides.
OpId TreeBuilder::emitBoth(bool IsAnd, OpId A, OpId B, LeafState &LS) {
  Op Decided;
  Decided.K = Op::Const;
  Decided.Ty = ScalarType::I1;
  Decided.Bits = !IsAnd;
  OpId D = add(std::move(Decided), LS);
  Op O;
  O.K = Op::Inst;
  O.Ty = ScalarType::I1;
  O.Opcode = Instruction::Select;
  if (IsAnd)
    O.Args = {A, B, D};
  else
    O.Args = {A, D, B};
  return add(std::move(O), LS);
}

std::optional<OpId> TreeBuilder::emitGuard(GuardId Id, LeafState &LS) {
  const Guard &G = Sk[Id];
  Op O;
  O.K = Op::Inst;
  O.Ty = ScalarType::I1;
  if (G.K == Guard::Literal) {
    std::optional<OpId> C = emit(G.Cond, S.Ctx.LI.getLoopFor(G.Block), LS);
    if (!C || !G.Negated)
      return C;
    Op One;
    One.K = Op::Const;
    One.Ty = ScalarType::I1;
    One.Bits = 1;
    O.Opcode = Instruction::Xor;
    O.Args = {*C, add(std::move(One), LS)};
    return add(std::move(O), LS);
  }
  std::optional<OpId> A = emitGuard(G.A, LS), B = emitGuard(G.B, LS);
  if (!A || !B)
    return std::nullopt;
  return emitBoth(G.K == Guard::And, *A, *B, LS);
}
