//===- LaneReduction.cpp - Sums over lanes --------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where flags allow another order, each lane of a reduction combines the
/// values of its own iterations, and the lanes are combined at the end.
///
//===----------------------------------------------------------------------===//
#include "LaneLower.h"
#include "dlopt/Compat.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace dlopt {

/// How \p O combines a value with \p Old, the operation that loads the state.
static std::optional<LaneReduction::Kind> getKind(const Leaf &L, const Op &O,
                                                  OpId Old) {
  bool IsFirst = !O.Args.empty() && O.Args.front() == Old;
  bool MayReorder = O.FMF.allowReassoc();
  if (O.K == Op::Intrinsic)
    switch (O.Opcode) {
    case Intrinsic::fmuladd:
    case Intrinsic::fma:
      if (MayReorder && O.Args[2] == Old)
        return LaneReduction::FAdd;
      return std::nullopt;
    case Intrinsic::maxnum:
    case Intrinsic::minnum:
      // Of zeros of both signs either may be the result.
      if (!O.FMF.noSignedZeros())
        return std::nullopt;
      return LaneReduction::Choice;
    case Intrinsic::maximum:
    case Intrinsic::minimum:
    case Intrinsic::maximumnum:
    case Intrinsic::minimumnum:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
      return LaneReduction::Choice;
    default:
      return std::nullopt;
    }
  if (O.K != Op::Inst)
    return std::nullopt;
  switch (O.Opcode) {
  case Instruction::FSub:
    if (MayReorder && IsFirst)
      return LaneReduction::FAdd;
    return std::nullopt;
  case Instruction::FAdd:
    return MayReorder ? std::optional(LaneReduction::FAdd) : std::nullopt;
  case Instruction::FMul:
    return MayReorder ? std::optional(LaneReduction::FMul) : std::nullopt;
  case Instruction::Add:
    return LaneReduction::Add;
  case Instruction::Sub:
    return IsFirst ? std::optional(LaneReduction::Add) : std::nullopt;
  case Instruction::Select: {
    // The value is chosen only if it compares as greater (or less), so that one
    // that is no number is ignored.
    const Op &Test = L.Ops[O.Args[0]];
    bool IsInteger = Test.Opcode == Instruction::ICmp;
    if (Test.K != Op::Inst || !is_contained(Test.Args, Old) ||
        !(IsInteger ||
          (Test.Opcode == Instruction::FCmp && O.FMF.noSignedZeros())))
      return std::nullopt;
    bool TakesValue = O.Args[2] == Old;
    if (!TakesValue && O.Args[1] != Old)
      return std::nullopt;
    OpId Value = TakesValue ? O.Args[1] : O.Args[2];
    bool Ignores = TakesValue ? CmpInst::isOrdered(Test.Pred)
                              : CmpInst::isUnordered(Test.Pred);
    // Whether there is a number on both sides tells nothing of which is
    // greater.
    bool IsOrder = CmpInst::isRelational(Test.Pred) &&
                   Test.Pred != CmpInst::FCMP_ORD &&
                   Test.Pred != CmpInst::FCMP_UNO;
    if (!is_contained(Test.Args, Value) || !IsOrder || !(Ignores || IsInteger))
      return std::nullopt;
    return LaneReduction::Choice;
  }
  default:
    return std::nullopt;
  }
}

/// How often \p Id is used in \p L.
static unsigned countUses(const Leaf &L, OpId Id) {
  unsigned Uses = L.Predicate == Id;
  for (const Op &O : L.Ops)
    Uses += count(O.Args, Id);
  for (const Assign &A : L.Assigns)
    Uses += A.Value == Id;
  return Uses;
}

/// The state \p Buf, which the leaf \p L alone updates.
static std::optional<LaneReduction> getReduction(const Leaf &L, BufferId Buf) {
  std::optional<OpId> Old;
  for (auto [Id, O] : enumerate(L.Ops))
    if (O.K == Op::Load && O.Acc.Buf == Buf) {
      if (Old)
        return std::nullopt;
      Old = Id;
    }
  auto *To =
      find_if(L.Assigns, [&](const Assign &A) { return A.Target.Buf == Buf; });
  if (!Old || To == L.Assigns.end())
    return std::nullopt;
  const Op &Combine = L.Ops[To->Value];
  auto Kind = getKind(L, Combine, *Old);
  // Nobody else may see what a lane has so far.
  bool IsSelect =
      Combine.K == Op::Inst && Combine.Opcode == Instruction::Select;
  if (!Kind || countUses(L, To->Value) != 1 ||
      countUses(L, *Old) != (IsSelect ? 2u : 1u) ||
      (IsSelect && countUses(L, Combine.Args[0]) != 1))
    return std::nullopt;
  return LaneReduction{Buf, *Kind, &L, To->Value, *Old};
}

std::optional<SmallVector<LaneReduction, 2>> getLaneReductions(const Kernel &K,
                                                               const Node &N) {
  SmallVector<LaneReduction, 2> Result;
  for (const auto &Child : N.Children) {
    if (Child->K != Node::LeafNode)
      return std::nullopt;
    for (const Assign &A : Child->L.Assigns) {
      BufferId Buf = A.Target.Buf;
      if (!K.Buffers[Buf].IsLocal || is_contained(N.Locals, Buf))
        continue;
      bool IsAlone = none_of(N.Children, [&](const auto &Other) {
        const Leaf &L = Other->L;
        return Other != Child &&
               (any_of(L.Ops,
                       [&](const Op &O) {
                         return O.K == Op::Load && O.Acc.Buf == Buf;
                       }) ||
                any_of(L.Assigns,
                       [&](const Assign &X) { return X.Target.Buf == Buf; }));
      });
      auto R = K.Buffers[Buf].Shape.empty() && IsAlone
                   ? getReduction(Child->L, Buf)
                   : std::nullopt;
      if (!R)
        return std::nullopt;
      Result.push_back(*R);
    }
  }
  return Result;
}

/// Whether all that \p N carries is one of the values that it combines: then
/// nothing comes about in one order that does not in another.
static bool onlyChooses(const Kernel &K, const Node &N) {
  auto Reductions = getLaneReductions(K, N);
  return Reductions && all_of(*Reductions, [](const LaneReduction &R) {
           return R.How == LaneReduction::Choice;
         });
}

void dropOrder(Kernel &K, Node &N, const LanePlan &Plan) {
  if (N.K == Node::AxisNode && Plan.isShared(K, N.Ax) && !onlyChooses(K, N))
    for (std::unique_ptr<Node> &Child : N.Children)
      for (Op &O : Child->L.Ops) {
        O.NUW = O.NSW = false;
        O.FMF.setNoNaNs(false);
        O.FMF.setNoInfs(false);
      }
  for (std::unique_ptr<Node> &Child : N.Children)
    dropOrder(K, *Child, Plan);
}

/// What combines to the other operand; null where the state itself is as good.
static Constant *getIdentity(LaneReduction::Kind Kind, Type *Ty) {
  switch (Kind) {
  case LaneReduction::FAdd:
    return ConstantFP::getNegativeZero(Ty);
  case LaneReduction::FMul:
    return ConstantFP::get(Ty, 1.0);
  case LaneReduction::Add:
    return Constant::getNullValue(Ty);
  case LaneReduction::Choice:
    return nullptr;
  }
  return nullptr;
}

Value *LaneLowering::combine(const LaneReduction &R, Value *Old, Value *New) {
  FastMathFlags Flags;
  Flags.setAllowReassoc();
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.setFastMathFlags(Flags);
  switch (R.How) {
  case LaneReduction::FAdd:
    return B.CreateFAdd(Old, New);
  case LaneReduction::FMul:
    return B.CreateFMul(Old, New);
  case LaneReduction::Add:
    return B.CreateAdd(Old, New);
  case LaneReduction::Choice:
    break;
  }
  const Op &O = R.L->Ops[R.Combine];
  auto Operands = [&](const Op &X) {
    SmallVector<Value *, 2> Args;
    for (OpId Id : X.Args)
      Args.push_back(Id == R.Old ? Old : New);
    return Args;
  };
  if (O.K == Op::Intrinsic)
    return C.ScalarContext::getOp(O, Operands(O));
  const Op &Test = R.L->Ops[O.Args[0]];
  Value *Is = C.ScalarContext::getOp(Test, Operands(Test));
  bool TakesValue = O.Args[2] == R.Old;
  return TakesValue ? B.CreateSelect(Is, New, Old)
                    : B.CreateSelect(Is, Old, New);
}

void LaneLowering::openReductions(ArrayRef<LaneReduction> Reductions) {
  for (const LaneReduction &R : Reductions) {
    Type *Ty = getIRType(K.Buffers[R.State].Ty, B.getContext());
    Value *Start = getIdentity(R.How, Ty);
    if (!Start)
      Start = B.CreateLoad(Ty, C.Locals[R.State]);
    C.Private.insert(R.State);
    C.setPrivate(R.State, Start);
  }
}

Value *combineHalves(IRBuilderBase &B, Value *V, unsigned Left,
                     function_ref<Value *(Value *, Value *)> Combine) {
  unsigned Lanes = cast<FixedVectorType>(V->getType())->getNumElements();
  for (unsigned Half = Lanes / 2; Half >= Left; Half /= 2)
    V = Combine(B.CreateShuffleVector(V, createSequentialMask(0, Half, 0)),
                B.CreateShuffleVector(V, createSequentialMask(Half, Half, 0)));
  return V;
}

Value *LaneLowering::combineHalves(const LaneReduction &R, Value *V,
                                   unsigned Left) {
  return dlopt::combineHalves(B, V, Left, [&](Value *Low, Value *High) {
    return combine(R, Low, High);
  });
}

void LaneLowering::narrowReductions(ArrayRef<LaneReduction> Reductions,
                                    unsigned Lanes) {
  unsigned Before = C.getLanes();
  for (const LaneReduction &R : Reductions) {
    Value *V = C.getPrivate(R.State);
    V = Plan.Scalable ? combineVectors(R, V, Lanes)
                      : combineHalves(R, V, Lanes);
    C.setLanes(Lanes);
    C.setPrivate(R.State, V);
    C.setLanes(Before);
  }
}

void LaneLowering::closeReductions(ArrayRef<LaneReduction> Reductions) {
  for (const LaneReduction &R : Reductions) {
    Value *V = C.getPrivate(R.State);
    C.Private.erase(R.State);
    closeReduction(R, V);
  }
}

void LaneLowering::closeReduction(const LaneReduction &R, Value *V) {
  V = combineHalves(R, V, 1);
  V = B.CreateExtractElement(V, uint64_t(0));
  if (getIdentity(R.How, V->getType()))
    V = combine(R, B.CreateLoad(V->getType(), C.Locals[R.State]), V);
  B.CreateStore(V, C.Locals[R.State]);
}

} // namespace dlopt
