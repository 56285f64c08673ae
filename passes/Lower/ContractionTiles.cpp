//===- ContractionTiles.cpp - Register tiles of a contraction -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// .tiles: rows outside, columns inside, and for each register tile
///
///   acc = start; for all k: acc[i][j] += A[i][k] * B[k][j]; C = acc
///
/// It is a scheduled kernel, of which rows and columns come in parts: whole
/// tiles first, whose loops are unrolled and fetch ahead, then what is left, by
/// powers of two. B lies in panels as wide as a tile: columns are adjacent in
/// one, and that of column J is at J * %ps (%ps is the number of steps if B is
/// copied, 1 if it is not). Few rows are too few chains to hide the latency of
/// a step: they take twice as many columns, where panels are not in the way.
///
//===----------------------------------------------------------------------===//
#include "ContractionTiles.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt::contraction {

TilesWriter::TilesWriter(IRBuilderBase &B, const ContractionSpec &S,
                         const ContractionPlan &P, const TilesArgs &T)
    : PanelText(B, S, P, T.Operands), M(T.M), N(T.N),
      IsTriangle(S.isTriangle()),
      IsLower(S.Elements == ContractionSpec::LowerTriangle) {
  addNumbers(T);
  addMatrices(T);
  set("rows", Twine(P.TileRows));
  set("unroll", Twine(P.UnrollK));
  set("column", "J + j");
  set("sum", "acc[i,j]");
  set("line", Twine(CacheLineBytes / getSizeInBytes(S.getOperandTy())));
}

/// The rows up to \p End, by tiles of \p Sizes rows.
void TilesWriter::addRows(ArrayRef<unsigned> Sizes, Value *End) {
  RowPart R;
  R.Sizes.assign(Sizes.begin(), Sizes.end());
  R.First = Parts.empty() ? "0" : Parts.back().Last;
  R.Last = "%row" + utostr(Parts.size());
  R.IsMain = Sizes.front() == Plan.TileRows;
  R.IsNarrow = isNarrow(Sizes.front());
  addNumber(R.Last.substr(1), End);
  Parts.push_back(std::move(R));
}

/// Whole tiles, and what is left by powers of two.
void TilesWriter::addAllRows() {
  unsigned R = Plan.TileRows;
  Value *Main = getWhole(M, B.getInt64(R)), *Rest = B.CreateSub(M, Main);
  addNumber("tiles", B.CreateUDiv(M, B.getInt64(R)));
  addRows(R, Main);
  SmallVector<unsigned, 4> Sizes;
  for (unsigned Size = R > 1 ? llvm::bit_floor(R - 1) : 0; Size; Size /= 2) {
    if (DLOPT_PLANTED(RowTailDropped) && Size == 1)
      break;
    Sizes.push_back(Size);
    if (Size > 1 && isNarrow(Size) == isNarrow(Size / 2))
      continue;
    addRows(Sizes, B.CreateSub(M, B.CreateURem(Rest, B.getInt64(Size))));
    Sizes.clear();
  }
}

/// Where columns end that narrow tiles take twice as many of.
void TilesWriter::addWide(Value *PanelStep) {
  if (none_of(Parts, [](const RowPart &P) { return P.IsNarrow; }))
    return;
  Value *Pair = B.CreateElementCount(B.getInt64Ty(), getPanelWidth(Plan) * 2);
  addNumber("wide", B.CreateSelect(B.CreateICmpEQ(PanelStep, B.getInt64(1)),
                                   getWhole(N, Pair), B.getInt64(0)));
}

void TilesWriter::addNumbers(const TilesArgs &T) {
  for (auto [Name, V, Least] :
       {std::tuple("M", T.M, 1), std::tuple("N", T.N, 1),
        std::tuple("K", T.K, 1), std::tuple("ldc", T.Ldc, 0),
        std::tuple("srs", T.Srs, 0), std::tuple("ps", T.PanelStep, 1)})
    addNumber(Name, V, Least);
  for (auto [Name, V] :
       {std::pair("lda", T.Lda), std::pair("ldb", T.Ldb),
        std::pair("scs", T.Scs), std::pair("stepa", T.StepA),
        std::pair("stepc", T.StepC), std::pair("diagonal", T.Diagonal),
        std::pair("nextld", T.NextLd)})
    if (V)
      addNumber(Name, V, INT64_MIN);
  if (T.Last)
    addNumber("last", B.CreateZExt(T.Last, B.getInt64Ty()));
  addAllRows();
  addColumns(N, T.PanelStep);
  addWide(T.PanelStep);
  if (Plan.UnrollK > 1) {
    Value *Unroll = B.getInt64(Plan.UnrollK);
    Value *Steps =
        DLOPT_PLANTED(UnrolledStepsOverrun) ? B.CreateAdd(T.K, Unroll) : T.K;
    addNumber("groups", B.CreateUDiv(Steps, Unroll));
  }
}

void TilesWriter::addMatrices(const TilesArgs &T) {
  bind("C", T.C);
  bind("sums", T.C);
  bind("A", T.A);
  bind("B", T.B);
  bind("S", T.S);
  add("matrices", " %C:{output}(%ldc,");
  bool IsUnit = Spec.StepC == 1 || DLOPT_PLANTED(ResultStepLost);
  add("matrices", IsUnit ? "1)" : "%stepc)");
  if (Spec.storesApart())
    add("matrices", " %sums:{type}(%ldc,1)");
  add("matrices", Plan.GroupedA ? " %A:{type}" : " %A:{type}(%lda,1)");
  add("matrices", " %B:{type}(%ldb,1) %S:{type}(%srs,%scs)");
  if (Plan.FetchesNext) {
    bind("next", T.Next);
    add("matrices",
        (" %next:" + getName(Spec.getOperandTy())).str() + "(%nextld,1)");
  }
}

/// Blocks of \p Width columns from \p Begin to \p End, which are numbers of
/// these; of a triangle those that have elements.
std::string TilesWriter::writeWhole(const RowPart &R, StringRef Begin,
                                    StringRef End, unsigned Width) {
  std::string First = Begin.str(), Last = End.str();
  std::string Size = utostr(Width);
  if (IsTriangle && IsLower)
    Last = "min(" + Last + ", " + Size +
           "*floordiv(%diagonal + {first.row} + {height} - 2, " + Size +
           ") + " + Size + ")";
  else if (IsTriangle)
    First = "max(" + First + ", " + Size +
            "*floordiv(%diagonal + {first.row}, " + Size + "))";
  Exists.clear();
  set("place", End == "%wide" ? "J + j" : "%ps*J + j");
  return writeTile(R, First, Last, "step " + getElements(Width), Width,
                   Width == getPanel());
}

/// The columns behind whole tiles: two vectors and more, then lanes under a
/// mask, or vectors and parts of these.
std::string TilesWriter::writeRest(const RowPart &R) {
  Exists = !IsTriangle ? ""
           : IsLower   ? "%whole <= %diagonal + {first.row} + {height} - 2"
                       : "%diagonal + {first.row} <= %N - 1";
  set("place", "%last.panel + J + j");
  StringRef Begin = DLOPT_PLANTED(TailOverlapped) ? "%whole - 1" : "%whole",
            End = DLOPT_PLANTED(ColumnTailDropped) ? "%N - 1"
                  : DLOPT_PLANTED(MaskOneLaneWide) ? "%N + 1"
                                                   : "%N";
  std::string Text;
  for (const ColumnPart &Part : getRest(Begin, End))
    Text += writeTile(R, Part.Begin, Part.End, Part.Blocks, Part.Most,
                      /*IsMain=*/false);
  return Text;
}

std::string TilesWriter::writeRows(const RowPart &R) {
  std::string Height = utostr(Plan.TileRows), Text = "    par T[%tiles]\n";
  set("first.row", Height + "*T");
  set("height", Height);
  if (!R.IsMain) {
    Text = "    par I[" + R.First + ".." + R.Last + "] step";
    for (unsigned Size : R.Sizes)
      Text += " " + utostr(Size);
    Text += "\n";
    set("first.row", "I");
    set("height", "size(I)");
  }
  set("row", "{first.row} + i");
  if (R.IsNarrow)
    Text += writeWhole(R, "0", "%wide", 2 * getPanel());
  Text += writeWhole(R, R.IsNarrow ? "%wide" : "0", "%whole", getPanel());
  return Text + writeRest(R);
}

std::string TilesWriter::write() {
  std::string Text;
  for (const RowPart &R : Parts)
    Text += writeRows(R);
  std::string Locals;
  for (const auto &[Name, T] : Memory)
    Locals += "    local " + Name + ":" + T.Type.str() + "[{rows}," +
              utostr(T.Width) + "] stack\n";
  return "  par z[1]\n" + Locals + Text;
}

void emitTiles(IRBuilderBase &B, const ContractionSpec &S,
               const ContractionPlan &P, const TilesArgs &T) {
  // The callers have asked.
  for (Value *Extent : {T.M, T.N, T.K})
    B.CreateAssumption(B.CreateICmpSGT(Extent, B.getInt64(0)));
  TilesWriter Tiles(B, S, P, T);
  Tiles.emit(Tiles.write());
}

} // namespace dlopt::contraction
