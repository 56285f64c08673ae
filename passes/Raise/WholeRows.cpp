//===- WholeRows.cpp - Rows of which the last one may be shorter ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rust's chunks() of an array ends where the array does: row i of n elements
/// out of t has min(n, t - i * n). That it has n, whichever row it is, is one
/// test in front of the nest; as a rule the array has whole rows.
///
//===----------------------------------------------------------------------===//
#include "Normalize.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// A bound of an axis: what whole rows leave of a number that nothing changes.
struct Rest {
  Poly Row, End; ///< the length of a row; that number less the rows so far
  Poly Left;     ///< what is left behind the last row
};

} // namespace

/// What \p End is if it is all that rows of \p Row elements, one for each round
/// of an axis, leave.
static std::optional<Rest> getRest(const Kernel &K, const Poly &End,
                                   const Poly &Row) {
  for (auto [Id, A] : enumerate(K.Atoms)) {
    if (A.K != Atom::Axis || !End.uses(AtomId(Id)))
      continue;
    Poly All = End + Row * Poly::atom(AtomId(Id));
    if (!K.isFixed(All))
      return std::nullopt;
    for (const Poly &Rows : K.Axes[A.Ref].Extents)
      if (K.isFixed(Rows))
        return Rest{Row, End, All - Row * Rows};
    return std::nullopt;
  }
  return std::nullopt;
}

static std::optional<Rest> getRest(const Kernel &K, const Axis &A) {
  for (const Poly &Row : A.Extents)
    // Blocks of a known size are another thing: the last one often has less.
    if (K.isFixed(Row) && !Row.getConstant())
      for (const Poly &End : A.Extents)
        if (std::optional<Rest> R = getRest(K, End, Row))
          return R;
  return std::nullopt;
}

bool dlopt::hasShorterRows(const Kernel &K) {
  return any_of(K.Axes,
                [&](const Axis &A) { return getRest(K, A).has_value(); });
}

/// The number that the operation \p Id is.
static std::optional<Poly> getNumber(Kernel &K, const Leaf &L, OpId Id) {
  const Op &O = L.Ops[Id];
  if (O.K == Op::Index)
    return O.Idx;
  if (O.K == Op::Param)
    return Poly::atom(K.getParamAtom(O.Ref));
  if (O.K == Op::Const && O.Ty == ScalarType::I64)
    return Poly(static_cast<int64_t>(O.Bits));
  return std::nullopt;
}

/// Whether \p O is the smaller one of \p A and \p B.
static bool isSmaller(Kernel &K, const Leaf &L, const Op &O, const Poly &A,
                      const Poly &B) {
  auto IsPair = [&](OpId X, OpId Y) {
    auto P = getNumber(K, L, X), Q = getNumber(K, L, Y);
    return P && Q && ((*P == A && *Q == B) || (*P == B && *Q == A));
  };
  if (O.K == Op::Intrinsic)
    return (O.Opcode == Intrinsic::umin || O.Opcode == Intrinsic::smin) &&
           IsPair(O.Args[0], O.Args[1]);
  if (O.K != Op::Inst || O.Opcode != Instruction::Select)
    return false;
  const Op &C = L.Ops[O.Args[0]];
  if (C.K != Op::Inst || C.Opcode != Instruction::ICmp ||
      !ICmpInst::isRelational(C.Pred) || !IsPair(C.Args[0], C.Args[1]))
    return false;
  bool Less = ICmpInst::isLT(C.Pred) || ICmpInst::isLE(C.Pred);
  auto IsSame = [&](OpId X, OpId Y) {
    return getNumber(K, L, X) == getNumber(K, L, Y);
  };
  return IsSame(O.Args[1], C.Args[Less ? 0 : 1]) &&
         IsSame(O.Args[2], C.Args[Less ? 1 : 0]);
}

/// Whether \p O compares \p End, as the difference of two numbers, with zero.
static bool isZeroTest(Kernel &K, const Leaf &L, const Op &O, const Poly &End) {
  if (O.K != Op::Inst || O.Opcode != Instruction::ICmp ||
      !ICmpInst::isEquality(O.Pred))
    return false;
  auto X = getNumber(K, L, O.Args[0]), Y = getNumber(K, L, O.Args[1]);
  return X && Y && (*X - *Y == End || *Y - *X == End);
}

/// What asks for the smaller one of row and rest is the length of a row, and
/// none of these is zero if rows \p HaveElements.
static void useRow(Kernel &K, Node &N, const Rest &R, bool HaveElements) {
  for (const auto &Child : N.Children) {
    useRow(K, *Child, R, HaveElements);
    for (Op &O : Child->L.Ops) {
      if (isSmaller(K, Child->L, O, R.Row, R.End)) {
        O.K = Op::Index;
        O.Idx = R.Row;
        O.Args.clear();
      } else if (HaveElements && isZeroTest(K, Child->L, O, R.End)) {
        O.K = Op::Const;
        O.Bits = O.Pred == CmpInst::ICMP_NE;
        O.Args.clear();
      }
    }
  }
}

void dlopt::assumeWholeRows(Kernel &K) {
  for (Axis &A : K.Axes)
    while (std::optional<Rest> R = getRest(K, A)) {
      erase_if(A.Extents, [&](const Poly &P) { return P == R->End; });
      useRow(K, K.Root, *R, any_of(K.Needs, [&](const Need &N) {
               return N.K == Need::InRange && N.P == R->Row && N.Lo >= 1;
             }));
      constexpr int64_t Max = std::numeric_limits<int64_t>::max();
      for (const Poly &P : {R->Row, R->Left}) {
        Need N;
        N.K = Need::InRange;
        N.P = P;
        N.Hi = Max;
        if (!DLOPT_PLANTED(ShorterRowTaken))
          K.Needs.push_back(std::move(N));
      }
    }
}
