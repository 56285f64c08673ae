//===- ContractionTile.cpp - One register tile of a contraction -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is done in one tile: sums start, all products are added, and results,
/// or sums that go on in the next block of steps, are stored.
///
//===----------------------------------------------------------------------===//
#include "ContractionTiles.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt::contraction {

static constexpr StringLiteral Tile =
    R"(      par J[{begin}..{end}] {blocks}
        local acc:{type}[{rows},{width}] reg
{locals}{fetch}{start}{sum.of.products}{results}{stores})";

/// A line of what is copied next, for each step.
static constexpr StringLiteral FetchNext =
    R"(          prefetch %next[k,J + {line}*mod(T, {lines})]{where}
)";

/// The lines of C that a tile is going to write arrive while it is computed.
static constexpr StringLiteral FetchC =
    R"(        par i[{height}] unroll par l[{lines}] unroll
          prefetch %C[{row},J + {apart}*l] locality 3{where}
)";

static constexpr StringLiteral Start =
    R"(        par i[{height}] unroll par j[size(J)] lanes {lanes}
          acc[i,j] = {value}{where}
)";

static constexpr StringLiteral Steps =
    R"(        red k[{deep}..%K]
{ahead}          par i[{height}] unroll par j[size(J)] lanes {lanes}
            acc[i,j] = {step}{where}
)";

static constexpr StringLiteral ManySteps =
    R"(        red Q[%groups]
{factors}          red p[{unroll}] unroll par i[{height}] unroll par j[size(J)] lanes {lanes}
            acc[i,j] = {step}{where}
)";

/// Several steps take elements of one vector of A.
static constexpr StringLiteral Factors =
    R"(          local a:{type}[{rows},{unroll}] reg
          par i[{height}] unroll par p[{unroll}] lanes {unroll}
            a[i,p] = {several}{where}
)";

static constexpr StringLiteral Results =
    R"(        par e[1] par i[{height}] unroll par j[size(J)] lanes {lanes}
{given}{operands}          {result}[i,j] = o0{when}
)";

static constexpr StringLiteral Store =
    R"(        par i[{height}] unroll par j[size(J)] lanes {lanes}
          {to} = {from}[i,j]{where}
)";

/// Where vectors are not stored under masks: those of which some lanes exist,
/// by way of memory, and of these as many as a bit of their number says.
static constexpr StringLiteral Keep =
    R"(        par i[{height}] unroll par j[{lanes}] lanes {lanes}
          {tile}[i,j] = {from}[i,j]{where}
)";

static constexpr StringLiteral StorePart =
    R"(        par i[{height}] unroll par j[{part}]{mode}
          {to.part} = {tile}[i,{at}j]{where}
)";

/// Results one by one, by way of memory.
static constexpr StringLiteral StoreElements =
    R"(        par i[{height}] unroll par j[size(J)] lanes {lanes}
          {tile}[i,j] = {from}[i,j]{where}
        par i[{height}] par j[size(J)]
          {to} = {tile}[i,j]{element}
)";

/// "  where a, b" of those that are not empty.
static std::string where(std::initializer_list<StringRef> Conditions) {
  std::string Text;
  for (StringRef C : Conditions)
    if (!C.empty())
      Text += ((Text.empty() ? "  where " : ", ") + C).str();
  return Text;
}

/// The place of step \p K in the rows of A. Those of groups lie together.
std::string TilesWriter::getA(const RowPart &R, const Twine &K) const {
  if (Plan.GroupedA) {
    bool IsKnown = !Plan.MayStayA || DLOPT_PLANTED(StepOfCopyTaken);
    std::string Step = IsKnown ? utostr(Plan.TileRows) : "%stepa",
                Main = Parts.front().Last,
                Group = R.IsMain ? "%lda*{first.row}"
                                 : "%lda*" + Main + " + I - " + Main;
    return ("%A[" + Group + " + i + " + Step + "*(" + K + ")]").str();
  }
  std::string Step = itostr(Spec.getTileStepA());
  return ("%A[{row}," + Step + "*(" + K + ")]").str();
}

std::string TilesWriter::writeStart() {
  StringRef Row = DLOPT_PLANTED(StartRowWrong) ? "{row} + 1" : "{row}";
  std::string Text;
  auto Add = [&](const Twine &Value, StringRef When) {
    set("value", Value);
    set("where", where({When, Exists}));
    Text += fill(Start);
  };
  if (!Spec.StepsOfStart) {
    Add("%S[" + Row + ",J + j](%srs,1)", "%scs >= 1");
    Add("%S[" + Row + ",0]", "%scs <= 0");
    return Text;
  }
  // Neither 0 nor 1.
  Add("%S[" + Row + ",J + j]", "%scs*%scs - %scs >= 1");
  Add("%S[" + Row + ",J + j](%srs,1)", "%scs == 1");
  Add("%S[" + Row + ",0]", "%scs == 0");
  return Text;
}

/// All products of a tile. Those of an order that is wrong are planted.
std::string TilesWriter::writeSteps(const RowPart &R, bool IsMain) {
  bool Descends = DLOPT_PLANTED(StepsDescending);
  auto SetStep = [&](StringRef K, std::string A) {
    set("step",
        getStep(std::move(A), ("%B[" + K + ",{place}]").str(), "acc[i,j]"));
  };
  std::string Text;
  set("where", where({Exists}));
  bool IsUnrolled = IsMain && R.IsMain && Plan.UnrollK > 1 && !Descends;
  if (IsUnrolled) {
    std::string A = getA(R, "{unroll}*Q + p");
    set("factors", "");
    if (Plan.LanesOfA) {
      // Backwards, the last step comes first in memory.
      bool Backwards = Spec.getTileStepA() < 0;
      std::string Last = utostr(Plan.UnrollK - 1);
      set("several", getA(R, Backwards ? "{unroll}*Q + " + Last + " - p"
                                       : "{unroll}*Q + p"));
      set("factors", fill(Factors));
      A = Backwards ? "a[i," + Last + " - p]" : "a[i,p]";
    }
    SetStep("{unroll}*Q + p", A);
    Text = fill(ManySteps);
  }
  std::string K = Descends ? "%K - 1 - k" : "k";
  SetStep(K, getA(R, K));
  set("deep", IsUnrolled ? "{unroll}*%groups" : "0");
  if (IsMain && R.IsMain && Plan.FetchesNext) {
    // One line of each step of a panel for each tile: the first rows fetch all,
    // the others ask for what is there.
    uint64_t Bytes = uint64_t(getPanel()) * getSizeInBytes(Spec.getOperandTy());
    set("lines", Twine(std::max<uint64_t>(Bytes / CacheLineBytes, 1)));
    set("ahead", fill(FetchNext));
  } else {
    set("ahead", "");
  }
  return Text + fill(Steps);
}

std::string TilesWriter::writeResults() {
  set("when", DLOPT_PLANTED(EpilogueOnEveryBlock)
                  ? where({Exists})
                  : where({"%last >= 1", Exists}));
  set("result", Spec.storesApart() ? "result" : "acc");
  setOperands("          ", "        ", "[{width}]", "[j]");
  if (Spec.storesApart())
    add("locals", "        local result:{output}[{rows},{width}] reg\n");
  return fill(Results);
}

/// Memory for a tile of \p Width columns; all tiles share it.
void TilesWriter::addTile(StringRef Name, StringRef From) {
  TileMemory &T = Memory[Name.str()];
  T.Type = From == "result" ? "{output}" : "{type}";
  T.Width = std::max(T.Width, Width);
}

/// Stores {from} as vectors.
std::string TilesWriter::writeWholeStores(StringRef To, StringRef From,
                                          StringRef Last, StringRef Inside,
                                          StringRef Tile) {
  std::string Lanes = utostr(Plan.VectorElems), Whole = "size(J) >= " + Lanes,
              Partial = "size(J) <= " + utostr(Plan.VectorElems - 1);
  if (!storesParts()) {
    set("where", where({Last, Inside, Exists}));
    return fill(Store);
  }
  addTile(Tile, From);
  set("where", where({Last, Inside, Exists, Whole}));
  std::string Text = fill(Store);
  set("where", where({Last, Inside, Exists, Partial}));
  Text += fill(Keep);
  for (unsigned Part = Plan.VectorElems / 2; Part; Part /= 2) {
    std::string Twice = utostr(2 * Part);
    std::string At = Twice + "*floordiv(size(J), " + Twice + ") + ";
    set("part", Twine(Part));
    set("mode", Part > 1 ? " lanes {part}" : "");
    set("at", At);
    set("to.part", To + At + "j]");
    set("where", where({Last, Inside, Exists, Partial,
                        "mod(size(J), " + Twice + ") >= " + utostr(Part)}));
    Text += fill(StorePart);
  }
  return Text;
}

/// Stores \p From where \p Last holds: of a triangle the tiles that are inside
/// of it, and those that the diagonal crosses, by way of \p Tile; so results
/// that are apart.
std::string TilesWriter::writeStores(StringRef From, StringRef To,
                                     StringRef Last, StringRef Tile) {
  set("from", From);
  set("to", To + "j]");
  set("tile", Tile);
  StringRef Inside, Crosses, Element;
  if (IsTriangle) {
    Inside = IsLower ? "J + size(J) - {first.row} <= %diagonal"
                     : "J - {first.row} - {height} + 1 >= %diagonal";
    Crosses = IsLower ? "J + size(J) - {first.row} >= %diagonal + 1"
                      : "J - {first.row} - {height} + 2 <= %diagonal";
    Element = IsLower ? "J + j - {first.row} - i <= %diagonal - 1"
                      : "J + j - {first.row} - i >= %diagonal";
  }
  bool IsApart = Spec.StepC != 1 && From == "result";
  std::string Text;
  if (!IsApart) {
    bool IsPlanted = DLOPT_PLANTED(DiagonalStoredWhole);
    Text = writeWholeStores(To, From, Last, IsPlanted ? "" : Inside, Tile);
    if (!IsTriangle || IsPlanted)
      return Text;
  }
  if (IsApart || !storesParts())
    addTile(Tile, From);
  if (IsApart)
    Crosses = "";
  set("where", where({Last, Crosses, Exists}));
  set("element", where({Last, Crosses, Exists, Element}));
  return Text + fill(StoreElements);
}

/// Tiles of \p Most columns at most, from \p Begin to \p End.
std::string TilesWriter::writeTile(const RowPart &R, StringRef Begin,
                                   StringRef End, StringRef Blocks,
                                   unsigned Most, bool IsMain) {
  Width = Most;
  set("begin", Begin);
  set("end", End);
  set("blocks", Blocks);
  IsPartial = Blocks.starts_with("upto");
  set("width", getElements(Width));
  set("locals", "");
  set("fetch", "");
  if (IsMain && R.IsMain && !Spec.storesApart()) {
    unsigned Bytes =
        Plan.VectorElems * Plan.TuneVScale * getSizeInBytes(Spec.Ty);
    unsigned Apart = std::max(CacheLineBytes / Bytes, 1u);
    set("lines", Twine(divideCeil(Plan.TileVectors, Apart)));
    set("apart", getProduct(Apart * Plan.VectorElems));
    set("where", where({Exists}));
    set("fetch", fill(FetchC));
  }
  set("results", Spec.hasResults() ? writeResults() : "");
  std::string Stores;
  if (Spec.storesApart())
    Stores = writeStores("acc", "%sums[{row},J + ", "%last == 0", "waiting") +
             writeStores("result", "%C[{row},J + ", "%last >= 1", "tile");
  else
    Stores = writeStores("acc", "%C[{row},J + ", "", "tile");
  set("stores", Stores);
  set("start", writeStart());
  set("sum.of.products", writeSteps(R, IsMain));
  return fill(Tile);
}

} // namespace dlopt::contraction
