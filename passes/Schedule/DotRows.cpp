//===- DotRows.cpp - Sums along rows of narrow integers -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A vector times a matrix whose rows are neighbours, and the same in groups
/// that have a scale each:
///
///   for (i) { v = 0;
///             for (g) { s = 0; for (k) s += w[i,g,k] * x[g,k];
///                       v += s * scale[i,g]; }
///             y[i] = v; }
///
/// Nothing is copied: each row has a register of partial sums, which lanes
/// along the row add to, and at the end of a group these become one register of
/// sums, in which rows are lanes for all that is made of them. The order of
/// sums of floats stays what it is.
///
//===----------------------------------------------------------------------===//
#include "Dots.h"
#include "ScriptWriter.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// A node with locals, leaves, and one loop: of the next one, or of the sum.
struct Level {
  const Node *N = nullptr;
  size_t Loop = 0; ///< which of the children
};

struct DotRows {
  SmallVector<AxisId, 4> Outer;
  AxisId Lane = 0, Depth = 0;
  SmallVector<Level, 2> Levels; ///< outermost first
  BufferId Sum = 0;
  DotRoles Dot;
};

class RowsWriter {
public:
  RowsWriter(Kernel &K, const DotRows &R, const DotChoice &Dot)
      : K(K), R(R), Row(Dot.Row) {}
  ScriptHoles write();

private:
  void nameAll();
  void writeLevel(size_t Number);
  void add(StringRef Hole, const Twine &Text) {
    Holes[Hole].push_back(Text.str());
  }

  Kernel &K;
  const DotRows &R;
  const InstructionRow &Row;
  SmallVector<std::string, 8> LaneAxes; ///< in which rows are lanes
  ScriptHoles Holes;
};

} // namespace

/// The loop of \p N, which is all that is in it but leaves.
static bool findLevel(const Node &N, Level &L) {
  L.N = &N;
  size_t Loops = 0;
  for (auto [I, Child] : enumerate(N.Children)) {
    if (Child->K == Node::Sequence)
      return false;
    if (Child->K == Node::AxisNode) {
      L.Loop = I;
      ++Loops;
    }
  }
  return Loops == 1 && !N.Locals.empty();
}

/// Fills in the nest, from the outermost axis inwards.
static bool findNest(const Kernel &K, DotRows &R, const Leaf *&Sum) {
  const Node *N = &K.Root;
  SmallVector<AxisId, 4> Parallel;
  while (N->Locals.empty() && N->Children.size() == 1 &&
         N->Children[0]->K == Node::AxisNode &&
         K.Axes[N->Children[0]->Ax].R == Role::Parallel) {
    N = N->Children[0].get();
    Parallel.push_back(N->Ax);
  }
  if (Parallel.empty())
    return false;
  R.Lane = Parallel.pop_back_val();
  R.Outer = std::move(Parallel);
  for (;;) {
    Level L;
    if (!findLevel(*N, L))
      return false;
    R.Levels.push_back(L);
    N = N->Children[L.Loop].get();
    if (!N->Locals.empty())
      continue;
    R.Depth = N->Ax;
    Sum = N->Children.size() == 1 && N->Children[0]->K == Node::LeafNode
              ? &N->Children[0]->L
              : nullptr;
    return Sum && Sum->Domain.empty();
  }
}

static bool hasKnownBounds(const Kernel &K, AxisId A) {
  return K.hasFixedExtents(A) && K.Axes[A].Extents.size() == 1 &&
         !K.Axes[A].isCondition();
}

/// Whether there are rows of what lanes share, too, which had better share what
/// each lane has (Dots.cpp).
static bool isMatrix(const Kernel &K, const DotRows &R) {
  constexpr uint64_t FewRows = 4;
  return any_of(R.Outer, [&](AxisId A) {
    return K.dependsOn(R.Dot.Shared.Load->Acc, A) &&
           !K.dependsOn(R.Dot.Own.Load->Acc, A) &&
           getRounds(K, A).value_or(FewRows) >= FewRows;
  });
}

static std::optional<DotRows> findDotRows(const Kernel &K) {
  DotRows R;
  const Leaf *Sum = nullptr;
  if (!findNest(K, R, Sum) || !hasKnownBounds(K, R.Lane) ||
      !hasKnownBounds(K, R.Depth))
    return std::nullopt;
  DotFactor X, Y;
  if (!findFactors(K, *Sum, X, Y) || X.IsConverted || Y.IsConverted ||
      isFloat(X.Ty.Ty) || isFloat(Y.Ty.Ty))
    return std::nullopt;
  R.Sum = Sum->Assigns.front().Target.Buf;
  if (!K.dependsOn(Y.Load->Acc, R.Lane))
    std::swap(X, Y);
  // Along the row both are neighbours, along lanes they are not.
  if (!K.dependsOn(Y.Load->Acc, R.Lane) ||
      isStride(K, Y.Load->Acc, R.Lane, 1) ||
      !isStride(K, X.Load->Acc, R.Depth, 1) ||
      !isStride(K, Y.Load->Acc, R.Depth, 1) ||
      !is_contained(R.Levels.back().N->Locals, R.Sum))
    return std::nullopt;
  R.Dot.Depth = R.Depth;
  R.Dot.Shared = std::move(X);
  R.Dot.Own = std::move(Y);
  return isMatrix(K, R) ? std::nullopt : std::optional(std::move(R));
}

void RowsWriter::nameAll() {
  KernelText Text(K);
  for (auto [I, B] : enumerate(K.Buffers))
    if (!B.IsLocal)
      B.Name = Text.bufferName(static_cast<BufferId>(I)).str();
  for (auto [I, A] : enumerate(R.Outer))
    K.Axes[A].Name = "p" + utostr(I + 1);
  K.Axes[R.Lane].Name = "x";
  K.Axes[R.Depth].Name = "k";
  for (auto [I, L] : enumerate(R.Levels)) {
    if (I)
      K.Axes[L.N->Ax].Name = "g" + utostr(I);
    for (auto [J, Local] : enumerate(L.N->Locals))
      K.Buffers[Local].Name = "t" + utostr(I) + "_" + utostr(J + 1);
  }
  K.Buffers[R.Sum].Name = "s";
}

/// What is around the loop gets rows as its elements, and loops over these of
/// its own.
void RowsWriter::writeLevel(size_t Number) {
  const Level &L = R.Levels[Number];
  bool IsLast = Number + 1 == R.Levels.size();
  std::string Own = Number ? "y" + utostr(Number) : "x";
  std::string Lines, Names;
  auto AddLine = [&](const Twine &Line) { add("row.levels", Line); };
  for (BufferId Local : L.N->Locals)
    AddLine("expand " + K.Buffers[Local].Name + " " + Own + " " +
            Twine(Row.Lanes));
  if (IsLast)
    AddLine("expand part " + Own + " " + Twine(Row.Lanes));
  for (size_t I = 0; I != L.N->Children.size(); ++I) {
    if (I != L.Loop) {
      LaneAxes.push_back("a" + utostr(Number) + "_" + utostr(I));
      Names += " " + LaneAxes.back();
    } else if (!IsLast) {
      Names += " y" + utostr(Number + 1);
    } else {
      std::optional<uint64_t> Rounds = getRounds(K, R.Depth);
      bool HasRest = !Rounds || *Rounds % (Row.Lanes * Row.Depth) != 0;
      Names += HasRest ? " b c d e" : " b c e";
      if (HasRest) {
        add("row.rest", "order r d");
        LaneAxes.push_back("d");
      }
      LaneAxes.push_back("e");
    }
  }
  AddLine("fission " + Own + Names);
  if (!IsLast)
    AddLine("order g" + Twine(Number + 1) + " y" + Twine(Number + 1));
}

ScriptHoles RowsWriter::write() {
  nameAll();
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[Hole] = {Text.str()};
  };
  uint64_t Some = Row.Lanes * Row.Depth;
  auto AssumeLeast = [&](AxisId A, uint64_t Least) {
    if (!getRounds(K, A))
      add("row.enough",
          KernelText(K).constraint({K.Axes[A].Extents.front() - Poly(Least),
                                    /*IsEquality=*/false}));
  };
  AssumeLeast(R.Lane, Row.Lanes);
  AssumeLeast(R.Depth, Some);
  Set("row.blocks", getSizes({Row.Lanes, 1}, getRounds(K, R.Lane)));
  Set("row.partial", Twine(Row.Lanes) + " " + Twine(Row.Depth));
  Set("row.lanes", Twine(Row.Lanes));
  Set("row.name", Row.Name);
  for (size_t I = 0; I != R.Levels.size(); ++I)
    writeLevel(I);
  Set("row.in", join(LaneAxes, ","));
  return std::move(Holes);
}

SmallVector<std::string, 24>
dlopt::writeDotRows(Kernel &K, const TargetModel &T, StringRef Template) {
  std::optional<DotRows> R = findDotRows(K);
  std::optional<DotChoice> Dot =
      R ? chooseDot(R->Dot, T) : std::optional<DotChoice>();
  if (!Dot)
    return {};
  const InstructionRow &Row = Dot->Row;
  if (getRounds(K, R->Lane).value_or(Row.Lanes) < Row.Lanes ||
      getRounds(K, R->Depth).value_or(Row.Lanes * Row.Depth) <
          Row.Lanes * Row.Depth)
    return {};
  return fillScript(Template, RowsWriter(K, *R, *Dot).write());
}
