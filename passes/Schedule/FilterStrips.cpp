//===- FilterStrips.cpp - Sizes for convolutions with filters in lanes ----===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A strip is a few rows of the result for as many filters as a vector has
/// lanes. Its sums are on the stack, filters innermost, and so are the weights
/// of a few channels, which serve all of its pixels:
///
///   sums    [rows * columns][lanes]
///   packed  [channels * window][lanes]
///   turned  [lanes][lanes]           on the way to the result
///
/// What is known of sizes says how the space is shared.
///
//===----------------------------------------------------------------------===//
#include "ScriptWriter.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// More sums would leave no space for weights, which windows of any size have
/// more of.
constexpr uint64_t MostPixels = 280, MostPixelsOfAny = 196;
/// A longer row is cut: three rows are a strip even so.
constexpr uint64_t MostColumns = 64;
/// Copies of the weights of more channels wait longer for memory than what is
/// computed hides, where there are many; sums are loaded and stored for each
/// part.
constexpr uint64_t MostChannels = 8;
/// Rows and columns of a window of any size have room for so many.
constexpr uint64_t MostOfWindow = 7;

} // namespace

static std::optional<Planes> findPlanes(const Kernel &K,
                                        const StrategyRoles &R) {
  Planes P;
  for (const Op &O : R.Sum->Ops) {
    if (O.K != Op::Load || K.Buffers[O.Acc.Buf].IsLocal)
      continue;
    const Access *&To = K.dependsOn(O.Acc, R.Lane) ? P.Pixels : P.Weights;
    if (std::exchange(To, &O.Acc))
      return std::nullopt;
  }
  if (!P.Pixels || !P.Weights || R.Locals.size() != 1)
    return std::nullopt;
  for (AxisId A : R.Parallel)
    if (A != R.Lane && R.isWindowed(K, A))
      P.Row = A;
  for (AxisId S : R.Sums) {
    if (isWindow(K, *P.Pixels, R.Lane, S)) {
      if (std::exchange(P.Column, S))
        return std::nullopt;
    } else if (none_of(R.Parallel, [&](AxisId A) {
                 return isWindow(K, *P.Pixels, A, S);
               })) {
      if (std::exchange(P.Channel, S))
        return std::nullopt;
    }
  }
  return P.Row && P.Channel ? std::optional(P) : std::nullopt;
}

/// As many pixels of a row as there are registers beside the weights of \p
/// Columns, one pixel, and a product where that is not fused with its sum, for
/// \p Rows.
static uint64_t getMostRun(std::optional<uint64_t> Columns, uint64_t Rows,
                           const TargetModel &T) {
  // Enough for any latency, and what rows are multiples of in many nets.
  constexpr uint64_t Enough = 14, Least = 4;
  uint64_t Others = Columns.value_or(1) + (T.HasFMA ? 1 : 2);
  uint64_t Left = T.NumVectorRegs > Others ? T.NumVectorRegs - Others : 0;
  return std::clamp(Left / Rows, Least, Enough / Rows);
}

SmallVector<uint64_t, 6> dlopt::getRuns(uint64_t Most,
                                        std::optional<uint64_t> Columns) {
  if (!Columns) {
    SmallVector<uint64_t, 6> Sizes = {Most};
    for (uint64_t Size : {Most / 2, Most / 4, uint64_t(1)})
      if (Size < Sizes.back())
        Sizes.push_back(Size);
    return Sizes;
  }
  uint64_t Runs = std::max<uint64_t>(divideCeil(*Columns, Most), 1);
  uint64_t Run = divideCeil(*Columns, Runs), Last = *Columns - (Runs - 1) * Run;
  return Last == Run ? SmallVector<uint64_t, 6>{Run}
                     : SmallVector<uint64_t, 6>{Run, Last};
}

/// Columns of a strip of rows of \p Width: the same for all, or whole runs.
static uint64_t cutRow(uint64_t Width, uint64_t Run) {
  uint64_t Strips = std::max<uint64_t>(divideCeil(Width, MostColumns), 1);
  uint64_t Columns = divideCeil(Width, Strips);
  return Width % Columns ? alignTo(Columns, Run) : Columns;
}

bool ScriptWriter::takeEnds(ArrayRef<AxisId> Axes, bool Most, Poly &P) const {
  return all_of(Axes, [&](AxisId A) {
    std::optional<Poly> End = getEnd(K, P, A, Most);
    P = End.value_or(P);
    return End.has_value();
  });
}

void ScriptWriter::addExists(const Poly &P) {
  std::string Line = KernelText(K).constraint({P, /*IsEquality=*/false});
  if (!P.getConstant() && !is_contained(Holes["exists"], Line))
    Holes["exists"].push_back(Line);
}

/// Every condition of the window has a round of the result that fulfils it, and
/// so have any two of them that are about one axis: all weights are read then,
/// so they may be read in front.
void ScriptWriter::findExists() {
  SmallVector<Poly, 8> Listed;
  auto Add = [&](Poly P) {
    if (!takeEnds(R.Parallel, true, P) || !takeEnds(R.Sums, false, P) ||
        any_of(Listed, [&](const Poly &Known) {
          return (P - Known).getConstant().value_or(-1) >= 0;
        }))
      return;
    Listed.push_back(P);
    addExists(P);
  };
  for (const Constraint &C : R.Sum->Domain)
    Add(C.P);
  // An axis that is bounded from below and from above by them.
  ArrayRef<Constraint> Conditions = R.Sum->Domain;
  for (size_t I = 0; I != Conditions.size(); ++I)
    for (const Constraint &High : Conditions.drop_front(I + 1)) {
      const Constraint &Low = Conditions[I];
      for (AxisId A : R.Parallel) {
        std::optional<Poly> X = getStride(K, Low.P, A),
                            Y = getStride(K, High.P, A);
        if (!X || !Y || X->isZero() || !(*X + *Y).isZero())
          continue;
        // Between bounds so far apart there is a multiple of the step.
        if (std::optional<int64_t> Step = X->getConstant())
          Add(Low.P + High.P - Poly(std::abs(*Step) - 1));
        else if (X->terms().front().second > 0)
          findExists(Low.P, High.P, *X, A);
        else
          findExists(High.P, Low.P, *Y, A);
        break;
      }
    }
}

/// The same of windows that move by \p Step, a number of the run: where the
/// first element of one is the first of the image all of it is inside. Other
/// strategies than those that copy pixels one by one are for steps that are
/// known.
void ScriptWriter::findExists(Poly Low, Poly High, const Poly &Step, AxisId A) {
  std::optional<AtomId> Axis = K.findAxisAtom(A);
  if (!R.Dot || !Step.getAtom() || !Axis || !takeEnds(R.Sums, false, Low) ||
      !takeEnds(R.Sums, false, High))
    return;
  Poly Round = Poly() - (Low - Step * Poly::atom(*Axis));
  if (!K.isFixed(Round) || K.Axes[A].Extents.size() != 1)
    return;
  Positive.insert(*Step.getAtom());
  addExists(Step - Poly(1));
  addExists(Round);
  addExists(K.Axes[A].Extents.front() - Round - Poly(1));
  addExists(Low - Step * Poly::atom(*Axis) + Step * Round);
  addExists(High + Step * Poly::atom(*Axis) - Step * Round);
}

/// Shares the space of a strip, \p Together of whose rows share weights in
/// registers; nullopt: filters in lanes are no gain.
static std::optional<StripSizes>
getStripSizes(const Kernel &K, const StrategyRoles &R, const Planes &P,
              uint64_t Together, const TargetModel &T) {
  uint64_t Bytes = getSizeInBytes(R.Sum->Ops.front().Ty);
  StripSizes S;
  S.Together = Together;
  S.Lanes = T.VectorBits / 8 / Bytes;
  S.Filters = getRounds(K, *R.Tile);
  S.Height = getRounds(K, *P.Row);
  S.Width = getRounds(K, R.Lane);
  S.Channels = getRounds(K, *P.Channel);
  if (S.Filters &&
      *S.Filters * 100 < alignTo(*S.Filters, S.Lanes) * LeastPercent)
    return std::nullopt;
  for (AxisId A : R.Sums) {
    uint64_t Rounds = getRounds(K, A).value_or(MostOfWindow);
    if (A != *P.Channel &&
        (S.Window = SaturatingMultiply(S.Window, Rounds)) >= ScriptStackBytes)
      return std::nullopt;
  }
  // Few points of long sums are gradients.
  bool IsAnySize = any_of(
      R.Sums, [&](AxisId A) { return A != *P.Channel && !getRounds(K, A); });
  constexpr uint64_t Many = MostOfWindow + 1;
  if (IsAnySize &&
      std::min(S.Height.value_or(Many), S.Width.value_or(Many)) < Many)
    return std::nullopt;
  uint64_t MostRun =
      getMostRun(P.Column ? getRounds(K, *P.Column) : 1, Together, T);
  S.Columns = S.Width ? cutRow(*S.Width, MostRun) : MostRun;
  if (S.Columns == 0 || S.Window == 0)
    return std::nullopt;
  S.Runs = getRuns(MostRun, S.getColumns());
  uint64_t Most = IsAnySize ? MostPixelsOfAny : MostPixels;
  S.Rows = std::max<uint64_t>(Most / S.Columns, 1);
  if (S.Rows > Together)
    S.Rows -= S.Rows % Together;
  if (S.Height.value_or(0))
    S.Rows = std::min(S.Rows, *S.Height);
  // They are parts of strips of whole rows.
  if (Together > 1 && (S.Rows < Together || S.Width != S.Columns))
    return std::nullopt;
  // The channels whose weights fit. What is packed are whole squares.
  uint64_t Others = (S.getPixels() + S.Lanes) * S.Lanes * Bytes;
  if (Others >= ScriptStackBytes)
    return std::nullopt;
  S.Depth = (ScriptStackBytes - Others) / (S.Window * S.Lanes * Bytes);
  S.Depth = std::min({S.Depth, MostChannels, S.Channels.value_or(S.Depth)});
  // Parts of about as many channels.
  if (S.Depth && S.Channels.value_or(0))
    S.Depth = divideCeil(*S.Channels, divideCeil(*S.Channels, S.Depth));
  return S.Depth ? std::optional(S) : std::nullopt;
}

void ScriptWriter::findStrips(const TargetModel &T) {
  std::optional<Planes> P;
  if (R.hasTile() && !R.LaneIsFilter)
    P = findPlanes(K, R);
  std::optional<StripSizes> S;
  if (P)
    S = getStripSizes(K, R, *P, Rows, T);
  if (!S)
    return;
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[Hole] = {Text.str()};
  };
  const std::string &Row = K.Axes[*P->Row].Name;
  bool IsWhole = S->Width == S->Columns;
  Set("filters.blocks", getBlocks(S->Lanes, S->Filters));
  Set("y", Row);
  Set("rows", getBlocks(S->Rows, S->Height));
  if (!IsWhole)
    Set("columns", getBlocks(S->Columns, S->Width));
  Set("long", IsWhole ? "" : "V ");
  Set("strip.axis", IsWhole ? "Y" : "V");
  Set("strip.loops", S->Together == 1 ? Row + " X" : "P X " + Row);
  if (S->Together != 1) {
    bool IsEven =
        S->Height && *S->Height % S->Rows == 0 && S->Rows % S->Together == 0;
    Set("together", Row);
    Set("together.rows", Twine(S->Together));
    Set("together.sizes", Twine(S->Together) + (IsEven ? "" : " 1"));
  }
  Set("run", Twine(S->Runs.front()));
  Set("runs", getSizes(S->Runs, S->getColumns()));
  Set("channel", K.Axes[*P->Channel].Name);
  Set("depth", getBlocks(S->Depth, S->Channels));
  Set("type", getName(R.Sum->Ops.front().Ty));
  Set("sums.size", Twine(S->getPixels()) + "," + Twine(S->Lanes));
  Set("position", Row + "*" + Twine(S->Columns) + "+X+x");
  // A whole row of the result is behind the one before it.
  Set("results", IsWhole ? "o " + Row + " X x" : Row + " o X x");
  Set("result", IsWhole ? Row + ",X,x" : "X,x");
  Set("square", Twine(S->Lanes * S->Lanes));
  Set("weights", KernelText(K).buffer(P->Weights->Buf));
  Set("packed.size", Twine(alignTo(S->Depth * S->Window, S->Lanes) * S->Lanes));
  nameSums(*P, *S);
  SmallVector<StringRef, 2> Blocks = {"X"};
  if (!IsWhole)
    Blocks.insert(Blocks.begin(), "V");
  // Where a window is not straight code, its columns are asked one by one.
  SmallVector<AxisId, 6> Asked(R.Sums);
  bool IsLoop = P->Column && !getRounds(K, *P->Column);
  if (IsLoop)
    erase(Asked, *P->Column);
  for (const std::string &Inside : getInside(Blocks, Asked))
    Holes[IsLoop ? "each" : "within"] = {Inside};
  for (AxisId A : R.Sums)
    if (A != *P->Channel && !getRounds(K, A))
      for (const Poly &Extent : K.Axes[A].Extents)
        Holes["fits"].push_back(KernelText(K).constraint(
            {Poly(MostOfWindow) - Extent, /*IsEquality=*/false}));
  findExists();
  findMany(*R.Tile, S->Lanes);
}

void ScriptWriter::findMany(AxisId A, uint64_t Lanes) {
  if (getRounds(K, A))
    return;
  for (const Poly &Extent : K.Axes[A].Extents)
    Holes["many"].push_back(KernelText(K).constraint(
        {Extent - Poly(divideCeil(Lanes * LeastPercent, 100)),
         /*IsEquality=*/false}));
}

/// Pixels of which the same is loaded, a column of the window apart.
static std::optional<std::string>
getDistance(const Kernel &K, const StrategyRoles &R, const Planes &P) {
  if (!P.Column)
    return std::nullopt;
  std::optional<Poly> By = getStride(K, P.Pixels->offset(), *P.Column),
                      One = getStride(K, P.Pixels->offset(), R.Lane);
  std::optional<int64_t> Apart = By ? By->getConstant() : std::nullopt;
  if (!Apart || *Apart < 1 || !One || One->getConstant() != 1 ||
      !getRounds(K, *P.Column))
    return std::nullopt;
  return (Apart == 1 ? "" : utostr(*Apart) + "*") + K.Axes[*P.Column].Name;
}

/// Lists of the axes of sums.
void ScriptWriter::nameSums(const Planes &P, const StripSizes &S) {
  std::optional<std::string> Distance = getDistance(K, R, P);
  // Straight code: a pixel serves neighbours while it is in a register.
  bool IsShort = P.Column && getRounds(K, *P.Column);
  std::string Others, Steps, List, Index, Copies;
  for (AxisId A : R.Parallel)
    if (A != R.Lane && A != *P.Row && R.isWindowed(K, A))
      Others += K.Axes[A].Name + " ";
  // Those of one channel, or of a part of its window.
  uint64_t Elements = S.Lanes * S.Window;
  for (AxisId A : R.Sums) {
    const std::string &Name = K.Axes[A].Name;
    if (A != P.Column || !IsShort)
      Steps += Name + " ";
    if (A != P.Channel)
      Elements /= getRounds(K, A).value_or(MostOfWindow);
    List += Name + ",";
    Index += utostr(Elements) + "*" + Name + "+";
    Copies += (Copies.empty() ? "" : ",") + Name + "_";
  }
  Holes["planes"] = {Others};
  Holes["list"] = {List + "f"};
  Holes["index"] = {Index + "f"};
  bool IsDense = all_of(
      R.Sums, [&](AxisId A) { return A == P.Channel || getRounds(K, A); });
  // Squares of filters and of what is behind each other in one are turned; none
  // go into the rows of windows that have room for larger ones.
  if (IsDense)
    Holes["copied"] = {Copies};
  std::replace(Copies.begin(), Copies.end(), ',', ' ');
  Holes["copies"] = {IsDense ? "f_ " + Copies : Copies + " f_"};
  Holes["packed.lanes"] = {IsDense ? "e" : "f_"};
  Holes["packed.rows"] = {IsDense ? "z_,f_" : "z_"};
  if (IsShort)
    Holes["last"] = {K.Axes[*P.Column].Name};
  // What is loaded once for all columns, else weights that serve all pixels.
  Holes["steps"] = {Steps + (S.Together == 1 ? "" : K.Axes[*P.Row].Name + " ") +
                    "x " + (IsShort ? K.Axes[*P.Column].Name + " " : "") + "f"};
  if (Distance)
    Holes["distance"] = {*Distance};
}
