//===- ScriptWriter.cpp - Fills the holes of scripts ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScriptWriter.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dlopt;

void ScriptWriter::nameAll() {
  // Steps know buffers by the names that they are printed with.
  KernelText Text(K);
  for (auto [I, B] : enumerate(K.Buffers))
    if (!B.IsLocal)
      B.Name = Text.bufferName(static_cast<BufferId>(I)).str();
  // Lists are within a line, each name with the space behind it.
  Holes["outer"] = Holes["inner"] = Holes["sums"] = {""};
  unsigned Number = 0;
  for (AxisId A : R.Parallel) {
    std::string &Name = K.Axes[A].Name;
    Name = A == R.Lane ? "x" : R.Tile == A ? "f" : "p" + utostr(++Number);
    if (A == R.Lane || R.Tile == A)
      continue;
    Holes[R.isWindowed(K, A) ? "inner" : "outer"].front() += Name + " ";
  }
  for (auto [I, A] : enumerate(R.Sums)) {
    K.Axes[A].Name = "r" + utostr(I + 1);
    Holes["sums"].front() += K.Axes[A].Name + " ";
  }
  Holes["first"] = {K.Axes[R.Sums.front()].Name};
  for (auto [I, B] : enumerate(R.Locals)) {
    K.Buffers[B].Name = "t" + utostr(I + 1);
    Holes["local"].push_back(K.Buffers[B].Name);
  }
  Holes["filters"] = {R.LaneIsFilter ? "X" : "F"};
  Holes["pixels"] = {R.LaneIsFilter ? "F" : "X"};
}

/// Whether \p P is a number, or one times a step that certainly is positive.
bool ScriptWriter::isKnownSign(const Poly &P) const {
  return P.getConstant() ||
         (P.terms().size() == 1 && P.terms().front().first.size() == 1 &&
          Positive.contains(P.terms().front().first[0]));
}

/// \p C for all elements of a block, and all rounds of the sums: it is linear,
/// so it holds for all if it does for those where it is the least.
std::string ScriptWriter::getInside(const Constraint &C,
                                    ArrayRef<StringRef> Blocks,
                                    ArrayRef<AxisId> Sums) const {
  Kernel Own;
  copyKernel(K, Own);
  Poly P = C.P;
  auto SetLeast = [&](AxisId A, const Poly &First, const Poly &Last) {
    std::optional<AtomId> Atom = Own.findAxisAtom(A);
    if (!Atom || !P.uses(*Atom))
      return true;
    std::optional<Poly> Stride = getStride(Own, P, A);
    if (!Stride || !isKnownSign(*Stride))
      return false;
    bool IsPositive = Stride->isZero() || Stride->terms().front().second > 0;
    P = P.without(*Atom) + *Stride * (IsPositive ? First : Last);
    return true;
  };
  auto SetBlock = [&](AxisId A, ArrayRef<StringRef> Names) {
    Poly First;
    AxisId Block = 0;
    for (StringRef Name : Names) {
      Block = static_cast<AxisId>(Own.Axes.size());
      Own.Axes.emplace_back();
      Own.Axes.back().Name = Name.str();
      First = First + Poly::atom(Own.getAxisAtom(Block));
    }
    return SetLeast(A, First, First + Poly::atom(Own.getSizeAtom(Block)) - 1);
  };
  // Copies of filters have no conditions.
  bool IsOfTile = (R.LaneIsFar && !R.TileIsNeighbours) || R.Dot;
  AxisId Block = IsOfTile ? *R.Tile : R.Lane;
  if (C.IsEquality || !SetBlock(Block, Blocks) ||
      (R.Tile && R.Tile != Block && !SetBlock(*R.Tile, {"F"})))
    return "";
  for (AxisId A : Sums) {
    const auto &Extents = Own.Axes[A].Extents;
    if (Extents.size() == 1 && Own.hasFixedExtents(A)) {
      if (!SetLeast(A, Poly(0), Extents.front() - 1))
        return "";
    } else if (Own.dependsOn(P, A)) {
      return "";
    }
  }
  if (Own.anyNestedAtom(P, [](const Atom &A) { return A.K == Atom::Load; }))
    return "";
  return KernelText(Own).constraint({P, /*IsEquality=*/false});
}

/// Whether borders are numbers: what is beyond one end says then which columns
/// are outside.
static bool hasKnownBorders(const Kernel &K, const StrategyRoles &R,
                            function_ref<bool(const Poly &)> IsInBlocks) {
  return any_of(R.Sum->Domain, [&](const Constraint &C) {
    Poly P = C.P;
    for (AxisId A : concat<const AxisId>(R.Parallel, R.Sums))
      if (std::optional<AtomId> Atom = K.findAxisAtom(A))
        P = P.without(*Atom);
    return IsInBlocks(C.P) && P.getConstant();
  });
}

SmallVector<std::string, 1>
ScriptWriter::getInside(ArrayRef<StringRef> Blocks,
                        ArrayRef<AxisId> Sums) const {
  SmallVector<std::string, 4> Inside;
  for (const Constraint &C : R.Sum->Domain)
    if (isInBlocks(C.P))
      Inside.push_back(getInside(C, Blocks, Sums));
  // One that cannot be told makes the case useless, and each makes twice the
  // code: more than the two ends of a window are no convolution's.
  constexpr size_t MostCases = 2;
  if (Inside.empty() || Inside.size() > MostCases || is_contained(Inside, ""))
    return {};
  return {join(Inside, ", ")};
}

void ScriptWriter::findConditions() {
  for (const Constraint &C : R.Sum->Domain) {
    bool OfBlock = isInBlocks(C.P);
    for (AxisId A : R.Sums) {
      if (!K.dependsOn(C.P, A))
        continue;
      auto &List = Holes[OfBlock ? "column" : "row"];
      if (!is_contained(List, K.Axes[A].Name))
        List.push_back(K.Axes[A].Name);
    }
  }
  findAsked();
  chooseUnrolled();
}

/// Where it is asked whether a block is inside of borders: in front of all
/// sums, or for each column, as blocks at the ends of rows are outside with
/// some alone. In front where columns are straight code that shares what is
/// loaded, or in which each test is decided.
void ScriptWriter::findAsked() {
  bool IsKnown =
      hasKnownBorders(K, R, [&](const Poly &P) { return isInBlocks(P); });
  SmallVector<AxisId, 6> Inside;
  std::string At = K.Axes[R.Sums.front()].Name;
  for (auto [I, A] : enumerate(R.Sums)) {
    bool IsColumn = any_of(R.Sum->Domain, [&, A = A](const Constraint &C) {
      return isInBlocks(C.P) && K.dependsOn(C.P, A);
    });
    if (!IsColumn || (getRounds(K, A) && (IsKnown || A == R.Sums.back())))
      Inside.push_back(A);
    else
      At = I + 1 != R.Sums.size() ? K.Axes[R.Sums[I + 1]].Name
           : R.hasTile()          ? "f"
                                  : "x";
  }
  // All conditions at once: blocks behind one end alone are few, and code of
  // their own for each end and each size is most of all code. Granite Rapids,
  // 3 x 3, 56 x 56 and 28 x 28, AVX2: depthwise 0.70, pools 0.70 to 0.81 of the
  // time; SSE2 and AVX-512 0.99.
  for (const std::string &Conditions : getInside({"X"}, Inside)) {
    Holes["asked"] = {At};
    Holes["inside"] = {"all " + Conditions};
  }
}

/// Of the columns those that are straight code: short ones, from the inside
/// out. The last sum is, too, which gives the others time, and so are rows of
/// windows, for each element of which there is one instruction: less than the
/// loop around it. Of images of any size rows are asked one by one.
void ScriptWriter::chooseUnrolled() {
  constexpr uint64_t MostUnrolled = 8, Most = 16, MostShort = 25;
  SmallVector<std::string, 4> Unrolled;
  bool IsShort = !R.hasTile() && R.countRounds(K).getConstant() &&
                 count_if(R.Sum->Ops, [](const Op &O) {
                   return O.K != Op::Load && O.K != Op::Const;
                 }) == 1;
  const uint64_t MostCopies = IsShort ? MostShort : Most;
  const auto &Columns = Holes["column"];
  uint64_t Copies = 1;
  for (AxisId A : reverse(R.Sums)) {
    const std::string &Name = K.Axes[A].Name;
    uint64_t Rounds = getRounds(K, A).value_or(MostUnrolled + 1);
    bool IsWanted =
        IsShort || A == R.Sums.back() || is_contained(Columns, Name);
    if (!IsWanted || Rounds > MostUnrolled || Copies * Rounds > MostCopies)
      continue;
    Copies *= Rounds;
    Unrolled.push_back(Name);
  }
  Holes["column"] = Unrolled;
}

std::string dlopt::getBlocks(uint64_t Size, std::optional<uint64_t> Extent) {
  bool IsWhole = Size && Extent && *Extent % Size == 0;
  return (IsWhole ? "" : "upto ") + utostr(Size);
}

std::string dlopt::getSizes(ArrayRef<uint64_t> Sizes,
                            std::optional<uint64_t> Extent) {
  SmallVector<std::string, 8> Used;
  uint64_t Left = Extent.value_or(0);
  for (uint64_t Size : Sizes) {
    if (Extent && Left < Size)
      continue;
    Used.push_back(utostr(Size));
    Left %= Size;
  }
  bool HasRest = Extent ? Left != 0 : Sizes.back() != 1;
  if (HasRest && Used.empty())
    Used.push_back(utostr(Sizes.back()));
  if (HasRest)
    Used.push_back("rest");
  return join(Used, " ");
}

/// Sizes of tiles of \p Most elements: about the same for all, if their number
/// is known.
static SmallVector<uint64_t, 6> getTiles(uint64_t Most,
                                         std::optional<uint64_t> Elements) {
  if (Elements.value_or(0))
    return getRuns(Most, Elements);
  constexpr uint64_t Half = 4;
  if (Most > Half)
    return {Most, Half, 2, 1};
  return {Most, 1};
}

/// Vectors of the blocks that follow one of \p Vectors where that is too long:
/// of many, halves of what is left.
static unsigned getShorter(unsigned Vectors) {
  return Vectors > 3 ? Vectors / 2 : Vectors - 1;
}

/// Blocks of a row of \p Row elements, the longest of \p Vectors of \p Lanes.
static uint64_t countBlocks(uint64_t Row, unsigned Vectors, unsigned Lanes) {
  uint64_t Blocks = 0;
  for (unsigned V = Vectors; V; V = getShorter(V)) {
    Blocks += Row / (V * Lanes);
    Row %= V * Lanes;
  }
  return Blocks + (Row ? 1 : 0);
}

/// Vectors of a strip that shares nothing: with as many sums as hide the
/// latency of an addition, as far as rows are so long, in as few blocks as
/// such have, and these about as long as each other. Of rows of any length long
/// blocks would be ends, in which each column is asked for; elements \p
/// AreApart are shuffled in registers of their own.
static unsigned getStrip(unsigned Lanes, std::optional<uint64_t> Row,
                         bool AreApart, const TargetModel &T) {
  constexpr unsigned Least = 3, Long = 48;
  if (!Row.value_or(0))
    return Least;
  unsigned Best = Least;
  if (!AreApart)
    Best = std::clamp(Long / Lanes, Least,
                      std::max(T.FMALatency * T.FMAPerCycle, Least));
  uint64_t Blocks = countBlocks(*Row, Best, Lanes);
  while (Best > 1 && countBlocks(*Row, Best - 1, Lanes) == Blocks)
    --Best;
  return Best;
}

/// Elements of the tile for as many vectors as a row says: their sums are five
/// of eight registers, or half of them where more would have to be with them:
/// all columns of neighbours, and both of two values for each where one vector
/// has as many as there is room for.
unsigned ScriptWriter::getMostTile(unsigned Registers,
                                   bool AreNeighbours) const {
  constexpr unsigned MostNeighbours = 8;
  if (AreNeighbours)
    return std::clamp(Registers / 2 / Vectors, 1U, MostNeighbours);
  unsigned Sums = Vectors == 1 ? Registers / 2 : Registers * 5 / 8;
  return std::max(Sums / Vectors, 1U);
}

/// Sizes of blocks: with as many sums as hide the latency of an addition, and
/// registers for what they are made of.
void ScriptWriter::findSizes(const TargetModel &T) {
  unsigned Bits = 8, Narrowest = 64;
  for (const Op &O : R.Sum->Ops) {
    unsigned Own = 8 * getSizeInBytes(O.Ty);
    Bits = std::max(Bits, Own);
    if (O.K == Op::Load)
      Narrowest = std::min(Narrowest, Own);
  }
  bool HasMasks = T.HasMaskedLoads && Narrowest >= T.LeastMaskedBits;
  unsigned Lanes = T.VectorBits / Bits;
  constexpr unsigned ManyRegisters = 32;
  bool HasMany = T.NumVectorRegs >= ManyRegisters;
  // Of neighbours 4 with the columns of their windows have room in registers;
  // rows of no more than twice 8 would be ends and rests.
  constexpr uint64_t Short = 16;
  bool IsSmall =
      R.TileIsNeighbours && getRounds(K, *R.Tile).value_or(Short + 1) > Short;
  unsigned Tile = HasMany && !IsSmall ? 8 : 4;
  bool IsGiven = Vectors;
  if (IsGiven)
    Tile = getMostTile(T.NumVectorRegs, R.TileIsNeighbours);
  else
    Vectors = R.hasTile()
                  ? 2
                  : getStrip(Lanes, getRounds(K, R.Lane), R.isApart(K), T);
  // Beside the sums of filters in lanes are weights, a pixel and a product;
  // twenty sums are enough.
  constexpr unsigned Most = 10;
  if (!IsGiven && R.LaneIsFilter && !R.TileIsNeighbours &&
      getRounds(K, *R.Tile) && T.NumVectorRegs > Vectors + 2)
    Tile = std::clamp((T.NumVectorRegs - Vectors - 2) / Vectors, Tile, Most);
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[Hole] = {Text.str()};
  };
  SmallVector<uint64_t, 8> Strips;
  for (unsigned V = Vectors; V; V = getShorter(V))
    Strips.push_back(V * Lanes);
  // Without masks what is left has narrower vectors.
  for (unsigned Left = Lanes / 2; Left && !HasMasks; Left /= 2)
    Strips.push_back(Left);
  Set("lanes", Twine(Lanes));
  Set("strip", Twine(Vectors * Lanes));
  // Of the elements of a window, of which gradients of weights have one each,
  // hardly a lane would run.
  constexpr uint64_t Fewest = 4;
  std::optional<uint64_t> Rounds = getRounds(K, R.Lane);
  if (Rounds.value_or(Fewest) >= Fewest && !R.LaneIsFar)
    Set("strips", getSizes(Strips, Rounds));
  // A vector of fewer takes longer than scalar code, which is unrolled, and
  // which asks for each column of a window that has a border.
  unsigned Few = Lanes / 4, More = 3 * Lanes / 8;
  unsigned Least = R.hasTile() || !R.Sum->Domain.empty() ? Few : More;
  if (!Rounds && !R.LaneIsFar && Least > 1)
    Holes["enough"].push_back(KernelText(K).constraint(
        {K.Axes[R.Lane].Extents.front() - int64_t(Least),
         /*IsEquality=*/false}));
  if (R.LaneIsFar && R.TileIsNeighbours)
    findSpread(Strips, Lanes, Bits / 8);
  Set("tile", Twine(Tile));
  if (R.Tile)
    Set("tiles",
        getSizes(getTiles(Tile, getRounds(K, *R.Tile)), getRounds(K, *R.Tile)));
}

SmallVector<std::string, 24> dlopt::fillScript(StringRef Template,
                                               const ScriptHoles &Holes) {
  SmallVector<std::string, 24> Lines;
  SmallVector<StringRef, 24> Parts;
  Template.split(Parts, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  // Of a line with a hole that several things fill there are as many.
  auto Fill = [&](StringRef Line, auto &Self) -> void {
    size_t Begin = Line.find('{'), End = Line.find('}');
    if (Begin == StringRef::npos) {
      Lines.push_back(Line.str());
      return;
    }
    auto It = Holes.find(Line.slice(Begin + 1, End));
    if (It == Holes.end())
      return;
    for (const std::string &Text : It->second)
      Self((Line.take_front(Begin) + Text + Line.substr(End + 1)).str(), Self);
  };
  for (StringRef Part : Parts) {
    bool IsNeeded = Part.consume_front("!");
    size_t Before = Lines.size();
    Fill(Part, Fill);
    if (IsNeeded && Lines.size() == Before)
      return {};
  }
  return Lines;
}
