//===- Pieces.cpp - Rows that are put together ----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pieces.h"
#include "Matcher.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace dlopt;

namespace {

/// What stands in a row beside a copy of another one.
enum class Beside : uint8_t { Other, Number, Edge, Mirrored, Wrapped };

struct Row {
  StringLiteral Name;
  Beside What;
};

struct Piece {
  const Formula *F;
  const SymbolicAtom *X; ///< where it is from; null: a number
  std::optional<AxisId> Along;
  Poly Start, Length; ///< of the result's elements

  /// Elements of x in the first and in the last round along the row.
  Poly First, Last;
};

class PieceFinder {
public:
  PieceFinder(const Kernel &K, Algebra &A, ArrayRef<Formula> Results)
      : K(K), A(A), Results(Results) {}
  bool run();
  bool are(Beside What) const;

private:
  Poly getStep(const Poly &Index, AxisId Ax) const;
  std::optional<Piece> getPiece(const Formula &F, const Poly &Step) const;
  bool findChain(const Poly &Step);
  bool isCopy(const Piece &P) const;
  bool is(Beside What, const Piece &P, const Piece &Copy, bool IsBehind) const;

  const Kernel &K;
  Algebra &A;
  ArrayRef<Formula> Results;
  SmallVector<Piece, 4> Pieces; ///< in their order in memory
};

} // namespace

Poly PieceFinder::getStep(const Poly &Index, AxisId Ax) const {
  for (const auto &[Id, Of] : enumerate(K.Atoms))
    if (Of.K == Atom::Axis && Of.Ref == Ax)
      return Index.coefficient(Id).value_or(Poly());
  return Poly();
}

/// \p F as a piece of rows whose elements are \p Step apart.
std::optional<Piece> PieceFinder::getPiece(const Formula &F,
                                           const Poly &Step) const {
  Piece P{&F, A.getAtom(F.Value), std::nullopt, getFirst(K, F.Index), Step, {},
          {}};
  bool IsNumber = !A.deps(F.Value) && !(P.X && P.X->K == SymbolicAtom::Load);
  if (IsNumber)
    P.X = nullptr;
  else if (!P.X || P.X->K != SymbolicAtom::Load || P.X->Ref == F.Buf)
    return std::nullopt;
  for (AxisId Ax = 0; Ax < K.Axes.size(); ++Ax)
    if (getStep(F.Index, Ax) == Step) {
      if (P.Along || K.Axes[Ax].Extents.size() != 1)
        return std::nullopt;
      P.Along = Ax;
      P.Length = Step * K.Axes[Ax].Extents[0];
    }
  if (!P.X)
    return P;
  Poly By = P.Along ? getStep(P.X->Index, *P.Along) : Poly();
  P.First = P.Last = P.X->Index;
  if (!P.Along)
    return P;
  for (const auto &[Id, Of] : enumerate(K.Atoms))
    if (Of.K == Atom::Axis && Of.Ref == *P.Along)
      P.First = P.X->Index.substitute(Id, Poly());
  P.Last = P.First + By * (K.Axes[*P.Along].Extents[0] - Poly(1));
  return P;
}

/// Whether all results are pieces of rows, each of which begins where another
/// one ends, but for the first.
bool PieceFinder::findChain(const Poly &Step) {
  SmallVector<Piece, 4> All;
  for (const Formula &F : Results) {
    std::optional<Piece> P = getPiece(F, Step);
    if (!P)
      return false;
    All.push_back(std::move(*P));
  }
  auto GetOthers = [](const Piece &P) {
    return P.F->Deps & ~(P.Along ? AxisSet(1) << *P.Along : 0);
  };
  auto Follows = [](const Piece &P, const Piece &Before) {
    return P.Start == Before.Start + Before.Length;
  };
  Pieces.clear();
  for (const Piece &P : All) {
    if (GetOthers(P) != GetOthers(All[0]))
      return false;
    if (none_of(All, [&](const Piece &Q) { return Follows(P, Q); }))
      Pieces.push_back(P);
  }
  while (Pieces.size() && Pieces.size() < All.size()) {
    auto *Next =
        find_if(All, [&](const Piece &P) { return Follows(P, Pieces.back()); });
    if (Next == All.end())
      return false;
    Pieces.push_back(*Next);
  }
  return Pieces.size() == All.size();
}

bool PieceFinder::run() {
  constexpr size_t MaxPieces = 8;
  if (Results.size() < 2 || Results.size() > MaxPieces ||
      any_of(Results,
             [&](const Formula &F) { return F.Buf != Results[0].Buf; }))
    return false;
  std::set<Poly> Steps;
  for (const Formula &F : Results)
    for (AxisId Ax = 0; Ax < K.Axes.size(); ++Ax)
      if (Poly Step = getStep(F.Index, Ax); !Step.isZero())
        Steps.insert(Step);
  return any_of(Steps, [&](const Poly &Step) { return findChain(Step); });
}

/// Whether the elements keep the order that they have in memory.
bool PieceFinder::isCopy(const Piece &P) const {
  return P.X && P.Along && A.depsOf(P.X->Index) == P.F->Deps &&
         getOrderOfAxes(K, A, P.X->Index) == getOrderOfAxes(K, A, P.F->Index) &&
         all_of(P.X->Index.terms(),
                [](const auto &T) { return T.first.empty() || T.second > 0; });
}

/// Whether \p P stands beside \p Copy as \p What says.
bool PieceFinder::is(Beside What, const Piece &P, const Piece &Copy,
                     bool IsBehind) const {
  if (What == Beside::Number || !P.X)
    return What == Beside::Number && !P.X;
  if (P.X->Ref != Copy.X->Ref)
    return false;
  Poly Step = getStep(Copy.X->Index, *Copy.Along);
  Poly Own = P.Along ? getStep(P.X->Index, *P.Along) : Poly();
  const Poly &Inner = IsBehind ? P.First : P.Last;
  switch (What) {
  case Beside::Edge:
    return Own.isZero() && Inner == (IsBehind ? Copy.Last : Copy.First);
  case Beside::Mirrored:
    return (!P.Along || Own == Poly(-1) * Step) &&
           Inner == (IsBehind ? Copy.Last - Step : Copy.First + Step);
  default: // Wrapped
    return (!P.Along || Own == Step) &&
           Inner == (IsBehind ? Copy.First : Copy.Last);
  }
}

bool PieceFinder::are(Beside What) const {
  if (What == Beside::Other)
    return all_of(Pieces, [&](const Piece &P) { return isCopy(P); }) &&
           any_of(Pieces,
                  [&](const Piece &P) { return P.X->Ref != Pieces[0].X->Ref; });
  const Piece *Number = find_if(Pieces, [](const Piece &P) { return !P.X; });
  if (any_of(Pieces, [&](const Piece &P) {
        return !P.X && P.F->Value != Number->F->Value;
      }))
    return false;
  return any_of(Pieces, [&](const Piece &Copy) {
    bool IsBehind = false;
    return isCopy(Copy) && all_of(Pieces, [&](const Piece &P) {
             bool IsOwn = &P == &Copy;
             IsBehind |= IsOwn;
             return IsOwn || is(What, P, Copy, IsBehind);
           });
  });
}

StringRef dlopt::findPieces(const Kernel &K, Algebra &A,
                            ArrayRef<Formula> Results) {
  static constexpr Row Rows[] = {
#define DLOPT_PIECES(NAME, BESIDE) {NAME, Beside::BESIDE},
#include "dlopt/Programs.def"
  };
  PieceFinder Finder(K, A, Results);
  if (!Finder.run())
    return "";
  const Row *At =
      find_if(Rows, [&](const Row &R) { return Finder.are(R.What); });
  return At == std::end(Rows) ? StringRef() : StringRef(At->Name);
}
