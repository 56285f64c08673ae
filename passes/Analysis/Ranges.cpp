//===- Ranges.cpp - What polynomials can be -------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Ranges.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instruction.h"
#include <algorithm>

using namespace llvm;
using namespace dlopt;

static constexpr __int128 Infinite = static_cast<__int128>(1) << 120;

static __int128 saturate(__int128 V) {
  return std::clamp(V, -Infinite, Infinite);
}

static __int128 multiply(__int128 A, __int128 B) {
  __int128 P;
  if (__builtin_mul_overflow(A, B, &P))
    return (A < 0) == (B < 0) ? Infinite : -Infinite;
  return saturate(P);
}

static Range multiply(Range A, Range B) {
  auto [Lo, Hi] = std::minmax({multiply(A.Lo, B.Lo), multiply(A.Lo, B.Hi),
                               multiply(A.Hi, B.Lo), multiply(A.Hi, B.Hi)});
  return {Lo, Hi};
}

Range dlopt::getTypeRange(unsigned Bits, bool Signed) {
  __int128 One = 1;
  if (Signed)
    return {-(One << (Bits - 1)), (One << (Bits - 1)) - 1};
  return {0, (One << Bits) - 1};
}

/// What is computed from narrow numbers in 64 bits is less than these hold.
static Range getParamRange(const Param &P) {
  unsigned Bits = getBitWidth(P.Ty);
  if (Bits != 64)
    return getTypeRange(Bits, P.Signed);
  if (auto *I = dyn_cast_or_null<Instruction>(P.Bound))
    Bits -= ComputeNumSignBits(I, I->getDataLayout()) - 1;
  return getTypeRange(Bits, /*Signed=*/true);
}

static Range getAtomRange(const Kernel &K, AtomId Id,
                          ArrayRef<AxisId> Enclosing, ArrayRef<Range> Params) {
  if (Id >= K.Atoms.size())
    return {-Infinite, Infinite};
  const Atom &A = K.Atoms[Id];
  switch (A.K) {
  case Atom::Axis: {
    __int128 Hi = std::numeric_limits<int64_t>::max();
    for (const Poly &E : K.Axes[A.Ref].Extents)
      Hi = std::min(Hi, getRange(K, E, {}, Params).Hi - 1);
    return {0, std::max<__int128>(Hi, 0)};
  }
  case Atom::Size:
    return {0, K.Axes[A.Ref].Schedule.Steps.front().getMost()};
  case Atom::VL:
    return {LeastVL, MostVL};
  case Atom::Param: {
    const Param &P = K.Params[A.Ref];
    if (P.isComputed())
      return {P.Least, P.Most};
    Range R = Params.empty() ? getParamRange(P) : Params[A.Ref];
    // Inside an axis that runs to the parameter, it is at least one.
    for (AxisId X : Enclosing)
      for (const Poly &E : K.Axes[X].Extents)
        if (E == Poly::atom(Id))
          R.Lo = std::max<__int128>(R.Lo, 1);
    return R;
  }
  case Atom::FloorDiv: {
    Range N = getRange(K, A.Num, Enclosing, Params);
    std::optional<int64_t> Den = A.Den.getConstant();
    if (!Den || *Den < 1)
      return {std::min<__int128>(N.Lo, 0), std::max<__int128>(N.Hi, 0)};
    auto Divide = [&](__int128 V) {
      bool IsInfinite = V <= -Infinite || V >= Infinite;
      return IsInfinite ? V : (V - (V % *Den + *Den) % *Den) / *Den;
    };
    return {Divide(N.Lo), Divide(N.Hi)};
  }
  case Atom::Mod:
    return {
        0, std::max<__int128>(getRange(K, A.Den, Enclosing, Params).Hi - 1, 0)};
  case Atom::Load: {
    unsigned Bits = getBitWidth(K.Buffers[A.Source.Buf].Ty);
    return getTypeRange(Bits, A.Signed || Bits == 64);
  }
  }
  return {-Infinite, Infinite};
}

/// What a quotient times its divisor leaves of what is divided, a * (x - d *
/// floor(x / d)), taken out of \p P; null if there is none. What a loop in
/// steps of d leaves is so written.
static std::optional<Range> takeRemainder(const Kernel &K, Poly &P) {
  for (const auto &[Mono, Coef] : P.terms()) {
    if (Mono.size() != 1 || Mono[0] >= K.Atoms.size() ||
        K.Atoms[Mono[0]].K != Atom::FloorDiv)
      continue;
    const Atom &Quotient = K.Atoms[Mono[0]];
    std::optional<int64_t> Den = Quotient.Den.getConstant();
    if (!Den || *Den < 1 || Coef % *Den != 0 || !isInt<32>(Coef) ||
        !all_of(
            Quotient.Num.terms(),
            [](const Poly::Term &T) { return isInt<31>(T.second); }))
      continue; // nor products that wrap
    const int64_t Times = -(Coef / *Den);
    const Poly Divided = Poly(Times) * Quotient.Num;
    if (!all_of(Divided.terms(), [&](const Poly::Term &T) {
          return is_contained(P.terms(), T);
        }))
      continue;
    P -= Divided + Poly(Coef) * Poly::atom(Mono[0]);
    __int128 End = static_cast<__int128>(Times) * (*Den - 1);
    return Range{std::min<__int128>(End, 0), std::max<__int128>(End, 0)};
  }
  return std::nullopt;
}

Range dlopt::getRange(const Kernel &K, const Poly &P,
                      ArrayRef<AxisId> Enclosing, ArrayRef<Range> Params) {
  Range Sum{0, 0};
  Poly Rest = P;
  while (std::optional<Range> R = takeRemainder(K, Rest))
    Sum = {Sum.Lo + R->Lo, Sum.Hi + R->Hi};
  for (const auto &[Mono, Coef] : Rest.terms()) {
    Range R{Coef, Coef};
    for (AtomId A : Mono)
      R = multiply(R, getAtomRange(K, A, Enclosing, Params));
    // Once a bound is infinite it stays so: nothing cancels it.
    bool NoLo = std::min(Sum.Lo, R.Lo) <= -Infinite;
    bool NoHi = std::max(Sum.Hi, R.Hi) >= Infinite;
    Sum.Lo = NoLo ? -Infinite : saturate(Sum.Lo + R.Lo);
    Sum.Hi = NoHi ? Infinite : saturate(Sum.Hi + R.Hi);
  }
  return Sum;
}
