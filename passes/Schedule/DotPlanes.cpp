//===- DotPlanes.cpp - Sums of products of narrow integers over planes ----===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Convolutions of integers with channels in front: pixels are neighbours, and
/// what an instruction adds up, channels, is far apart. A copy of a few rows of
/// some channels has these behind each other, and zeros where windows reach
/// over the border, so that lanes are pixels without a condition:
///
///   pixels   [channels / 4][rows + window - 1][columns + window - 1][4]
///   weights  [filters][channels / 4][window][4]
///   sums     [filters][rows][columns]
///
/// Sums of integers are the same in any order, so channels are both around the
/// window and inside of it, and wait on the stack between their blocks.
///
//===----------------------------------------------------------------------===//
#include "Dots.h"
#include "ScriptWriter.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dlopt;

/// Channels and filters of a block: what is copied of pixels serves so many
/// filters, and fewer channels would load and store sums more often.
static constexpr uint64_t MostChannels = 16, MostFilters = 16;

/// Vectors of pixels whose sums are in registers together.
static constexpr uint64_t MostVectors = 4, FewVectors = 2;

namespace {

/// What windows do along one axis of the image.
struct WindowAxis {
  AxisId Sum = 0;
  std::optional<AxisId> Point;
  int64_t Step = 0, Dilation = 0; ///< of Point and Sum, in elements
  uint64_t Rounds = 0;            ///< of Sum

  /// Elements that \p Points read.
  uint64_t getReach(uint64_t Points) const {
    return (Points - 1) * static_cast<uint64_t>(Step) +
           (Rounds - 1) * static_cast<uint64_t>(Dilation) + 1;
  }
};

struct DotPlanes {
  AxisId Channel = 0;
  WindowAxis Column;
  SmallVector<WindowAxis, 2> Rows; ///< outermost first
  DotChoice Dot;
  // In elements.
  uint64_t Channels = 0, Filters = 0, Tile = 0, Height = 1;
  uint64_t Points = 0, Strip = 0; ///< pixels of a row, and whole vectors

  uint64_t getWindow() const {
    uint64_t Window = Column.Rounds;
    for (const WindowAxis &R : Rows)
      Window *= R.Rounds;
    return Window;
  }
  uint64_t getColumns() const { return Column.getReach(Points); }
  uint64_t getRows() const {
    uint64_t Count = 1;
    for (const WindowAxis &R : Rows)
      Count *= R.getReach(R.Point ? Height : 1);
    return Count;
  }
  uint64_t getPixels() const { return Channels * getRows() * getColumns(); }
  uint64_t getWeights() const { return Filters * Channels * getWindow(); }
  uint64_t getSums() const { return Filters * Height * Strip; }
};

} // namespace

/// The window that \p Sum moves over \p X; nullopt: not one that is copied.
static std::optional<WindowAxis> findWindow(const Kernel &K,
                                            const StrategyRoles &R,
                                            const Access &X, AxisId Sum) {
  WindowAxis W;
  W.Sum = Sum;
  W.Rounds = getRounds(K, Sum).value_or(0);
  for (AxisId A : R.Parallel) {
    if (!isWindow(K, X, A, Sum))
      continue;
    auto Ratio =
        getRatio(*getStride(K, X.offset(), A), *getStride(K, X.offset(), Sum));
    if (std::exchange(W.Point, A) || !Ratio)
      return std::nullopt;
    W.Step = static_cast<int64_t>(Ratio->first);
    W.Dilation = static_cast<int64_t>(Ratio->second);
  }
  // The copy has an axis for the sum of both.
  bool Fits = W.Rounds && W.Point && (W.Step == 1 || W.Dilation == 1);
  return Fits ? std::optional(W) : std::nullopt;
}

static bool findAxes(const Kernel &K, const StrategyRoles &R, DotPlanes &P) {
  const Access &Pixels = R.Planes->Own.Load->Acc;
  bool HasChannel = false, HasColumn = false;
  for (AxisId S : R.Sums) {
    if (none_of(R.Parallel,
                [&](AxisId A) { return isWindow(K, Pixels, A, S); })) {
      if (std::exchange(HasChannel, true))
        return false;
      P.Channel = S;
      continue;
    }
    std::optional<WindowAxis> W = findWindow(K, R, Pixels, S);
    if (!W)
      return false;
    if (W->Point != R.Lane)
      P.Rows.push_back(*W);
    else if (std::exchange(HasColumn, true))
      return false;
    else
      P.Column = *W;
  }
  return HasChannel && HasColumn && P.Rows.size() < 2 && P.Column.Step == 1;
}

/// As many rows as there is room for on the stack; false: not even one.
static bool findHeight(const Kernel &K, DotPlanes &P) {
  uint64_t Sum = getSizeInBytes(P.Dot.Row.Sum);
  auto Fits = [&](uint64_t Height) {
    P.Height = Height;
    uint64_t Bytes = P.getSums() * Sum +
                     P.getPixels() * getSizeInBytes(P.Dot.Own.Ty) +
                     P.getWeights() * getSizeInBytes(P.Dot.Shared.Ty);
    if (P.Dot.HasOffset)
      Bytes += P.Height * P.Strip * Sum;
    return Bytes <= ScriptStackBytes;
  };
  uint64_t Most = 1;
  if (!P.Rows.empty() && P.Rows.front().Point)
    Most = getRounds(K, *P.Rows.front().Point).value_or(MostChannels);
  Most = std::clamp<uint64_t>(Most, 1, MostChannels);
  while (!Fits(Most))
    if (--Most == 0)
      return false;
  return true;
}

/// Pixels of a block: of rows that are known about the same in each.
static uint64_t getStrip(std::optional<uint64_t> Width, uint64_t Lanes,
                         uint64_t Vectors) {
  uint64_t Most = Vectors * Lanes;
  if (!Width.value_or(0))
    return Most > Lanes ? Most - Lanes : Most;
  return std::min(alignTo(*Width, Lanes),
                  alignTo(divideCeil(*Width, divideCeil(*Width, Most)), Lanes));
}

/// Channels of a block: whole instructions, and as many in each if that leaves
/// no small blocks.
static uint64_t getDepth(std::optional<uint64_t> Channels, uint64_t Depth) {
  if (!Channels || *Channels <= MostChannels)
    return std::min(MostChannels,
                    alignTo(Channels.value_or(MostChannels), Depth));
  for (uint64_t Size = MostChannels; Size >= MostChannels / 2; Size -= Depth)
    if (*Channels % Size == 0)
      return Size;
  return MostChannels;
}

static std::optional<DotPlanes>
findPlanes(const Kernel &K, const StrategyRoles &R, const TargetModel &T) {
  DotPlanes P;
  if (!findAxes(K, R, P))
    return std::nullopt;
  std::optional<DotChoice> Dot =
      chooseDot(*R.Planes, T, /*MayHaveOffset=*/true);
  if (!Dot || Dot->Row.Depth < 2)
    return std::nullopt;
  P.Dot = *Dot;
  constexpr unsigned ManyRegisters = 32;
  uint64_t Vectors =
      T.NumVectorRegs >= ManyRegisters ? MostVectors : FewVectors;
  std::optional<uint64_t> Channels = getRounds(K, P.Channel),
                          Filters = getRounds(K, *R.Tile),
                          Width = getRounds(K, R.Lane);
  P.Strip = getStrip(Width, Dot->Row.Lanes, Vectors);
  P.Points = std::min(P.Strip, Width.value_or(P.Strip));
  P.Channels = getDepth(Channels, Dot->Row.Depth);
  P.Filters = std::min(MostFilters, Filters.value_or(MostFilters));
  // Three quarters of the registers are sums.
  P.Tile = std::min<uint64_t>(P.Filters, T.NumVectorRegs * 3 / 4 /
                                             (P.Strip / Dot->Row.Lanes));
  bool IsWorth =
      P.Tile > 1 && Channels.value_or(Dot->Row.Depth) >= Dot->Row.Depth;
  return IsWorth && findHeight(K, P) ? std::optional(P) : std::nullopt;
}

namespace {

/// The lines' lists.
class PlanesWriter {
public:
  PlanesWriter(const Kernel &K, const StrategyRoles &R, const DotPlanes &P,
               ScriptHoles &Holes)
      : K(K), R(R), P(P), Holes(Holes) {}
  void write();

private:
  void set(StringRef Hole, const Twine &Text) {
    Holes[("plane." + Hole).str()] = {Text.str()};
  }
  void add(StringRef Hole, const Twine &Text) {
    Holes[("plane." + Hole).str()].push_back(Text.str());
  }
  const std::string &name(AxisId A) const { return K.Axes[A].Name; }
  std::string getSum(const WindowAxis &W) const;
  void writeBlocks();
  void writeCopies();
  void writeBorders();

  const Kernel &K;
  const StrategyRoles &R;
  const DotPlanes &P;
  ScriptHoles &Holes;
};

} // namespace

/// x + 2*r, or the like.
std::string PlanesWriter::getSum(const WindowAxis &W) const {
  auto Times = [](int64_t By) {
    return By == 1 ? std::string() : itostr(By) + "*";
  };
  return Times(W.Step) + name(*W.Point) + "+" + Times(W.Dilation) + name(W.Sum);
}

void PlanesWriter::writeBlocks() {
  std::optional<uint64_t> Width = getRounds(K, R.Lane),
                          Filters = getRounds(K, *R.Tile);
  std::string Blocks, Others;
  std::optional<AxisId> Row;
  if (!P.Rows.empty())
    Row = P.Rows.front().Point;
  for (AxisId A : R.Parallel)
    if (A != R.Lane && A != *R.Tile && A != Row)
      Others += name(A) + " ";
  if (Row) {
    Blocks += "Y ";
    set("row", name(*Row));
    set("rows", getBlocks(P.Height, getRounds(K, *Row)));
  }
  set("y", Row ? name(*Row) + " " : "");
  bool IsWhole = Width && *Width <= P.Strip;
  if (!IsWhole) {
    Blocks += "V ";
    uint64_t Last = Width ? *Width % P.Strip : P.Dot.Row.Lanes;
    SmallVector<uint64_t, 2> Sizes = {P.Strip};
    if (Last && Last != P.Strip)
      Sizes.push_back(Last);
    set("columns", getSizes(Sizes, Width));
  }
  set("others", Others);
  set("blocks", Blocks);
  set("at", IsWhole ? Row ? "Y" : "F" : "V");
  set("filters", getBlocks(P.Filters, Filters));
  set("depth", getBlocks(P.Channels, getRounds(K, P.Channel)));
  set("sums", Twine(P.Filters * P.Height) + "," + Twine(P.Strip));
  set("type", getName(P.Dot.Row.Sum));
  set("place", (Row ? Twine(P.Height) + "*f+" + name(*Row) : Twine("f")));
  std::optional<uint64_t> InBlock;
  if (Filters && *Filters % P.Filters == 0)
    InBlock = P.Filters;
  set("tiles", getSizes(getRuns(P.Tile, InBlock), InBlock));
  set("tile", Twine(P.Tile));
  set("strip", Twine(P.Strip));
  std::string Points = "f";
  for (unsigned I = 0; I != R.Planes->NumResults; ++I)
    Points += " o";
  set("points", Points);
  if (!getRounds(K, R.Lane))
    add("enough", KernelText(K).constraint({K.Axes[R.Lane].Extents.front() -
                                                int64_t(P.Dot.Row.Lanes / 2),
                                            /*IsEquality=*/false}));
  if (!getRounds(K, P.Channel))
    add("enough", KernelText(K).constraint({K.Axes[P.Channel].Extents.front() -
                                                int64_t(P.Dot.Row.Depth),
                                            /*IsEquality=*/false}));
}

void PlanesWriter::writeCopies() {
  const std::string &Channel = name(P.Channel);
  uint64_t Columns = P.getColumns(), Depth = P.Dot.Row.Depth;
  std::string Windows, Reach, Row, WindowsCopy, WeightIndex;
  uint64_t Left = P.getWindow();
  for (const WindowAxis &W : P.Rows) {
    Row = "R ";
    Reach += "R=" + getSum(W) + ",";
    Left /= W.Rounds;
    Windows += name(W.Sum) + " ";
    WindowsCopy += name(W.Sum) + "_,";
    WeightIndex += utostr(Depth * Left) + "*" + name(W.Sum) + "+";
  }
  Reach += "C=" + getSum(P.Column);
  Windows += name(P.Column.Sum) + " ";
  WindowsCopy += name(P.Column.Sum) + "_";
  WeightIndex += utostr(Depth) + "*" + name(P.Column.Sum) + "+";
  set("channel", Channel);
  set("windows", Windows);
  bool IsWhole = getRounds(K, P.Channel).value_or(1) % P.Channels == 0;
  set("steps", Twine(Depth) + (IsWhole ? "" : " rest"));
  set("pixels", KernelText(K).buffer(R.Planes->Own.Load->Acc.Buf));
  set("pixels.size", Twine(P.getPixels()));
  set("pixels.axes", "Q," + Reach + "," + Channel);
  set("pixels.index", Twine(P.getRows() * Columns) + "*Q+" +
                          (Row.empty() ? "" : utostr(Depth * Columns) + "*R+") +
                          Twine(Depth) + "*C+" + Channel);
  set("pixels.order", "Q_ " + Row + Channel + "_ C");
  std::string Sums = StringRef(WindowsCopy).str();
  llvm::erase(Sums, '_');
  set("weights", KernelText(K).buffer(R.Planes->Shared.Load->Acc.Buf));
  set("weights.size", Twine(P.getWeights()));
  set("weights.axes", "f,Q," + Sums + "," + Channel);
  set("weights.index", Twine(P.Channels * P.getWindow()) + "*f+" +
                           Twine(P.getWindow()) + "*Q+" + WeightIndex +
                           Channel);
  std::string Copies = WindowsCopy;
  std::replace(Copies.begin(), Copies.end(), ',', ' ');
  set("weights.order", "f_ Q_ " + Channel + "_ " + Copies);
  std::string Window = WindowsCopy;
  if (!P.Rows.empty()) {
    set("weights.collapsed", WindowsCopy);
    Window = "e";
  }
  set("weights.guarded",
      Window + " " + Twine(alignTo(P.getWindow(), P.Dot.Row.Lanes)));
  set("pixels.guarded", "C " + Twine(alignTo(Columns, P.Dot.Row.Lanes)));
  set("lanes", "x,C," + Window);
  set("vector", Twine(P.Dot.Row.Lanes));
  set("apart", Twine(Depth));
  set("instruction", P.Dot.Row.Name);
  set("loops", "Q " + Windows + "f " + Channel + " x");
}

/// Where windows reach over the border zeros are copied: a loop for each
/// condition.
void PlanesWriter::writeBorders() {
  std::string Fills, Elements;
  for (auto [I, C] : enumerate(R.Sum->Domain)) {
    std::string Own = "c" + utostr(I);
    std::string Element = "u" + utostr(I);
    Fills += " " + Own;
    Elements += " " + Element;
    add("outside", Own + " " + Element);
    add("outside.elements", Element);
    if (K.dependsOn(C.P, R.Lane) || K.dependsOn(C.P, P.Column.Sum))
      add("bounded", Own);
  }
  if (Fills.empty()) {
    set("fill", "");
    return;
  }
  set("fill", " fill 0 outside");
  set("filled", "C" + Fills + " C");
  set("filled.elements",
      name(P.Channel) + "_" + Elements + " " + name(P.Channel) + "_");
}

void PlanesWriter::write() {
  writeBlocks();
  writeCopies();
  writeBorders();
  const DotFactor &Shared = R.Planes->Shared;
  bool IsOther = isCopied(Shared, P.Dot.Shared, P.Dot.HasOffset);
  std::string Type = P.Dot.Shared.Signed ? getName(P.Dot.Shared.Ty).str()
                                         : getName(P.Dot.Shared);
  set("as", IsOther ? " as " + Type : "");
  if (P.Dot.HasOffset) {
    set("offset", KernelText(K).buffer(Shared.Load->Acc.Buf) + " " + Type);
    bool HasRow = !P.Rows.empty() && P.Rows.front().Point;
    set("distributed",
        (HasRow ? name(*P.Rows.front().Point) : "D") + " offsets");
  }
}

void ScriptWriter::writePlanes(const TargetModel &T) {
  std::optional<DotPlanes> P = findPlanes(K, R, T);
  if (!P)
    return;
  PlanesWriter(K, R, *P, Holes).write();
  findExists();
}

bool dlopt::findPlaneDots(const Kernel &K, const Node &Point,
                          StrategyRoles &R) {
  DotFactor X, Y;
  unsigned NumResults = 0;
  const Access *Result = findResult(K, Point, NumResults);
  if (!Result || R.Locals.size() != 1 || !R.Tile ||
      !isStride(K, *Result, R.Lane, 1) || !findFactors(K, *R.Sum, X, Y) ||
      isFloat(K.Buffers[R.Locals.front()].Ty))
    return false;
  if (!K.dependsOn(Y.Load->Acc, R.Lane))
    std::swap(X, Y);
  const Access &Shared = X.Load->Acc, &Own = Y.Load->Acc;
  if (K.dependsOn(Shared, R.Lane) || !isStride(K, Own, R.Lane, 1) ||
      !K.dependsOn(Shared, *R.Tile) || K.dependsOn(Own, *R.Tile) ||
      Y.IsConverted)
    return false;
  R.Planes = {R.Sums.front(),
              R.Sum->Ops[R.Sum->Assigns.front().Value].Ty,
              X,
              Y,
              Result,
              NumResults,
              /*MayApproximate=*/false};
  return true;
}
