//===- Locals.cpp - Steps about locals ------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Every access to \p B below \p N; loaded indices are not rewritten.
static void forEachAccessOf(Node &N, BufferId B,
                            function_ref<void(Access &)> Visit) {
  forEachAccess(N, [&](Access &X) {
    if (X.Buf == B)
      Visit(X);
  });
}

/// expand acc j 64 [reg | stack]: one element for each round of j, declared
/// around it. Legal if the rounds are as many as the elements.
bool Step::expand() {
  Place Owner, P;
  BufferId B = 0;
  StringRef Name;
  ScheduleSize Size;
  if (takeLocal(Owner, B) || takeWord(Name, "an axis") || takeSize(Size))
    return true;
  Buffer &Local = K.Buffers[B];
  Local.Where = takeOptional("stack") ? Buffer::Stack : Buffer::Register;
  takeOptional("reg");
  Node &N = Owner.node();
  if (expectEnd())
    return true;
  if (N.K != Node::AxisNode || axisOf(N).Name != Name)
    return fail("'" + Local.Name + "' does not live in '" + Name + "'");
  if (refuseBlocks(Owner) || refuseLanes(Owner))
    return true;
  if (isReadBySubscripts(K, B))
    return fail("'" + Local.Name + "' is part of an index");
  Poly Index = Poly::atom(K.getAxisAtom(N.Ax));
  Poly Extent = K.getPoly(Size);
  Local.Shape.insert(Local.Shape.begin(), Extent);
  Dependences D(K);
  if (!DLOPT_PLANTED(ExpandUnasked) &&
      (!D.isAtLeastZero(Index, Owner.axes()) ||
       !D.isAtLeastZero(Extent - Poly(1) - Index, Owner.axes())))
    return fail("'" + Name + "' may have more than " + getText(Size) +
                " rounds");
  forEachAccessOf(N, B,
                  [&](Access &X) { X.Subs.insert(X.Subs.begin(), Index); });
  llvm::erase(N.Locals, B);
  Owner.parent().Locals.push_back(B);
  return false;
}

/// layout s 1,0: the dimensions of a local in another order. Always legal.
bool Step::layout() {
  Place Owner;
  BufferId B = 0;
  StringRef Word;
  if (takeLocal(Owner, B) || takeWord(Word, "dimensions") || expectEnd())
    return true;
  if (isReadBySubscripts(K, B))
    return fail("'" + K.Buffers[B].Name + "' is part of an index");
  SmallVector<StringRef, 4> Parts;
  Word.split(Parts, ',');
  SmallVector<size_t, 4> From;
  size_t Rank = K.Buffers[B].Shape.size();
  for (StringRef Part : Parts) {
    size_t D = 0;
    if (Part.getAsInteger(10, D) || D >= Rank || is_contained(From, D))
      return fail("expected each dimension once, got '" + Part + "'");
    From.push_back(D);
  }
  if (From.size() != Rank)
    return fail("expected " + Twine(Rank) + " dimensions");
  auto Permute = [&](SmallVectorImpl<Poly> &Ps) {
    SmallVector<Poly, 4> Old(Ps.begin(), Ps.end());
    for (auto [New, D] : zip(Ps, From))
      New = Old[D];
  };
  Permute(K.Buffers[B].Shape);
  forEachAccessOf(K.Root, B, [&](Access &X) { Permute(X.Subs); });
  return false;
}

/// resize row 64 [reg | stack]: a local with these dimensions, whatever it had.
/// Legal if they hold every index.
bool Step::resize() {
  Place Owner;
  BufferId B = 0;
  SmallVector<ScheduleSize, 4> Sizes;
  if (takeLocal(Owner, B) || takeSizes(Sizes))
    return true;
  Buffer &Local = K.Buffers[B];
  Local.Where = takeOptional("reg") ? Buffer::Register : Buffer::Stack;
  takeOptional("stack");
  if (expectEnd())
    return true;
  if (Sizes.size() != Local.Shape.size())
    return fail("expected " + Twine(Local.Shape.size()) + " sizes");
  for (auto [Old, New] : zip(Local.Shape, Sizes))
    Old = K.getPoly(New);
  Dependences D(K);
  for (const MemoryUse &U : D.uses()) {
    if (!U.X || U.X->Buf != B)
      continue;
    for (auto [I, Size] : zip(U.X->Subs, Local.Shape))
      if (!D.isAtLeastZero(I, U.Path, U.domain()) ||
          !D.isAtLeastZero(Size - I - Poly(1), U.Path, U.domain()))
        return fail(text(*U.X) + " may be outside");
    ScheduleSize Lanes =
        U.Path.empty() ? ScheduleSize() : axisOf(*U.Path.back()).Schedule.Lanes;
    if (Lanes && U.writes() && D.hasJunk(U.Path, Lanes) &&
        !D.isJunkInside(U, U.Path, Lanes))
      return fail("lanes past the end of " + text(*U.X) + " may be outside");
  }
  return false;
}

/// buffer sums f32 192,16 Y: an array on the stack that lives in a round of Y.
/// Always legal: nothing uses it yet.
bool Step::buffer() {
  StringRef Name, Type;
  SmallVector<ScheduleSize, 4> Sizes;
  Place P;
  if (takeNewName(Name) || takeWord(Type, "a type") || takeSizes(Sizes) ||
      takeAxis(P) || expectEnd())
    return true;
  std::optional<ScalarType> Ty = parseScalarType(Type);
  if (!Ty)
    return fail("expected a type such as f32, got '" + Type + "'");
  Buffer B;
  B.Name = Name.str();
  B.Ty = *Ty;
  B.IsLocal = true;
  B.Where = Buffer::Stack;
  for (const ScheduleSize &Size : Sizes)
    B.Shape.push_back(K.getPoly(Size));
  P.node().Locals.push_back(static_cast<BufferId>(K.Buffers.size()));
  K.Buffers.push_back(std::move(B));
  return false;
}

/// Each round of \p P reads of \p B what it has assigned before, inside of the
/// array, and nobody else uses it.
bool Step::checkPrivate(const Place &P, BufferId B) {
  Dependences D(K);
  auto NumShared = static_cast<unsigned>(P.axes().size());
  Poly Last(static_cast<int64_t>(K.Buffers[B].Private) - 1);
  for (const MemoryUse &U : D.uses()) {
    if (!U.X || U.X->Buf != B)
      continue;
    Poly At = U.X->offset();
    if (!D.isBelow(U, P.node()))
      return fail(text(*U.X) + " is used outside of '" + axisOf(P.node()).Name +
                  "'");
    if (!D.isAtLeastZero(At, U.Path, U.domain()) ||
        !D.isAtLeastZero(Last - At, U.Path, U.domain()))
      return fail(text(*U.X) + " may be outside of its " +
                  Twine(K.Buffers[B].Private) + " elements");
    if (U.K == MemoryUse::Read && !D.isWrittenBefore(U, NumShared))
      return fail(text(*U.X) + " may be what another round of '" +
                  axisOf(P.node()).Name + "' has left");
  }
  return false;
}

/// private %s i: an array that nobody else sees becomes a local on the stack
/// that lives in a round of i. Legal if each round assigns what it reads.
bool Step::makePrivate() {
  StringRef Name;
  Place P;
  if (takeWord(Name, "a buffer") || takeAxis(P) || expectEnd() ||
      refuseBlocks(P) || refuseLanes(P))
    return true;
  Name.consume_front("%");
  const auto It = find_if(K.Buffers, [&](const Buffer &B) {
    return B.Private && !B.IsLocal && B.Name == Name;
  });
  if (It == K.Buffers.end())
    return fail("expected an array that nobody else sees, got '" + Name + "'");
  auto Old = static_cast<BufferId>(It - K.Buffers.begin());
  if (isReadBySubscripts(K, Old))
    return fail("'" + Name + "' is part of an index");
  if (checkPrivate(P, Old))
    return true;
  Buffer B;
  B.Name = Name.str();
  B.Ty = K.Buffers[Old].Ty;
  B.IsLocal = true;
  B.Where = Buffer::Stack;
  B.Shape.push_back(Poly(static_cast<int64_t>(K.Buffers[Old].Private)));
  auto New = static_cast<BufferId>(K.Buffers.size());
  K.Buffers.push_back(std::move(B));
  P.node().Locals.push_back(New);
  forEachAccessOf(P.node(), Old, [&](Access &X) {
    X.Subs = {X.offset()};
    X.Strides.clear();
    X.Buf = New;
  });
  return false;
}
