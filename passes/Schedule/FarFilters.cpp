//===- FarFilters.cpp - Sizes for filters whose weights are far apart -----===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// With channels innermost in pixels and weights, out[y][x][f] is the sum of
/// in[y + r][x + q][c] * w[f][r][q][c]: filters are neighbours where they are
/// stored, and R * Q * C elements apart where they are loaded. What the sum
/// does in its innermost loops, as much of it as fits, is copied for two
/// vectors of filters; it serves the pixels of a strip of rows, whose sums are
/// on the stack:
///
///   sums    [rows * columns][filters]
///   packed  [part of the sum][filters]
///
/// A sum keeps its order, so what is around the part is around the strip.
///
//===----------------------------------------------------------------------===//
#include "ScriptWriter.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// The copy has one part of them; the larger one are sums, as the copy is made
/// anew for each strip.
constexpr uint64_t PartOfCopy = 3;
/// Vectors of filters in registers.
constexpr uint64_t NumVectors = 2;

} // namespace

/// Pixels of which \p T has registers for the sums, beside a pixel, the weights
/// and a product where that is not fused with its sum. Half of 14 hide any
/// latency: with more sizes to come there is less code.
static uint64_t getMostRun(const TargetModel &T, bool IsWidthKnown) {
  constexpr uint64_t Least = 2;
  uint64_t Enough = IsWidthKnown ? 14 : 7;
  uint64_t Others = NumVectors + (T.HasFMA ? 1 : 2);
  uint64_t Left = T.NumVectorRegs > Others ? T.NumVectorRegs - Others : 0;
  return std::clamp(Left / NumVectors, Least, Enough);
}

static std::optional<FarSizes> findFarSizes(const Kernel &K,
                                            const StrategyRoles &R,
                                            std::optional<AxisId> Row,
                                            const TargetModel &T) {
  uint64_t Bytes = getSizeInBytes(R.Sum->Ops.front().Ty);
  FarSizes S;
  S.Lanes = T.VectorBits / 8 / Bytes;
  S.Strip = NumVectors * S.Lanes;
  S.Width = getRounds(K, *R.Tile);
  if (Row)
    S.Height = getRounds(K, *Row);
  uint64_t Most = ScriptStackBytes / Bytes;
  if (S.Lanes < 2 || !findPart(K, R, Most / S.Strip / PartOfCopy, S.Lanes, S))
    return std::nullopt;
  uint64_t Packed = alignTo(S.Depth * S.Elements, S.Lanes) * S.Strip;
  // Lanes past the end have room behind both arrays.
  Packed += (S.Lanes - 1) * S.Strip + S.Lanes + S.Lanes;
  uint64_t Pixels = (Most - Packed) / S.Strip;
  uint64_t Run = getMostRun(T, S.Width.has_value());
  S.Columns = S.Width.value_or(Run);
  if (S.Columns == 0)
    return std::nullopt;
  if (S.Columns > Pixels || (!Row && !S.Width))
    S.Columns = alignDown(Pixels, Run);
  bool IsEven = S.Width && *S.Width % S.Columns == 0;
  S.Runs = getRuns(Run, IsEven ? std::optional(S.Columns) : std::nullopt);
  S.Rows = Row ? std::max<uint64_t>(Pixels / S.Columns, 1) : 1;
  if (S.Height.value_or(0)) {
    // Strips of about as many rows.
    S.Rows = std::min(S.Rows, *S.Height);
    S.Rows = divideCeil(*S.Height, divideCeil(*S.Height, S.Rows));
  }
  return S;
}

/// Blocks of filters: what is left is under masks, or, without these, in one
/// vector and one by one.
static std::string getStrips(const FarSizes &S, std::optional<uint64_t> Filters,
                             const TargetModel &T) {
  SmallVector<uint64_t, 3> Sizes = {S.Strip, S.Lanes};
  if (!T.HasMaskedLoads)
    Sizes.push_back(1);
  return getSizes(Sizes, Filters);
}

/// The axis of pixels around the tile's, if there is one.
static std::optional<AxisId> findRow(const Kernel &K, const StrategyRoles &R,
                                     const Access &Weights) {
  std::optional<AxisId> Row;
  for (AxisId A : R.Parallel)
    if (A != R.Lane && A != *R.Tile && R.isWindowed(K, A) &&
        !K.dependsOn(Weights, A))
      Row = A;
  return Row;
}

/// What lanes load, if that and a pixel are all that is loaded.
static const Access *findWeights(const Kernel &K, const StrategyRoles &R) {
  const Access *Weights = nullptr, *Pixels = nullptr;
  for (const Op &O : R.Sum->Ops) {
    if (O.K != Op::Load || K.Buffers[O.Acc.Buf].IsLocal)
      continue;
    const Access *&To = K.dependsOn(O.Acc, R.Lane) ? Weights : Pixels;
    if (std::exchange(To, &O.Acc))
      return nullptr;
  }
  return Pixels ? Weights : nullptr;
}

void ScriptWriter::findFar(const TargetModel &T) {
  if (!R.LaneIsFar || R.TileIsNeighbours || R.Locals.size() != 1)
    return;
  const Access *Weights = findWeights(K, R);
  if (!Weights)
    return;
  std::optional<AxisId> Row = findRow(K, R, *Weights);
  std::optional<FarSizes> S = findFarSizes(K, R, Row, T);
  if (!S)
    return;
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[Hole] = {Text.str()};
  };
  bool IsWhole = S->Width == S->Columns;
  std::string RowName = Row ? K.Axes[*Row].Name : "", Planes, Strip;
  for (AxisId A : R.Parallel)
    if (A != R.Lane && A != *R.Tile && A != Row && R.isWindowed(K, A))
      Planes += K.Axes[A].Name + " ";
  if (Row) {
    Set("far.y", RowName);
    Set("far.rows", getBlocks(S->Rows, S->Height));
    Strip = "Y ";
  }
  if (!IsWhole) {
    Set("far.columns", getBlocks(S->Columns, S->Width));
    Strip += "V ";
  }
  Set("far.strips", getStrips(*S, getRounds(K, R.Lane), T));
  Set("far.planes", Planes);
  Set("far.strip", Strip);
  Set("far.axis", IsWhole ? (Row ? "Y" : "W") : "V");
  Set("far.row", Row ? RowName + " " : "");
  Set("far.runs", getSizes(S->Runs, S->Width && *S->Width % S->Columns == 0
                                        ? std::optional(S->Columns)
                                        : std::nullopt));
  Set("far.run", Twine(S->Runs.front()));
  Set("far.type", getName(R.Sum->Ops.front().Ty));
  Set("far.size", Twine(S->Rows * S->Columns) + "," + Twine(S->Strip));
  Set("far.position",
      (Row ? RowName + "*" + utostr(S->Columns) + "+" : "") + "X+f");
  Set("far.weights", KernelText(K).buffer(Weights->Buf));
  Set("far.packed",
      Twine(alignTo(S->Depth * S->Elements, S->Lanes) * S->Strip));
  Set("far.squares", getSizes({S->Lanes}, getRounds(K, R.Lane)));
  namePart(*S, S->Strip, "x");
  SmallVector<StringRef, 2> Blocks = {"X"};
  if (!IsWhole)
    Blocks.insert(Blocks.begin(), "V");
  for (const std::string &Inside :
       getInside(Blocks, ArrayRef(R.Sums).drop_front(S->Split)))
    Set("far.within", Inside);
  findExists();
  findMany(R.Lane, S->Lanes);
}
