//===- Index.cpp - Values as polynomials ----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Index.h"
#include "PrivateArrays.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

/// 0 for what is no integer of the model.
static unsigned getBits(const Value *V) {
  const auto *T = dyn_cast<IntegerType>(V->getType());
  return T && T->getBitWidth() <= 64 ? T->getBitWidth() : 0;
}

bool IndexBuilder::tentatively(function_ref<bool()> Try) {
  // Parameters and atoms that nothing uses are dropped in the end.
  auto Needs = S.K.Needs;
  Verdict Failure = S.Failure;
  if (Try())
    return true;
  S.K.Needs = std::move(Needs);
  S.Failure = std::move(Failure);
  return false;
}

/// Whether there is time for one more value, which is taken off.
bool IndexBuilder::mayLookAtMore() {
  if (!Recursion)
    Work = 0;
  return Recursion < MaxRecursion && ++Work <= MaxWork &&
         ++AllWork <= MaxAllWork;
}

/// \p P if it is no larger than indices are.
std::optional<Poly> IndexBuilder::within(std::optional<Poly> P) {
  if (P && !isTooLarge(S.K, *P))
    return P;
  OverBudget = true;
  return std::nullopt;
}

std::optional<Linear> IndexBuilder::build(Value *V, bool Signed,
                                          const Loop *Where) {
  unsigned Bits = getBits(V);
  if (!Bits)
    return std::nullopt;
  if (!mayLookAtMore()) {
    OverBudget = true;
    return std::nullopt;
  }
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    const APInt &A = C->getValue();
    if (Signed)
      return Linear{Poly(A.getSExtValue()), true};
    return Linear{Poly(static_cast<int64_t>(A.getZExtValue())),
                  A.isNonNegative() || Bits < 64};
  }
  ++Recursion;
  std::optional<Linear> R;
  if (auto It = Unread.find(V); It != Unread.end())
    R = Linear{Poly::atom(It->second), Signed};
  else if (auto *I = dyn_cast<Instruction>(V))
    R = buildInst(I, Signed, Where);
  if (R && !within(R->P))
    R.reset();
  if (!R)
    if (std::optional<unsigned> Depth = getInvariantDepth(V))
      R = buildParam(V, Signed, *Depth, Where);
  --Recursion;
  // Who asks gets no polynomial of what is none.
  if (R && !Recursion && hasPlaceholder(R->P))
    R.reset();
  return R;
}

/// x + 1 where loops of \p Nest run while they are not beyond \p V, which is x,
/// and index with x + 1: the number of their rounds, from which InstCombine
/// made their tests. Null: it is not so.
static BinaryOperator *findCount(Value *V, bool Signed, const Loop &Nest) {
  auto IsIn = [&](const User *U) {
    return Nest.contains(cast<Instruction>(U));
  };
  BinaryOperator *Count = nullptr;
  for (User *U : V->users()) {
    auto *O = dyn_cast<OverflowingBinaryOperator>(U);
    if (O && O->getOpcode() == Instruction::Add && !IsIn(O) &&
        match(O->getOperand(1), m_One()) &&
        (DLOPT_PLANTED(CountMayWrap) ||
         (Signed ? O->hasNoSignedWrap() : O->hasNoUnsignedWrap())) &&
        any_of(O->users(), IsIn))
      Count = cast<BinaryOperator>(O);
    else if (isa<Instruction>(U) && IsIn(U) && !isa<ICmpInst>(U))
      return nullptr;
  }
  return Count;
}

std::optional<Linear> IndexBuilder::buildParam(Value *V, bool Signed,
                                               unsigned Depth, const Loop *) {
  if (!getScalarType(V->getType()) || isa<UndefValue>(V))
    return std::nullopt;
  // An i64 stands for itself: there is one reading, the signed one.
  bool Reading = Signed || getBits(V) == 64;
  if (Reading == Signed && !Depth && !isa<Constant>(V))
    if (BinaryOperator *Count = findCount(V, Signed, S.Nest)) {
      ParamId P = S.getParam(Count, Signed, Depth);
      return Linear{Poly::atom(S.K.getParamAtom(P)) - Poly(1), true};
    }
  ParamId P = S.getParam(V, Reading, Depth);
  return Linear{Poly::atom(S.K.getParamAtom(P)), Reading == Signed};
}

std::optional<Poly> IndexBuilder::require(const Linear &L, unsigned Bits,
                                          bool Signed, const Loop *Where) {
  if (L.Exact)
    return L.P;
  Range T = getTypeRange(Bits, Signed);
  Range R = getRange(S.K, L.P, S.axesOf(Where));
  if (R.within(T.Lo, T.Hi))
    return L.P;
  if (R.Hi < T.Lo || R.Lo > T.Hi ||
      L.P.anyAtom([&](AtomId A) { return isPlaceholder(A); }))
    return std::nullopt;
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  S.addInRange(L.P, static_cast<int64_t>(T.Lo),
               T.Hi > Max ? Max : static_cast<int64_t>(T.Hi));
  return L.P;
}

std::optional<Poly> IndexBuilder::buildExact(Value *V, bool Signed,
                                             const Loop *Where) {
  std::optional<Linear> L = build(V, Signed, Where);
  if (!L)
    return std::nullopt;
  return require(*L, getBits(V), Signed, Where);
}

/// x << 2, x * 4: what turns a number of elements into one of bytes.
static bool isScaled(const BinaryOperator *B) {
  return getBits(B) == 64 && isa<ConstantInt>(B->getOperand(1)) &&
         (B->getOpcode() == Instruction::Shl ||
          B->getOpcode() == Instruction::Mul);
}

/// The same of a narrower number, which wraps in no case: what a guard computes
/// of sizes is no new one.
static bool isScaledExtension(const BinaryOperator *B) {
  const auto *C = dyn_cast<CastInst>(B->getOperand(0));
  return isScaled(B) && isa_and_nonnull<SExtInst, ZExtInst>(C) &&
         getBits(C->getOperand(0)) <= 32 &&
         cast<ConstantInt>(B->getOperand(1))->getValue().ult(1u << 30);
}

/// -x, where a window begins in front of a border that is x away: guards
/// compute with numbers that are not negative.
static bool isNegation(const BinaryOperator *B) {
  return match(B, m_NSWNeg(m_Value()));
}

std::optional<Linear> IndexBuilder::buildInst(Instruction *I, bool Signed,
                                              const Loop *Where) {
  bool Inside = S.isInside(I);
  if (std::optional<Linear> Row = buildChunk(I))
    return Row;
  switch (I->getOpcode()) {
  case Instruction::SExt:
  case Instruction::ZExt:
    return buildExtension(cast<CastInst>(I), Signed, Where);
  case Instruction::Trunc: {
    if (!Inside)
      return std::nullopt;
    std::optional<Linear> L = build(I->getOperand(0), Signed, Where);
    auto *T = cast<TruncInst>(I);
    if (L)
      L->Exact &= Signed ? T->hasNoSignedWrap() : T->hasNoUnsignedWrap();
    return L;
  }
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return Inside ? buildWhole(cast<CastInst>(I), Signed, Where) : std::nullopt;
  case Instruction::PHI:
    return Inside ? buildPhi(cast<PHINode>(I), Signed, Where) : std::nullopt;
  case Instruction::Select:
    return Inside ? buildSelect(cast<SelectInst>(I), Signed, Where)
                  : std::nullopt;
  case Instruction::Load:
    return Inside ? buildLoad(cast<LoadInst>(I), Signed, Where) : std::nullopt;
  default:
    if (auto *B = dyn_cast<BinaryOperator>(I);
        B && (Inside || B->hasMetadata(QuotientTag) ||
              (ExpandOutside && isScaled(B)) || isScaledExtension(B) ||
              (Signed && isNegation(B)) ||
              (ExpandProducts && B->getOpcode() == Instruction::Mul)))
      return buildBinary(B, Signed, Where);
    return std::nullopt;
  }
}

/// The address of something as a number.
static bool isAddress(Value *V) {
  if (auto *F = dyn_cast<FreezeInst>(V))
    V = F->getOperand(0);
  // By ptrtoint or ptrtoaddr.
  auto *C = dyn_cast<CastInst>(V);
  return C && C->getSrcTy()->isPointerTy() && C->getDestTy()->isIntegerTy();
}

std::optional<Linear> IndexBuilder::buildBinary(BinaryOperator *B, bool Signed,
                                                const Loop *Where) {
  // The distance of two pointers, as of the ends of a container, is one number:
  // addresses are too large for guards to compute with.
  if (B->getOpcode() == Instruction::Sub && isAddress(B->getOperand(0)) &&
      isAddress(B->getOperand(1)))
    if (std::optional<unsigned> Depth = getInvariantDepth(B))
      return buildParam(B, Signed, *Depth, Where);
  bool Flag = true;
  if (const auto *O = dyn_cast<OverflowingBinaryOperator>(B);
      O && !DLOPT_PLANTED(NoWrapAssumed))
    Flag = Signed ? O->hasNoSignedWrap() : O->hasNoUnsignedWrap();
  switch (B->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    break;
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(B)->isDisjoint())
      return std::nullopt;
    break;
  case Instruction::Xor:
    return buildXor(B, Signed, Where);
  case Instruction::AShr:
    if (std::optional<Linear> L = buildNarrowed(B, Signed, Where))
      return L;
    return buildQuotient(B, Signed, Where);
  default:
    return buildDivision(B, Signed, Where);
  }
  std::optional<Linear> L = build(B->getOperand(0), Signed, Where);
  if (!L)
    return std::nullopt;
  if (B->getOpcode() == Instruction::Shl) {
    auto *C = dyn_cast<ConstantInt>(B->getOperand(1));
    if (!C || C->getValue().uge(std::min(getBits(B), 63u)))
      return std::nullopt;
    return Linear{L->P * Poly(int64_t(1) << C->getZExtValue()),
                  Flag && L->Exact};
  }
  std::optional<Linear> R = build(B->getOperand(1), Signed, Where);
  // x + 0xffffffff is congruent to x - 1, which counts down.
  if (auto *C = dyn_cast<ConstantInt>(B->getOperand(1));
      C && C->isNegative() && !Signed && B->getOpcode() == Instruction::Add)
    R = Linear{Poly(C->getSExtValue()), false};
  if (!R)
    return std::nullopt;
  bool Exact = Flag && L->Exact && R->Exact;
  if (B->getOpcode() == Instruction::Sub)
    return Linear{buildRemainder(L->P - R->P), Exact};
  if (B->getOpcode() == Instruction::Mul) {
    std::optional<Poly> Product = within(multiplyWithin(L->P, R->P));
    if (!Product)
      return std::nullopt;
    return Linear{*Product, Exact};
  }
  return Linear{L->P + R->P, Exact};
}

/// (x << 32) >> 30 is what the low half of x is, sign-extended, times 4.
std::optional<Linear>
IndexBuilder::buildNarrowed(BinaryOperator *B, bool Signed, const Loop *Where) {
  const APInt *Left = nullptr, *Right = nullptr;
  Value *X = nullptr;
  unsigned Bits = getBits(B);
  if (!match(B, m_AShr(m_Shl(m_Value(X), m_APInt(Left)), m_APInt(Right))) ||
      Left->uge(Bits) || Left->isZero() || Right->ugt(*Left))
    return std::nullopt;
  auto Dropped = static_cast<unsigned>(Left->getZExtValue());
  unsigned Up = Dropped - static_cast<unsigned>(Right->getZExtValue());
  std::optional<Linear> L = build(X, true, Where);
  if (!L || Up > 32)
    return std::nullopt;
  // Where x is in range so is what is left of it.
  std::optional<Poly> P = require({L->P, false}, Bits - Dropped, true, Where);
  if (!P)
    return std::nullopt;
  return Linear{*P * Poly(int64_t(1) << Up), Signed};
}

/// Of a stride in bytes, x * stride >> 2 is x times the stride in elements
/// where that is a whole number.
std::optional<Linear>
IndexBuilder::buildQuotient(BinaryOperator *B, bool Signed, const Loop *Where) {
  auto *By = dyn_cast<ConstantInt>(B->getOperand(1));
  if (By && By->getValue() == getBits(B) - 1)
    return requireNonNegative(B->getOperand(0), Where)
               ? std::optional<Linear>({Poly(0), true})
               : std::nullopt;
  if (!By || By->getValue().ugt(16))
    return std::nullopt;
  std::optional<Linear> L = build(B->getOperand(0), true, Where);
  if (!L || L->P.anyAtom([&](AtomId A) { return isPlaceholder(A); }))
    return std::nullopt;
  std::optional<Poly> Num = require(*L, getBits(B), true, Where);
  int64_t Den = int64_t(1) << By->getZExtValue();
  if (Num && B->hasMetadata(QuotientTag))
    return Linear{divideFloor(S.K, *Num, Poly(Den)), Signed};
  std::optional<Poly> P =
      Num ? divideStrides(*Num, Den, nullptr) : std::nullopt;
  if (!P)
    return std::nullopt;
  return Linear{*P, Signed};
}

/// An index that is negative somewhere is meant to be, unless parameters that
/// are not known make it so.
bool IndexBuilder::requireNonNegative(const Poly &P, ArrayRef<AxisId> Axes) {
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  Range R = getRange(S.K, P, Axes);
  if (R.within(0, Max))
    return true;
  bool Rises = all_of(P.terms(), [](auto &T) { return T.second > 0; });
  if ((dependsOnLoops(P, &S.Nest) && !Rises) || R.Hi < 0)
    return false;
  S.addInRange(P, 0, Max);
  return true;
}

bool IndexBuilder::requireNonNegative(Value *V, const Loop *Where) {
  return tentatively([&] {
    std::optional<Poly> P = buildExact(V, true, Where);
    return P && !P->anyAtom([&](AtomId A) { return isPlaceholder(A); }) &&
           requireNonNegative(*P, S.axesOf(Where));
  });
}

/// MLIR's quotients round down, x < 0 ? -1 - (-1 - x) / d : x / d: what is
/// chosen where x is what is divided elsewhere, and so is not negative.
std::optional<Linear> IndexBuilder::buildSelect(SelectInst *I, bool Signed,
                                                const Loop *Where) {
  if (Value *V = findDecided(I))
    return build(V, Signed, Where);
  Value *X = nullptr;
  bool IfNegative =
      match(I->getCondition(),
            m_SpecificICmp(CmpInst::ICMP_SLT, m_Value(X), m_Zero()));
  if (!IfNegative &&
      !match(I->getCondition(),
             m_SpecificICmp(CmpInst::ICMP_SGT, m_Value(X), m_AllOnes())))
    return std::nullopt;
  if (!requireNonNegative(X, Where))
    return std::nullopt;
  return build(IfNegative ? I->getFalseValue() : I->getTrueValue(), Signed,
               Where);
}

/// A signed byte plus 128, as tables of these have it: the remainder, which it
/// is already, says that it is a number from 0 to 255.
std::optional<Linear> IndexBuilder::buildFlipped(Value *Byte,
                                                 const Loop *Where) {
  constexpr int64_t Values = 256;
  std::optional<Linear> L = build(Byte, /*Signed=*/true, Where);
  if (!L || !L->Exact)
    return std::nullopt;
  AtomId Id = S.K.getModAtom(L->P + Poly(Values / 2), Poly(Values));
  return Linear{Poly::atom(Id), true};
}

/// The same by bits, of which x >> 63 is the sign: x ^ (x >> 63).
std::optional<Linear> IndexBuilder::buildXor(BinaryOperator *B, bool Signed,
                                             const Loop *Where) {
  auto *C = dyn_cast<ConstantInt>(B->getOperand(1));
  if (C && C->getValue().isSignMask() && getBits(B) == 8 && !Signed)
    return buildFlipped(B->getOperand(0), Where);
  if (C && !C->isMinusOne())
    return std::nullopt;
  std::optional<Linear> L = build(B->getOperand(0), Signed, Where);
  if (!L)
    return std::nullopt;
  if (!C) {
    std::optional<Linear> R = build(B->getOperand(1), Signed, Where);
    if (!R || (!L->P.isZero() && !R->P.isZero()))
      return std::nullopt;
    return L->P.isZero() ? R : L;
  }
  // ~x is -1 - x, or in the unsigned reading the largest number minus x.
  bool Wide = getBits(B) == 64;
  int64_t Max = Signed || Wide ? -1 : (int64_t(1) << getBits(B)) - 1;
  return Linear{Poly(Max) - L->P, L->Exact && (Signed || !Wide)};
}

/// x - d * floor(x / d) is a remainder.
Poly IndexBuilder::buildRemainder(Poly P) {
  for (AtomId Id = 0; Id != S.K.Atoms.size(); ++Id) {
    const Atom A = S.K.Atoms[Id];
    if (A.K == Atom::FloorDiv && P.uses(Id) &&
        P == A.Num - A.Den * Poly::atom(Id))
      return Poly::atom(S.K.getModAtom(A.Num, A.Den));
  }
  return P;
}

/// Quotients and remainders of what is known to be non-negative.
/// \p Num without multiples of \p Den, a number that is not known: these, by \p
/// Den, are \p Whole. What is left is a sum of positive terms.
static Poly takeMultiples(const Poly &Num, const Poly &Den, Poly &Whole) {
  if (!Den.getAtom())
    return Num;
  Poly Rest, Multiples;
  for (const auto &[Product, Factor] : Num.terms()) {
    Poly Term = Poly::monomial(Product, Factor);
    if (std::optional<Poly> Q = Term.divideExactly(Den))
      Multiples = Multiples + *Q;
    else
      Rest = Rest + Term;
  }
  if (any_of(Rest.terms(), [](const auto &Term) { return Term.second < 0; }))
    return Num;
  Whole = std::move(Multiples);
  return Rest;
}

std::optional<Linear>
IndexBuilder::buildDivision(BinaryOperator *B, bool Signed, const Loop *Where) {
  bool IsSigned = false, IsRem = false, IsBits = false;
  switch (B->getOpcode()) {
  case Instruction::SDiv:
    IsSigned = true;
    break;
  case Instruction::SRem:
    IsSigned = IsRem = true;
    break;
  case Instruction::UDiv:
    break;
  case Instruction::URem:
    IsRem = true;
    break;
  case Instruction::LShr:
    IsBits = true;
    break;
  case Instruction::And:
    IsBits = IsRem = true;
    break;
  default:
    return std::nullopt;
  }
  std::optional<Poly> Den;
  // Of x & 6 the lowest bit stands for 2: it is x / 2 % 4 * 2.
  Poly Unit = 1;
  if (IsBits) {
    auto *C = dyn_cast<ConstantInt>(B->getOperand(1));
    if (!C)
      return std::nullopt;
    unsigned Dropped = IsRem ? C->getValue().countr_zero() : 0;
    if (Dropped >= std::min(getBits(B), 62u))
      return std::nullopt;
    Unit = Poly(int64_t(1) << Dropped);
    APInt D = IsRem ? C->getValue().lshr(Dropped).zext(65) + 1
                    : APInt(65, 1).shl(C->getLimitedValue(64));
    if (!D.isPowerOf2() || D.getActiveBits() > 62)
      return std::nullopt;
    Den = Poly(static_cast<int64_t>(D.getZExtValue()));
  } else {
    Den = buildExact(B->getOperand(1), IsSigned, Where);
  }
  // Where it runs a divisor is not zero, so an unsigned one is positive.
  std::optional<Poly> Num = buildExact(B->getOperand(0), IsSigned, Where);
  if (!Num || !Den)
    return std::nullopt;
  auto IsHole = [&](AtomId A) { return isPlaceholder(A); };
  if (Num->anyAtom(IsHole) || Den->anyAtom(IsHole))
    return std::nullopt;
  SmallVector<AxisId, 6> Axes = S.axesOf(Where);
  constexpr __int128 Max = std::numeric_limits<int64_t>::max();
  // What can be had as a parameter is better so.
  if ((!getRange(S.K, *Num, Axes).within(0, Max) && getInvariantDepth(B)) ||
      !requireNonNegative(*Num, Axes))
    return std::nullopt;
  Range Divisor = getRange(S.K, *Den, Axes);
  if (Divisor.Hi < 1)
    return std::nullopt;
  if (!Divisor.within(IsSigned ? 1 : 0, Max))
    S.addInRange(*Den, 1, static_cast<int64_t>(Max));
  if (Unit != Poly(1))
    Num = divideFloor(S.K, *Num, Unit);
  Poly Whole, Rest = takeMultiples(*Num, *Den, Whole);
  if (!Whole.isZero() && !requireNonNegative(Rest, Axes))
    return std::nullopt;
  Num = Rest;
  Poly R = IsRem ? Unit * Poly::atom(S.K.getModAtom(*Num, *Den))
                 : Whole + (Num->isZero()
                                ? Poly()
                                : Poly::atom(S.K.getFloorDivAtom(*Num, *Den)));
  // Non-negative and no larger than the numerator: if that is an exact signed
  // number, the result is the same in both readings.
  return Linear{R, IsSigned || !Signed};
}

std::optional<Linear> IndexBuilder::buildExtension(CastInst *C, bool Signed,
                                                   const Loop *Where) {
  Value *Op = C->getOperand(0);
  unsigned Bits = getBits(Op);
  if (!Bits || Bits == 1)
    return std::nullopt;
  bool IsSExt = isa<SExtInst>(C);
  if (!IsSExt) {
    // The same as a sign extension where the operand is not negative, and
    // signed polynomials are what the flags of C's int speak of.
    std::optional<Linear> L = build(Op, true, Where);
    auto Fits = [&](const Linear &X, bool AsSigned) {
      Range T = getTypeRange(Bits, AsSigned);
      return X.Exact || getRange(S.K, X.P, S.axesOf(Where)).within(T.Lo, T.Hi);
    };
    if (L) {
      Range R = getRange(S.K, L->P, S.axesOf(Where));
      bool NNeg = cast<ZExtInst>(C)->hasNonNeg();
      if (R.within(0, getTypeRange(Bits, true).Hi) ||
          (Fits(*L, true) && (R.Lo >= 0 || NNeg)))
        return Linear{L->P, true};
      // Of two readings that both need a test, the one in which -1 is -1.
      std::optional<Linear> U = build(Op, false, Where);
      if (NNeg && R.Lo < 0 && !(U && Fits(*U, false)))
        if (std::optional<Poly> P = require(*L, Bits, true, Where))
          return Linear{*P, true};
    }
  }
  std::optional<Poly> P = buildExact(Op, IsSExt, Where);
  if (!P)
    return std::nullopt;
  if (!IsSExt || Signed)
    return Linear{*P, true};
  return Linear{*P, false}; // a negative value read as unsigned
}

/// A load of the same place in front of the nest. What is between may have
/// changed the place as far as anybody knows, but rarely has: where extents are
/// variables that a parallel loop captures, a call.
LoadInst *IndexBuilder::findEarlierLoad(const LoadInst &L) {
  const Value *Ptr = L.getPointerOperand();
  if (isa<Constant>(Ptr) || S.isInside(Ptr))
    return nullptr;
  const Instruction *Entry = S.Nest.getLoopPreheader()->getTerminator();
  for (const User *U : Ptr->users())
    if (auto *O = dyn_cast<LoadInst>(U);
        O && O->isSimple() && O->getType() == L.getType() && !S.isInside(O) &&
        S.Ctx.DT.dominates(O, Entry))
      return const_cast<LoadInst *>(O);
  return nullptr;
}

std::optional<Linear> IndexBuilder::buildLoad(LoadInst *L, bool Signed,
                                              const Loop *Where) {
  if (!L->isSimple())
    return std::nullopt;
  if (std::optional<InvariantLoad> Inv = getInvariantLoad(L)) {
    std::optional<Linear> R =
        buildParam(Inv->Representative, Signed, Inv->Depth, Where);
    LoadInst *Before = R ? findEarlierLoad(*Inv->Representative) : nullptr;
    if (!Before)
      return R;
    std::optional<Linear> Earlier = buildParam(Before, Signed, 0, Where);
    S.addInRange(R->P - Earlier->P, 0, 0);
    return Earlier;
  }
  // Evaluated where it is used: nothing may write it in between, so nothing in
  // the nest may write it at all (checked when all writes are known).
  if (getBits(L) < 8 || !isAligned(S, *L) ||
      (mayBeWritten(L) && !isApartIfTested(L)))
    return std::nullopt;
  std::optional<Access> A =
      buildAccess(L->getPointerOperand(), L->getType(), Where);
  if (!A || any_of(A->Subs, [&](const Poly &P) {
        return P.anyAtom([&](AtomId X) { return isPlaceholder(X); });
      }))
    return std::nullopt;
  bool Reading = Signed || getBits(L) == 64;
  return Linear{Poly::atom(S.K.getLoadAtom(*A, Reading)), Reading == Signed};
}
