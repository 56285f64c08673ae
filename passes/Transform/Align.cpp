//===- Align.cpp - Aligned addresses, stores past the caches --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// align %y X 16: the vectors of %y below X are at multiples of 16 bytes, if %y
/// is: that becomes a need.
///
///   par X[%N] step 64 16 rest par x[size(X)] lanes 16   %y[X + x] = f(X + x)
///   ->
///   ... %y[X + x] aligned 16 = f(X + x)         needs aligned(%y; 16)
///
/// nt %y X: what is stored there goes past the caches, and a fence stands
/// behind X:
///
///   ... %y[X + x] aligned 16 nt = f(X + x)
///   fence
///
/// The values are the same, in this and in other threads that wait for them.
/// Each line of an array that is larger than the caches is read before a part
/// of it is written, but for such stores; of one that is not, the next who uses
/// it finds it there, but for such stores.
///
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/Instructions.h"
#include "dlopt/KernelText.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

bool Step::takeBuffer(BufferId &B) {
  StringRef Name;
  if (takeWord(Name, "a buffer"))
    return true;
  StringRef Word = Name;
  Name.consume_front("%");
  auto It = find_if(K.Buffers, [&](const Buffer &Buf) {
    return !Buf.IsLocal && Buf.Name == Name;
  });
  B = static_cast<BufferId>(It - K.Buffers.begin());
  return It == K.Buffers.end() && fail("expected a buffer, got '" + Word + "'");
}

/// \p P without products that are multiples of \p Of, as a need says of some of
/// their factors: isl knows no products.
Poly Step::dropMultiples(const Poly &P, int64_t Of) const {
  SmallVector<Monomial, 2> Multiples;
  for (const Need &N : K.Needs) {
    std::optional<AtomId> Rest = N.K == Need::InRange && N.Lo == 0 && N.Hi == 0
                                     ? N.P.getAtom()
                                     : std::nullopt;
    if (!Rest || K.Atoms[*Rest].K != Atom::Mod)
      continue;
    std::optional<int64_t> Den = K.Atoms[*Rest].Den.getConstant();
    ArrayRef<Poly::Term> Terms = K.Atoms[*Rest].Num.terms();
    if (Den && *Den > 0 && *Den % Of == 0 && Terms.size() == 1 &&
        Terms.front().second == 1)
      Multiples.push_back(Terms.front().first);
  }
  Poly Left;
  for (const auto &Term : P.terms())
    if (none_of(Multiples, [&](const Monomial &M) {
          return DLOPT_PLANTED(MultipleUnasked) ||
                 std::includes(Term.first.begin(), Term.first.end(), M.begin(),
                               M.end());
        }))
      Left += Poly::monomial(Term.first, Term.second);
  return Left;
}

/// The first lane of \p X, or its first element of an instruction, in whichever
/// round of \p Path, is a multiple of
/// \p Bytes behind the first element of the buffer.
bool Step::requireAligned(const Access &X, ArrayRef<const Node *> Path,
                          int64_t Bytes) {
  const int64_t Size = getSizeInBytes(K.Buffers[X.Buf].Ty);
  if (Bytes <= Size || DLOPT_PLANTED(AlignedUnasked))
    return false;
  const int64_t Elements = Bytes / Size;
  Poly Offset = X.offset();
  const Axis *Lane = Path.empty() ? nullptr : &axisOf(*Path.back());
  int64_t Together = 0;
  if (Lane && Lane->Schedule.Lanes)
    Together = Lane->Schedule.Lanes.getLeast();
  else if (Lane && !Lane->Schedule.Row.empty())
    Together = findInstructions(Lane->Schedule.Row).front().Depth;
  if (Together && Lane->Begins.empty()) {
    // Vectors begin at multiples of their lanes.
    AxisId Id = Path.back()->Ax;
    std::optional<Poly> Stride = getStride(K, Offset, Id);
    std::optional<int64_t> Step = Stride ? Stride->getConstant() : std::nullopt;
    if (Step && *Step * Together % Elements == 0)
      if (std::optional<AtomId> At = K.findAxisAtom(Id))
        Offset = Offset.without(*At);
  }
  Offset = dropMultiples(Offset, Elements);
  return !Dependences(K).isMultiple(Offset, Elements, Path) &&
         fail("'" + text(X) + "' may be at no multiple of " + Twine(Bytes) +
              " bytes");
}

bool Step::align() {
  BufferId Buf = 0;
  Place P;
  int64_t Bytes = 0;
  if (takeBuffer(Buf) || takeAxis(P) || takeSize(Bytes) || expectEnd())
    return true;
  if (!isPowerOf2_64(Bytes) || Bytes > MostAligned)
    return fail("expected a power of two of at most " + Twine(MostAligned) +
                " bytes");
  bool Any = false;
  auto Align = [&](Access &X, ArrayRef<const Node *> Path) {
    if (X.Buf != Buf || X.Subs.empty())
      return false;
    Any = true;
    if (requireAligned(X, Path, Bytes))
      return true;
    X.Aligned = std::max(X.Aligned, static_cast<unsigned>(Bytes));
    return false;
  };
  SmallVector<const Node *, 8> Path = P.around();
  auto Visit = [&](Node &N, auto &Self) -> bool {
    if (N.K == Node::AxisNode)
      Path.push_back(&N);
    bool Failed =
        any_of(N.L.Ops,
               [&](Op &O) { return O.K == Op::Load && Align(O.Acc, Path); }) ||
        any_of(N.L.Assigns, [&](Assign &A) { return Align(A.Target, Path); }) ||
        any_of(N.Children, [&](auto &C) { return Self(*C, Self); });
    if (N.K == Node::AxisNode)
      Path.pop_back();
    return Failed;
  };
  if (Visit(P.node(), Visit))
    return true;
  if (!Any)
    return fail("'" + K.Buffers[Buf].Name + "' is not used below '" +
                axisOf(P.node()).Name + "'");
  Need N;
  N.K = Need::Aligned;
  N.Buf = Buf;
  N.Lo = Bytes;
  addNeed(K, std::move(N));
  return false;
}

bool Step::storePast() {
  BufferId Buf = 0;
  Place P;
  if (takeBuffer(Buf) || takeAxis(P) || expectEnd())
    return true;
  bool Any = false;
  forEachLeafNode(P.node(), [&](Leaf &L) {
    for (Assign &A : L.Assigns)
      if (A.Target.Buf == Buf)
        Any = A.IsNonTemporal = true;
  });
  if (!Any)
    return fail("'" + K.Buffers[Buf].Name + "' is not stored below '" +
                axisOf(P.node()).Name + "'");
  auto &Siblings = P.parent().Children;
  size_t Behind = P.index() + 1;
  if (Behind < Siblings.size() && Siblings[Behind]->L.IsFence)
    return false;
  auto Fence = std::make_unique<Node>();
  Fence->K = Node::LeafNode;
  Fence->L.IsFence = true;
  Siblings.insert(Siblings.begin() + static_cast<ptrdiff_t>(Behind),
                  std::move(Fence));
  return false;
}
