//===- Gradients.cpp - Sizes for gradients of weights ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// dw[f][c][r][q] is the sum of in[c][y + r][x + q] * dy[f][y][x]: a
/// convolution whose results are few and whose window is an image. Filters are
/// lanes, all points (r, q) of a filter and a channel are in registers if they
/// fit, and what lanes have, rows of dy, far apart, is packed for a part of the
/// sum. It serves some channels, whose sums are on the stack:
///
///   sums    [channels * points][filters]
///   packed  [part of the sum][filters]
///   turned  [lanes][lanes]          on the way to the result
///
//===----------------------------------------------------------------------===//
#include "ScriptWriter.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

/// Fills in what is loaded and the axes of \p S; false: it is no gradient.
static bool findAxes(const Kernel &K, const StrategyRoles &R,
                     GradientSizes &S) {
  const Access *Pixels = nullptr;
  for (const Op &O : R.Sum->Ops) {
    if (O.K != Op::Load || K.Buffers[O.Acc.Buf].IsLocal)
      continue;
    const Access *&To = K.dependsOn(O.Acc, *R.Tile) ? S.Weights : Pixels;
    if (std::exchange(To, &O.Acc))
      return false;
  }
  if (!S.Weights || !Pixels || R.Locals.size() != 1)
    return false;
  for (AxisId A : R.Parallel) {
    if (A == *R.Tile)
      continue;
    if (R.isWindowed(K, A))
      S.Points.push_back(A);
    else if (K.dependsOn(*Pixels, A) && !K.dependsOn(*S.Weights, A))
      S.Channel = A;
  }
  return !S.Points.empty() && S.Points.back() == R.Lane &&
         (S.Points.size() > 1 || S.Channel);
}

/// Chooses the points that have registers, beside the weights of one, a pixel
/// and a product where that is not fused with its sum, and vectors of filters
/// that share a pixel; false: they have none.
static bool findRegisters(const Kernel &K, const StrategyRoles &R,
                          const TargetModel &T, GradientSizes &S) {
  constexpr uint64_t MostVectors = 4;
  uint64_t Others = T.HasFMA ? 1 : 2, Spare = 2, InRegisters = 1;
  if (T.NumVectorRegs <= Others + Spare)
    return false;
  uint64_t Registers = T.NumVectorRegs - Others - Spare;
  S.InMemory = S.Points.size();
  for (AxisId A : reverse(S.Points)) {
    std::optional<uint64_t> Rounds = getRounds(K, A);
    if (!Rounds || *Rounds == 0 || *Rounds > Registers)
      return false;
    S.NumPoints = SaturatingMultiply(S.NumPoints, *Rounds);
    if (S.NumPoints == SaturatingMultiply(InRegisters, *Rounds) &&
        S.NumPoints < Registers) {
      InRegisters = S.NumPoints;
      --S.InMemory;
    }
  }
  if (S.InMemory == S.Points.size())
    return false;
  uint64_t Vectors =
      std::clamp<uint64_t>(Registers / (InRegisters + 1), 1, MostVectors);
  std::optional<uint64_t> Filters = getRounds(K, *R.Tile);
  // Lanes that nobody wants cost as much as the others.
  auto GetLanes = [&](uint64_t V) { return alignTo(*Filters, V * S.Lanes); };
  while (Filters && Vectors > 1 && GetLanes(Vectors) > GetLanes(Vectors - 1))
    --Vectors;
  S.Strip = Vectors * S.Lanes;
  return !Filters || *Filters * 100 >= GetLanes(Vectors) * LeastPercent;
}

/// Cuts \p S down to loops whose elements are behind each other in memory: rows
/// of squares end with the last one.
static void cutPart(const Kernel &K, const StrategyRoles &R, SumPart &S,
                    const Access &Weights) {
  auto GetStep = [&](size_t I) {
    return getStride(K, Weights.offset(), R.Sums[I]);
  };
  size_t First = R.Sums.size() - 1;
  for (; First > S.Split; --First) {
    std::optional<Poly> Outer = GetStep(First - 1), Inner = GetStep(First);
    auto Rounds = static_cast<int64_t>(*getRounds(K, R.Sums[First]));
    if (!Outer || !Inner || *Outer != *Inner * Poly(Rounds))
      break;
  }
  for (; S.Split < First; S.Elements /= S.Depth)
    S.Depth = *getRounds(K, R.Sums[++S.Split]);
}

/// Shares the stack; false: it is too small.
static bool shareStack(const Kernel &K, const StrategyRoles &R,
                       GradientSizes &S) {
  uint64_t Most = ScriptStackBytes / getSizeInBytes(R.Sum->Ops.front().Ty);
  uint64_t OfChannel = S.NumPoints * S.Strip, Turned = S.Lanes * S.Lanes;
  if (OfChannel + Turned >= Most)
    return false;
  // More than a half is copied: that is what sums wait for.
  constexpr uint64_t Parts = 12, OfCopy = 7;
  uint64_t MostPacked =
      std::min(Most / Parts * OfCopy, Most - Turned - OfChannel) / S.Strip;
  if (MostPacked < S.Lanes ||
      !findPart(K, R, alignDown(MostPacked, S.Lanes), S.Lanes, S))
    return false;
  cutPart(K, R, S, *S.Weights);
  uint64_t Packed = S.getPacked() * S.Strip;
  if (!S.Channel)
    return true;
  std::optional<uint64_t> Channels = getRounds(K, *S.Channel);
  S.Channels = (Most - Turned - Packed) / OfChannel;
  if (Channels.value_or(0)) {
    // Blocks of about as many channels.
    S.Channels = std::min(S.Channels, *Channels);
    S.Channels = divideCeil(*Channels, divideCeil(*Channels, S.Channels));
  }
  return S.Channels != 0;
}

void ScriptWriter::findGradient(const TargetModel &T) {
  GradientSizes S;
  if (!R.Tile || R.LaneIsFar || R.Dot || R.LaneIsFilter || !findAxes(K, R, S))
    return;
  S.Lanes = T.VectorBits / 8 / getSizeInBytes(R.Sum->Ops.front().Ty);
  if (S.Lanes < 2 || !findRegisters(K, R, T, S) || !shareStack(K, R, S))
    return;
  nameGradient(S);
  namePoints(S);
  namePart(S, S.Strip, "f");
  findColumns(S);
  findExists();
}

/// \p Name, and the names of \p Loops that it becomes.
static std::string getApart(StringRef Name, ArrayRef<StringRef> Loops) {
  return (Name + " " + join(Loops, " ")).str();
}

/// The names of the loops that points become: those of sums are four, or three
/// where a loop of its own sets their starts, and one is that of the sum.
void ScriptWriter::namePoints(const GradientSizes &S) {
  SmallVector<std::string, 4> Results, Main, Unrolled = {"u"};
  std::string Position, Points;
  bool HasFirst = S.Split == 0;
  auto Axes = S.Points;
  if (S.Channel)
    Axes.insert(Axes.begin(), *S.Channel);
  size_t InMemory = S.InMemory + (S.Channel ? 1 : 0);
  uint64_t Left = S.NumPoints;
  auto AddLine = [&](StringRef Hole, const std::string &Line) {
    Holes[Hole].insert(Holes[Hole].begin(), Line);
  };
  for (auto [I, A] : enumerate(Axes)) {
    const std::string &Name = K.Axes[A].Name;
    if (A != S.Channel)
      Left /= *getRounds(K, A);
    Position += (Left == 1 ? "" : utostr(Left) + "*") + Name;
    Position += I + 1 == Axes.size() ? "" : "+";
    Points += (I ? " " : "") + Name;
    Results.push_back(I ? Name : "q");
    SmallVector<StringRef, 4> Apart = {Name, "q"}, Halves = {Name, "u", Name};
    if (HasFirst)
      Halves.insert(Halves.begin(), Name);
    else
      Apart.insert(Apart.begin(), Name);
    AddLine("grad.apart", I ? Name : getApart(Name, Apart));
    if (I < InMemory)
      continue;
    AddLine("grad.halves", I > InMemory ? Name : getApart(Name, Halves));
    AddLine("grad.tile", Name + " " + utostr(*getRounds(K, A)));
    Main.push_back(I > InMemory ? Name : "u");
    Unrolled.push_back(Name);
  }
  Holes["grad.position"] = {Position};
  Holes["grad.points"] = {Points};
  Holes["grad.results"] = {join(Results, ",")};
  Holes["grad.ordered"] = {join(Results, " ")};
  Holes["grad.main"] = {join(Main, " ")};
  Holes["grad.unrolled"] = {join(Unrolled, ",")};
  Holes["grad.lanes"] = {HasFirst ? "f" : "b,f"};
}

void ScriptWriter::nameGradient(const GradientSizes &S) {
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[Hole] = {Text.str()};
  };
  std::optional<uint64_t> Filters = getRounds(K, *R.Tile);
  std::string Outer;
  for (AxisId A : R.Parallel)
    if (A != R.Tile && A != S.Channel && !is_contained(S.Points, A))
      Outer += K.Axes[A].Name + " ";
  Set("grad.axis", S.Channel ? "Y" : "F");
  Set("grad.strip", S.Channel ? "Y " : "");
  if (S.Channel) {
    Set("grad.plane", K.Axes[*S.Channel].Name);
    Set("grad.planes", getBlocks(S.Channels, getRounds(K, *S.Channel)));
  }
  Set("grad.filters", getBlocks(S.Strip, Filters));
  Set("grad.outer", Outer);
  Set("grad.type", getName(R.Sum->Ops.front().Ty));
  Set("grad.size", Twine(S.Channels * S.NumPoints) + "," + Twine(S.Strip));
  Set("grad.run", Twine(S.Strip));
  Set("grad.squares", getBlocks(S.Lanes, Filters));
  Set("grad.square", Twine(S.Lanes * S.Lanes));
  Set("grad.weights", KernelText(K).buffer(S.Weights->Buf));
  Set("grad.packed", Twine(S.getPacked() * S.Strip));
}

/// Elements of the sum that are inside for all points: rows, whatever the
/// column, and columns.
void ScriptWriter::findColumns(const GradientSizes &S) {
  Kernel Own;
  copyKernel(K, Own);
  auto Block = static_cast<AxisId>(Own.Axes.size());
  Own.Axes.emplace_back();
  Own.Axes.back().Name = "D";
  AxisId Split = R.Sums[S.Split], Column = R.Sums.back();
  SmallVector<std::string, 4> Rows, Columns;
  for (const Constraint &C : R.Sum->Domain) {
    Poly P = C.P;
    for (AxisId A : drop_begin(S.Points, S.InMemory)) {
      std::optional<Poly> End = getEnd(Own, P, A, /*Most=*/false);
      if (!End)
        return;
      P = *End;
    }
    if (C.IsEquality)
      return;
    if (std::optional<Poly> Along = getStride(Own, P, Split))
      P = P + *Along * Poly::atom(Own.getAxisAtom(Block));
    (Own.dependsOn(P, Column) ? Columns : Rows)
        .push_back(KernelText(Own).constraint({P, /*IsEquality=*/false}));
  }
  Holes["grad.column"] = {K.Axes[Column].Name};
  if (!Rows.empty())
    Holes["grad.rows"] = {join(Rows, ", ")};
  if (!Columns.empty())
    Holes["grad.columns"] = {join(Columns, ", ")};
}
