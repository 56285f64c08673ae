//===- Fill.cpp - Copies that are filled where nothing is read ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// stage %in l row 48 t=2*k+m = t fill -inf: elements of a window that are
/// outside of the image are not read; in the copy they are -inf, and the
/// maximum is taken of them, too, without a condition:
///
///   max[k] = select(fcmp<ogt>(x, max[k]), x, max[k])  where 2*k + m > 0
///
/// keeps its old value whatever that is, a NaN, too, if x is -inf. This is a
/// matter of the very comparison: `max > x ? max : x` makes -inf of a NaN. Of a
/// number that is not the least of all it is a matter of where the maximum
/// starts. Sums keep their bits for no number that is added: -0 + 0 is 0, and
/// -0 makes another NaN of a signaling one.
///
//===----------------------------------------------------------------------===//
#include "../Kernel/Operations.h"
#include "Copy.h"
#include "dlopt/Combiners.h"
#include "dlopt/KernelText.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// How an old value may compare with a number: the bits of LLVM's predicates of
/// floating-point numbers.
enum Order : unsigned { Equal = 1, Greater = 2, Less = 4, Unordered = 8 };

/// A choice between an old value and another one.
struct Choice {
  unsigned Keeps = 0; ///< orders in which the old value stays
  bool IsSigned = true;
};

} // namespace

static APFloat getFloat(ScalarType Ty, uint64_t Bits) {
  return APFloat(getSemantics(Ty), APInt(getBitWidth(Ty), Bits));
}

static unsigned getOrders(CmpInst::Predicate P) {
  if (CmpInst::isFPPredicate(P))
    return P;
  if (P == CmpInst::ICMP_NE)
    return Less | Greater;
  return (CmpInst::isTrueWhenEqual(P) ? Equal : 0) |
         (ICmpInst::isGT(P) || ICmpInst::isGE(P) ? Greater : 0) |
         (ICmpInst::isLT(P) || ICmpInst::isLE(P) ? Less : 0);
}

/// The orders that some value has to \p Fill.
static unsigned getOrdersTo(ScalarType Ty, uint64_t Fill, bool IsSigned) {
  if (isFloat(Ty)) {
    APFloat F = getFloat(Ty, Fill);
    if (F.isNaN())
      return Unordered;
    return Unordered | Equal | (F.isNegInfinity() ? 0 : Less) |
           (F.isPosInfinity() ? 0 : Greater);
  }
  APInt F(getBitWidth(Ty), Fill);
  bool IsLeast = IsSigned ? F.isMinSignedValue() : F.isMinValue(),
       IsMost = IsSigned ? F.isMaxSignedValue() : F.isMaxValue();
  return Equal | (IsLeast ? 0 : Less) | (IsMost ? 0 : Greater);
}

static unsigned getOrder(ScalarType Ty, uint64_t X, uint64_t Y, bool IsSigned) {
  if (isFloat(Ty))
    switch (getFloat(Ty, X).compare(getFloat(Ty, Y))) {
    case APFloat::cmpLessThan:
      return Less;
    case APFloat::cmpEqual:
      return Equal;
    case APFloat::cmpGreaterThan:
      return Greater;
    case APFloat::cmpUnordered:
      return Unordered;
    }
  APInt A(getBitWidth(Ty), X), B(getBitWidth(Ty), Y);
  if (A == B)
    return Equal;
  return (IsSigned ? A.slt(B) : A.ult(B)) ? Less : Greater;
}

/// How \p A chooses between the old value and another one, if that is all that
/// it does. Flags say that some values are none.
static std::optional<Choice> findChoice(const Leaf &L, const Assign &A) {
  std::optional<Combiner> C = getCombiner(L, A);
  if (!C)
    return std::nullopt;
  const Op &O = L.Ops[A.Value];
  if (O.FMF.any())
    return std::nullopt;
  if (C->K == Op::Inst && C->Opcode == Instruction::Select) {
    const Op &Test = L.Ops[O.Args[0]];
    if (Test.FMF.any())
      return std::nullopt;
    return Choice{getOrders(C->Pred), !CmpInst::isUnsigned(C->Pred)};
  }
  if (C->K != Op::Intrinsic)
    return std::nullopt;
  switch (C->Opcode) {
  case Intrinsic::smax:
  case Intrinsic::umax:
    return Choice{Greater | Equal, C->Opcode == Intrinsic::smax};
  case Intrinsic::smin:
  case Intrinsic::umin:
    return Choice{Less | Equal, C->Opcode == Intrinsic::smin};
  default:
    return std::nullopt;
  }
}

/// The orders to \p Fill that what is in \p B never has: it starts with numbers
/// on one side of it, and goes on to others that are further from it.
static unsigned getOrdersOfNone(const Kernel &K, BufferId B, uint64_t Fill,
                                bool IsSigned) {
  ScalarType Ty = K.Buffers[B].Ty;
  auto IsNever = [&](unsigned Side) {
    bool Result = true;
    auto Check = [&](const Leaf &L, const Assign &A) {
      const Op &O = L.Ops[A.Value];
      if (O.K == Op::Const)
        return !(getOrder(Ty, O.Bits, Fill, IsSigned) & (Side | Unordered));
      std::optional<Choice> C = findChoice(L, A);
      return C && C->IsSigned == IsSigned &&
             !(~C->Keeps & (isFloat(Ty) ? 15U : 7U) & ~(Side | Equal));
    };
    forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
      for (const Assign &A : L.Assigns)
        if (A.Target.Buf == B)
          Result &= Check(L, A);
    });
    return Result;
  };
  return (IsNever(Less) ? Less | Unordered : 0) |
         (IsNever(Greater) ? Greater | Unordered : 0);
}

/// Whether integers that are combined by \p Opcode with \p Fill stay.
static bool isIntegerIdentity(unsigned Opcode, ScalarType Ty, uint64_t Fill) {
  APInt F(getBitWidth(Ty), Fill);
  switch (Opcode) {
  case Instruction::Add:
  case Instruction::Or:
  case Instruction::Xor:
    return F.isZero();
  case Instruction::Mul:
    return F.isOne();
  case Instruction::And:
    return F.isAllOnes();
  default:
    return false;
  }
}

/// Equal numbers that are others: zeros, and what counts as zero where
/// subnormal numbers do.
static bool hasEquals(ScalarType Ty, uint64_t Fill) {
  if (!isFloat(Ty))
    return false;
  APFloat F = getFloat(Ty, Fill);
  return F.isZero() || F.isDenormal();
}

/// Whether the integer \p Id is 0 where \p X is.
static bool isZeroWith(const Leaf &L, OpId Id, const Access &X) {
  const Op &O = L.Ops[Id];
  if (O.K == Op::Load)
    return O.Acc == X;
  if (O.K != Op::Inst)
    return false;
  auto IsZero = [&](OpId Arg) { return isZeroWith(L, Arg, X); };
  switch (O.Opcode) {
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    return IsZero(O.Args.front());
  case Instruction::Mul:
  case Instruction::And:
    return any_of(O.Args, IsZero);
  default:
    return false;
  }
}

/// Whether \p O has a value, flags apart, whatever its operands are.
static bool hasAlwaysValue(const Op &O) {
  if (O.K != Op::Inst)
    return O.K == Op::Load || O.K == Op::Const || O.K == Op::Param;
  switch (O.Opcode) {
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return true;
  default:
    return false;
  }
}

/// Whether \p L adds integers that are 0 where the copy is.
bool Step::addsZero(const Copy &C, const Leaf &L) {
  const Assign &A = L.Assigns.front();
  const Op &O = L.Ops[A.Value];
  std::optional<Combiner> Of = getCombiner(L, A);
  return Of && Of->K == Op::Inst && Of->Opcode == Instruction::Add &&
         !isFloat(O.Ty) && *C.Fill == 0 && !isFloat(K.Buffers[C.X.Buf].Ty) &&
         all_of(L.Ops, hasAlwaysValue) &&
         any_of(O.Args, [&](OpId Arg) { return isZeroWith(L, Arg, C.X); });
}

/// What \p U's leaf reads beside the copy, for a product with nothing, where
/// it did not before: the source reads it, too.
bool Step::refuseOthers(const Copy &C, const MemoryUse &U,
                        ArrayRef<Constraint> Kept, const Dependences &D) {
  bool IsOther = U.K == MemoryUse::Read && U.X && is_contained(C.All, U.N) &&
                 !U.IsOfDomain && !(*U.X == C.X) &&
                 !(*U.X == U.N->L.Assigns.front().Target);
  return IsOther &&
         (K.Buffers[U.X->Buf].IsLocal ||
          !D.isReadIn(Plain, *U.X, U.Path, Kept)) &&
         !DLOPT_PLANTED(FillReadUnasked) &&
         fail(text(*U.X) + " would be read where it is not");
}

/// Whether \p L leaves what it assigns as it is where it reads what fills the
/// copy.
bool Step::checkFilled(const Copy &C, const Leaf &L) {
  if (DLOPT_PLANTED(FillUnasked))
    return false;
  if (L.Assigns.size() != 1)
    return fail("what reads " + text(C.X) + " assigns several elements");
  const Assign &A = L.Assigns.front();
  if (addsZero(C, L))
    return false;
  const Op &O = L.Ops[A.Value];
  std::optional<Combiner> Of = getCombiner(L, A);
  // The operands of a choice are behind its test.
  auto IsElement = [&](OpId Id) {
    const Op &X = L.Ops[Id];
    return X.K == Op::Load && (X.Acc == C.X || X.Acc == A.Target);
  };
  bool IsChoice = Of && Of->K == Op::Inst && Of->Opcode == Instruction::Select;
  if (!Of || !all_of(ArrayRef(O.Args).drop_front(IsChoice), IsElement))
    return fail("what reads " + text(C.X) + " is not combined with it alone");
  ScalarType Ty = K.Buffers[A.Target.Buf].Ty;
  if (!isFloat(Ty) && Of->K == Op::Inst &&
      isIntegerIdentity(Of->Opcode, Ty, *C.Fill))
    return false;
  std::optional<Choice> How = findChoice(L, A);
  if (isFloat(Ty) && Of->K == Op::Inst && !IsChoice)
    return fail("no number that is added or multiplied leaves all bits: -0 + 0 "
                "is 0, and a NaN may become another one");
  if (!How)
    return fail("it is not known that '" + printScalar(Ty, *C.Fill) +
                "' leaves all bits of " + text(A.Target));
  unsigned Left = getOrdersTo(Ty, *C.Fill, How->IsSigned) & ~How->Keeps;
  if (!hasEquals(Ty, *C.Fill))
    Left &= ~Equal;
  if (Left)
    Left &= ~getOrdersOfNone(K, A.Target.Buf, *C.Fill, How->IsSigned);
  StringRef What = Left & Unordered ? "a NaN"
                   : Left & Equal   ? "a zero of another sign"
                   : Left & Less    ? "a smaller number"
                                    : "a greater number";
  return Left &&
         fail("'" + printScalar(Ty, *C.Fill) + "' would take the place of " +
              What + " in " + text(A.Target));
}

/// What is read under conditions is read under none then.
bool Step::checkFill(const Copy &C, const Dependences &D) {
  const Leaf &First = C.Served.node().L;
  for (const Node *N : C.All)
    if (N->L.Predicate || !isSameDomain(N->L, First))
      return fail(text(C.X) + " is not read under one condition");
  if (C.Domain.empty())
    return fail("no condition that the copy knows says which of " + text(C.X) +
                " are read");
  if (C.FillsOutside &&
      any_of(C.Where, [](const Constraint &X) { return X.IsEquality; }))
    return fail("what is outside of an equality is no one condition");
  if (refuseLanesBelow(C.P.node()))
    return true;
  SmallVector<Poly, 4> Conditions;
  for (const Constraint &Cond : C.Where)
    Conditions.push_back(Cond.P);
  auto NumShared = static_cast<unsigned>(C.P.axes().size());
  if (!DLOPT_PLANTED(FillPlacesShared) &&
      !D.isFunctionOf(Conditions, C.Places, C.path(), NumShared))
    return fail("elements under different conditions have one place in '" +
                C.Name + "'");
  SmallVector<Constraint, 2> Kept;
  for (const Constraint &Cond : First.Domain) {
    if (any_of(C.Domain, [&](const Constraint &X) { return X.P == Cond.P; }))
      continue;
    // It may be tested only where the others hold.
    if (refuseUnsafe(Cond.P))
      return true;
    Kept.push_back(Cond);
  }
  for (const Node *N : C.All)
    if (checkFilled(C, N->L))
      return true;
  for (const MemoryUse &U : D.uses()) {
    if (refuseOthers(C, U, Kept, D))
      return true;
    if (U.K != MemoryUse::Write || !is_contained(C.All, U.N))
      continue;
    const Buffer &B = K.Buffers[U.X->Buf];
    if (!B.IsLocal || is_contained(K.Root.Locals, U.X->Buf))
      return fail("'" + B.Name + "' would be assigned where it is not");
    for (auto [I, Size] : zip(U.X->Subs, B.Shape))
      if (refuseUnsafe(I) || !D.isAtLeastZero(I, U.Path, Kept) ||
          !D.isAtLeastZero(Size - I - Poly(1), U.Path, Kept))
        return fail(text(*U.X) + " may be outside where nothing is read");
  }
  return false;
}

/// What was never assigned is junk there, which stays where it is. What the
/// source computes under conditions alone may wrap around without them.
void Step::dropFilled(const Copy &C) {
  for (Node *N : C.All) {
    for (Op &O : N->L.Ops)
      O.NUW = O.NSW = O.Disjoint = O.NNeg = false;
    llvm::erase_if(N->L.Domain, [&](const Constraint &Cond) {
      return is_contained(C.Domain, Cond);
    });
    Buffer &B = K.Buffers[N->L.Assigns.front().Target.Buf];
    if (B.Where == Buffer::AnyPlace)
      B.Where = Buffer::Register;
  }
}
