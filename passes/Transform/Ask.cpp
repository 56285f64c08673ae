//===- Ask.cpp - What steps ask of dependences ----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

std::string Step::text(const Access &X) const {
  return KernelText(K).access(X);
}

/// Adds it to what is known already of the same array.
void dlopt::addNeed(Kernel &K, Need N) {
  for (Need &Old : K.Needs) {
    if (Old.K != N.K || Old.Buf != N.Buf)
      continue;
    if (N.K == Need::Aligned) {
      Old.Lo = std::max(Old.Lo, N.Lo);
      return;
    }
    if (N.isOfPoints()) {
      if (Old.P == N.P && Old.Lo == N.Lo && Old.Hi == N.Hi) {
        Old.IsOfRoles &= N.IsOfRoles;
        return;
      }
      continue;
    }
    for (BufferId B : N.Others)
      if (!is_contained(Old.Others, B))
        Old.Others.push_back(B);
    return;
  }
  K.Needs.push_back(std::move(N));
}

bool Step::mustNotMeet(const Dependences &D, const MemoryUse &A,
                       const MemoryUse &B, ArrayRef<Direction> Where,
                       StringRef Why, std::optional<Poly> Distance) {
  switch (D.mayMeet(A, B, Where, Distance)) {
  case Dependences::Answer::No:
    return false;
  case Dependences::Answer::IfAliased:
    addNeed(K, D.getDisjointNeed(A, B));
    return false;
  case Dependences::Answer::Yes:
    break;
  }
  if (!A.X || !B.X)
    return fail("calls that may set errno: " + Why);
  return fail(text(*A.X) + " and " + text(*B.X) +
              " may be one element: " + Why);
}

/// In the same rounds of the outermost \p NumSame loops around both, no
/// instance of \p A runs in front of one of \p B that it meets.
bool Step::mustNotPrecede(const Dependences &D, const MemoryUse &A,
                          const MemoryUse &B, unsigned NumSame, StringRef Why) {
  SmallVector<Direction, 8> Where(NumSame, Direction::Same);
  for (unsigned At = NumSame, Common = D.getCommon(A, B); At < Common; ++At) {
    Where.push_back(Direction::Later);
    if (mustNotMeet(D, A, B, Where, Why))
      return true;
    Where.back() = Direction::Same;
  }
  return A.Position < B.Position && mustNotMeet(D, A, B, Where, Why);
}

/// The elements \p Index, where the axes around \p P and of it run, are some of
/// the local's.
bool Step::requireFits(const Place &P, ArrayRef<Poly> Index, BufferId Local,
                       ArrayRef<Constraint> Domain) {
  const Buffer &B = K.Buffers[Local];
  if (Index.size() != B.Shape.size())
    return fail("'" + B.Name + "' has " + Twine(B.Shape.size()) +
                " dimensions");
  Dependences D(K);
  for (auto [I, Size] : zip(Index, B.Shape))
    if (!D.isAtLeastZero(I, P.axes(), Domain) ||
        !D.isAtLeastZero(Size - I - Poly(1), P.axes(), Domain))
      return fail("'" + KernelText(K).poly(I) + "' may be outside of '" +
                  B.Name + "[" + KernelText(K).polys(B.Shape) + "]'");
  return false;
}

/// The axis \p N has a round wherever the axes \p Around run: as a need, if it
/// is one size that tells, whatever the others are.
bool Step::requireRounds(ArrayRef<const Node *> Around, const Node &N) {
  const Axis &A = axisOf(N);
  if (A.Schedule.Once)
    return false;
  SmallVector<Poly, 2> Begins(A.Begins.begin(), A.Begins.end());
  if (Begins.empty())
    Begins.push_back(Poly());
  for (const Poly &End : A.Extents)
    for (const Poly &Begin : Begins) {
      Poly Rounds = End - Begin;
      if (Dependences(K).isAtLeastZero(Rounds - Poly(1), Around))
        continue;
      if (!K.isFixed(Rounds) || !hasValue(Rounds))
        return fail("'" + A.Name + "' may have no round");
      Need Some;
      Some.K = Need::InRange;
      Some.P = Rounds;
      Some.Lo = 1;
      Some.Hi = INT64_MAX;
      addNeed(K, std::move(Some));
    }
  return false;
}

/// \p P, a bound where the axes \p Around run, is a number to which a few
/// others may be added: as a need, if it is the same in all rounds. An axis
/// that has no round may end anywhere.
bool Step::requireSmall(ArrayRef<const Node *> Around, const Poly &P) {
  constexpr int64_t Most = int64_t(1) << 40;
  Dependences D(K);
  if (D.isAtLeastZero(P + Poly(Most), Around) &&
      D.isAtLeastZero(Poly(Most) - P, Around))
    return false;
  if (!K.isFixed(P) || !hasValue(P))
    return fail("'" + KernelText(K).poly(P) + "' may be any number");
  Need Small;
  Small.K = Need::InRange;
  Small.P = P;
  Small.Lo = -Most;
  Small.Hi = Most;
  addNeed(K, std::move(Small));
  return false;
}
