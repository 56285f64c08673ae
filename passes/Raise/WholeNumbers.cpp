//===- WholeNumbers.cpp - Integers that were numbers in between -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// (long)(float)x is x for integers of up to as many bits as a number has
/// digits, 24 of a float and 53 of a double, which is to be tested: images are
/// smaller. Windows are written so whose ends are found by fmin and fmax
/// (ConvertedBounds.cpp in Prepare).
///
//===----------------------------------------------------------------------===//
#include "Index.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace dlopt;

std::optional<WholeNumber> dlopt::getWholeNumber(const Value *V) {
  const auto *To = dyn_cast<CastInst>(V);
  if (!To || !isa<FPToSIInst, FPToUIInst>(To) || !To->getType()->isIntegerTy())
    return std::nullopt;
  const auto *From = dyn_cast<CastInst>(To->getOperand(0));
  if (!From || !isa<SIToFPInst, UIToFPInst>(From))
    return std::nullopt;
  constexpr unsigned Widest = 64, MostDigits = 53;
  const unsigned Bits = To->getType()->getIntegerBitWidth();
  const unsigned Before = From->getSrcTy()->getIntegerBitWidth();
  const fltSemantics &Number = From->getType()->getFltSemantics();
  const unsigned Digits = APFloat::semanticsPrecision(Number);
  if (Bits > Widest || Before > Widest || Digits > MostDigits ||
      !From->getType()->isIEEELikeFPTy())
    return std::nullopt;
  WholeNumber W;
  W.Of = From->getOperand(0);
  W.Signed = isa<SIToFPInst>(From);
  W.Hi = int64_t(1) << (DLOPT_PLANTED(DigitsAssumed) ? MostDigits : Digits);
  W.Lo = W.Signed && isa<FPToSIInst>(To) ? -W.Hi : 0;
  // Nor may it be beyond what it is an integer of, in either reading.
  for (unsigned N : {Bits, Before})
    if (N <= MostDigits) {
      W.Hi = std::min(W.Hi, (int64_t(1) << (N - 1)) - 1);
      W.Lo = std::max(W.Lo, -(int64_t(1) << (N - 1)));
    }
  return W;
}

/// Whether tests in front of the nest can say how large \p P is.
static bool isTestable(const Kernel &K, const Poly &P) {
  return !K.anyNestedAtom(P, [](const Atom &A) { return A.K == Atom::Load; });
}

/// What \p C is as a polynomial, which needs to have no more digits.
std::optional<Linear> IndexBuilder::buildWhole(CastInst *C, bool Signed,
                                               const Loop *Where) {
  std::optional<WholeNumber> W = getWholeNumber(C);
  std::optional<Linear> L = W ? build(W->Of, W->Signed, Where) : std::nullopt;
  if (!L || hasPlaceholder(L->P) || !isTestable(S.K, L->P))
    return std::nullopt;
  Range R = getRange(S.K, L->P, S.axesOf(Where));
  if (R.Hi < W->Lo || R.Lo > W->Hi)
    return std::nullopt;
  if (!R.within(W->Lo, W->Hi))
    S.addInRange(L->P, W->Lo, W->Hi);
  return Linear{L->P, Signed || W->Lo >= 0 || R.Lo >= 0};
}

/// Needs that \p V is a number from \p Lo to \p Hi.
bool IndexBuilder::requireWhole(Value *V, bool Signed, int64_t Lo, int64_t Hi,
                                const Loop *Where) {
  if (Recursion >= MaxRecursion)
    return false;
  ++Recursion;
  bool Ok = false;
  if (auto *M = dyn_cast<MinMaxIntrinsic>(V);
      M && S.isInside(M) && M->isSigned() == Signed) {
    // Of numbers in a range the greatest one is.
    Ok = requireWhole(M->getLHS(), Signed, Lo, Hi, Where) &&
         requireWhole(M->getRHS(), Signed, Lo, Hi, Where);
  } else if (std::optional<WholeNumber> W = getWholeNumber(V);
             W && W->Signed == Signed && S.isInside(V)) {
    Ok = requireWhole(W->Of, Signed, std::max(Lo, W->Lo), std::min(Hi, W->Hi),
                      Where);
  } else if (std::optional<Linear> L = build(V, Signed, Where);
             L && !hasPlaceholder(L->P) && isTestable(S.K, L->P)) {
    Range R = getRange(S.K, L->P, S.axesOf(Where));
    Ok = R.Hi >= Lo && R.Lo <= Hi;
    if (Ok && !R.within(Lo, Hi))
      S.addInRange(L->P, Lo, Hi);
  }
  --Recursion;
  return Ok;
}

Value *IndexBuilder::getWhole(Value *V, const Loop *Where) {
  std::optional<WholeNumber> W = getWholeNumber(V);
  if (!W || !S.isInside(V) || W->Of->getType() != V->getType() ||
      !tentatively(
          [&] { return requireWhole(W->Of, W->Signed, W->Lo, W->Hi, Where); }))
    return nullptr;
  return W->Of;
}
