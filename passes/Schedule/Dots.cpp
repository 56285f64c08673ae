//===- Dots.cpp - Sums of products of narrow numbers ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Integers are summed in any order, so instructions may add several products
/// at a time (Instructions.def). What is narrower than the instruction's
/// factors is copied as such. What floats are made of is copied as floats, the
/// products of which are summed in order. On the stack are
///
///   factors [tile][window][block]     of what lanes share, if it is another
///   packed  [window][block][strip]    of what each lane has
///
///   sums    [rows][strip]             if the result is no place for them
///
/// where a window is of those sums that are not cut into blocks.
///
//===----------------------------------------------------------------------===//
#include "Dots.h"
#include "ScriptWriter.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/KernelText.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

bool dlopt::isStride(const Kernel &K, const Access &X, AxisId A, int64_t By) {
  std::optional<Poly> Stride = getStride(K, X.offset(), A);
  return Stride && Stride->getConstant() == By;
}

const Access *dlopt::findResult(const Kernel &K, const Node &Point,
                                unsigned &NumResults) {
  const Access *Result = nullptr;
  NumResults = 0;
  for (const auto &Child : Point.Children) {
    if (Child->K != Node::LeafNode)
      continue;
    for (const Assign &X : Child->L.Assigns)
      if (!K.Buffers[X.Target.Buf].IsLocal) {
        if (Result && (!(*Result == X.Target) || Child->L.Domain.empty()))
          return nullptr;
        Result = &X.Target;
        ++NumResults;
      }
  }
  return Result;
}

/// Whether what is loaded beside the elements of both factors is the same for
/// all terms, and there are scripts that say so: for what lanes have if the
/// sums wait in the result.
static bool mayBeOfRows(const Kernel &K, const StrategyRoles &R,
                        const DotFactor &X, const DotFactor &Y,
                        const Access &Result, unsigned NumResults) {
  if (!X.IsOfRow && !Y.IsOfRow)
    return true;
  if (R.Sums.size() != 1 ||
      (Y.IsOfRow &&
       (NumResults != 1 || K.Buffers[Result.Buf].Ty !=
                               R.Sum->Ops[R.Sum->Assigns.front().Value].Ty)))
    return false;
  return all_of(R.Sum->Ops, [&](const Op &O) {
    return O.K != Op::Load || &O == X.Load || &O == Y.Load ||
           none_of(R.Sums, [&](AxisId A) { return K.dependsOn(O.Acc, A); });
  });
}

bool dlopt::findDot(const Kernel &K, const Node &Point, StrategyRoles &R) {
  DotFactor X, Y;
  unsigned NumResults = 0;
  const Access *Result = findResult(K, Point, NumResults);
  if (!Result || R.Locals.size() != 1 ||
      !findFactors(K, *R.Sum, X, Y, /*MayBeOfRows=*/true))
    return false;
  auto Lane = find_if(R.Parallel, [&](AxisId A) {
    return isStride(K, *Result, A, 1) &&
           K.dependsOn(X.Load->Acc, A) != K.dependsOn(Y.Load->Acc, A);
  });
  if (Lane == R.Parallel.end())
    return false;
  if (!K.dependsOn(Y.Load->Acc, *Lane))
    std::swap(X, Y);
  const Access &Shared = X.Load->Acc, &Own = Y.Load->Acc;
  auto Tile = find_if(reverse(R.Parallel), [&](AxisId A) {
    return K.dependsOn(Shared, A) && !K.dependsOn(Own, A) &&
           getRounds(K, A).value_or(2) > 1;
  });
  // Terms keep their order, so the innermost axis. Of a window each element is
  // part of several.
  AxisId Depth = R.Sums.back();
  bool IsDepth =
      isStride(K, Shared, Depth, 1) && K.dependsOn(Own, Depth) &&
      none_of(R.Parallel, [&](AxisId A) {
        return isWindow(K, Shared, A, Depth) || isWindow(K, Own, A, Depth);
      });
  if (Tile == R.Parallel.rend() || !IsDepth ||
      !mayBeOfRows(K, R, X, Y, *Result, NumResults))
    return false;
  R.Lane = *Lane;
  R.Tile = *Tile;
  R.LaneIsFilter = !R.isWindowed(K, R.Lane);
  R.Dot = {Depth,
           R.Sum->Ops[R.Sum->Assigns.front().Value].Ty,
           X,
           Y,
           Result,
           NumResults,
           mayApproximate(*R.Sum)};
  return true;
}

bool dlopt::hasArithmetic(const TargetModel &T, ScalarType Ty) {
  return any_of(enumerate(getDots()), [&](const auto &E) {
    const InstructionRow &Row = E.value();
    return Row.Depth == 1 && Row.Sum == Ty && (T.Dots >> E.index() & 1) &&
           Row.Lanes == T.VectorBits / getBitWidth(Ty);
  });
}

std::optional<DotChoice> dlopt::chooseDot(const DotRoles &Dot,
                                          const TargetModel &T,
                                          bool MayHaveOffset) {
  std::optional<DotChoice> Best;
  if (Dot.Sum == ScalarType::F16 && !hasArithmetic(T, Dot.Sum))
    return std::nullopt;
  // Floats are multiplied and added as they are.
  if (isFloat(Dot.Sum)) {
    Best.emplace();
    Best->Row.Depth = 1;
    Best->Row.Lanes = T.VectorBits / getBitWidth(Dot.Sum);
    Best->Row.Sum = Dot.Sum;
    Best->Shared = Best->Own = {Dot.Sum, true};
    if (!Dot.MayApproximate)
      return Best;
  }
  auto IsBetter = [&](const InstructionRow &I) {
    return !Best || std::pair(I.Depth, I.Adds) >
                        std::pair(Best->Row.Depth, Best->Row.Adds);
  };
  auto Choose = [&](bool HasOffset, auto Fits) {
    for (auto [I, Row] : enumerate(getDots())) {
      if (!(T.Dots >> I & 1) || Row.Sum != Dot.Sum ||
          Row.Lanes != T.VectorBits / 32 || !IsBetter(Row))
        continue;
      for (auto [Shared, Own] :
           {std::pair(Row.A, Row.B), std::pair(Row.B, Row.A)})
        if (Fits(Shared, Own)) {
          Best = {Row, Shared, Own, HasOffset};
          break;
        }
    }
  };
  if (isFloat(Dot.Sum)) {
    Choose(/*HasOffset=*/false, [&](FactorType Shared, FactorType Own) {
      return Dot.Shared.Core == Shared && Dot.Own.Core == Own;
    });
    return Best;
  }
  // Numbers of lanes' own take an offset (writeDotColumns): a byte is of either
  // sign's type then.
  auto MayBeOwn = [&](FactorType Own) {
    return mayWiden(Dot.Own.Ty, Own) ||
           (Dot.Own.IsOfRow && getBitWidth(Own.Ty) == 8);
  };
  Choose(/*HasOffset=*/false, [&](FactorType Shared, FactorType Own) {
    return mayWiden(Dot.Shared.Ty, Shared) && MayBeOwn(Own);
  });
  // Other scripts are for numbers of a row's own.
  if (Dot.Shared.IsOfRow) {
    Best.reset();
    if (MayHaveOffset)
      Choose(/*HasOffset=*/true, [&](FactorType Shared, FactorType Own) {
        return (getBitWidth(Shared.Ty) == 8 ||
                mayWiden(*Dot.Shared.Core, Shared)) &&
               MayBeOwn(Own);
      });
    return Best;
  }
  // More products at a time are worth the sums of what lanes have.
  if (MayHaveOffset && Dot.Shared.Core &&
      (!Dot.Own.IsConverted || Dot.Own.IsOfRow))
    Choose(/*HasOffset=*/true, [&](FactorType Shared, FactorType Own) {
      return getBitWidth(Shared.Ty) == 8 && Dot.Own.Ty == Own;
    });
  return Best;
}

/// Bfloats are read as such.
bool dlopt::isCopied(const DotFactor &F, FactorType As, bool HasOffset) {
  if (As.Ty == ScalarType::BF16)
    return false;
  return HasOffset ? !F.IsCoreLoaded || !(F.Core == As)
                   : F.IsConverted || !(As == F.Ty);
}

/// A byte becomes one of the other sign's type as it is read, where that is
/// done beside the products.
bool dlopt::isSharedCopied(const DotFactor &F, const DotChoice &Dot,
                           const TargetModel &T) {
  bool IsByte = Dot.HasOffset && F.IsCoreLoaded &&
                getBitWidth(F.Core->Ty) == getBitWidth(Dot.Shared.Ty);
  return !(IsByte && T.hasFreeALUs()) && isCopied(F, Dot.Shared, Dot.HasOffset);
}

/// The element that is stored, in blocks.
static std::string getBlockResult(const Kernel &K, const StrategyRoles &R,
                                  const Access &Result) {
  Kernel Own;
  copyKernel(K, Own);
  Access X = Result;
  for (auto [A, Name] : {std::pair(R.Lane, "X"), std::pair(*R.Tile, "F")}) {
    auto Block = static_cast<AxisId>(Own.Axes.size());
    Own.Axes.emplace_back();
    Own.Axes.back().Name = Name;
    for (Poly &P : X.Subs)
      if (std::optional<Poly> Stride = getStride(Own, P, A))
        P = P + *Stride * Poly::atom(Own.getAxisAtom(Block));
  }
  return KernelText(Own).access(X);
}

/// Elements of both copies, and of sums.
void ScriptWriter::writeDotSizes(StringRef Prefix, const DotSizes &S,
                                 const InstructionRow &Row) {
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[(Prefix + Hole).str()] = {Text.str()};
  };
  const std::string &Axis = K.Axes[R.Dot->Depth].Name;
  bool IsOne = Row.Depth == 1;
  Set("factors", Twine(S.Block * S.Tile) + " f," + Axis + " = " +
                     Twine(S.Block) + "*f+" + Axis);
  std::string Column, Columns;
  if (S.Columns > 1) {
    Column = K.Axes[R.Sums[R.Sums.size() - 2]].Name;
    Columns = utostr(S.Block * S.Strip) + "*" + Column + "+";
    Column += ",";
  }
  Set("packed", Twine(S.Columns * S.Block * S.Strip) + " " + Column +
                    (IsOne ? "" : "Q,") + Axis + ",x = " + Columns +
                    (IsOne ? Twine() : Twine(S.Strip) + "*Q+") +
                    Twine(IsOne ? 1 : Row.Depth) + "*x+" +
                    (IsOne ? Twine(S.Strip) + "*" : Twine()) + Axis +
                    Holes["dot.as"].front());
  Set("blocks", getBlocks(S.Block, getRounds(K, R.Dot->Depth)));
  Set("rows", getBlocks(S.Rows, getRounds(K, *R.Tile)));
  std::optional<uint64_t> Tiles = getRounds(K, *R.Tile), InBlock;
  if (S.Rows && Tiles && *Tiles % S.Rows == 0)
    InBlock = S.Rows;
  Set("tiles", getSizes({S.Tile, S.Tile / 2, 1}, S.Rows ? InBlock : Tiles));
  Set("strips", getSizes({S.Strip, Row.Lanes}, getRounds(K, R.Lane)));
  Set("strip", Twine(S.Strip));
  Set("tile", Twine(S.Tile));
  Set("sums", Twine(S.PixelRows * S.Rows) + "," + Twine(S.Strip));
  if (S.PixelRows > 1)
    writePixelRows(S);
}

/// Rows of pixels in blocks, inside of what is packed, and what is asked in
/// front of a row.
void ScriptWriter::writePixelRows(const DotSizes &S) {
  AxisId Row = *findPixelRow(K, R);
  const std::string &Name = K.Axes[Row].Name;
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[Hole] = {Text.str()};
  };
  Set("dot.pixels", Name);
  Set("dot.pixelrows", getBlocks(S.PixelRows, getRounds(K, Row)));
  Set("dot.y", Name + " ");
  Set("dot.place", Name + "*" + utostr(S.Rows) + "+");
  std::string Planes;
  for (bool IsWindowed : {false, true})
    for (AxisId A : R.Parallel)
      if (A != R.Lane && A != *R.Tile && R.isWindowed(K, A) == IsWindowed)
        Planes += (A == Row ? "Y" : K.Axes[A].Name) + " ";
  Set("dot.planes", Planes);
  Kernel Own;
  copyKernel(K, Own);
  auto Block = static_cast<AxisId>(Own.Axes.size());
  Own.Axes.emplace_back();
  Own.Axes.back().Name = "Y";
  std::string Asked;
  for (const Constraint &C : R.Sum->Domain) {
    if (!K.dependsOn(C.P, Row) || K.dependsOn(C.P, *R.Tile) ||
        K.dependsOn(C.P, R.Lane) || K.dependsOn(C.P, R.Dot->Depth))
      continue;
    std::optional<Poly> Stride = getStride(Own, C.P, Row);
    if (!Stride)
      return;
    Asked +=
        (Asked.empty() ? "" : ", ") +
        KernelText(Own).constraint(
            {C.P + *Stride * Poly::atom(Own.getAxisAtom(Block)), C.IsEquality});
  }
  if (!Asked.empty())
    Set("dot.asked", Asked);
}

/// Whether neighbours of what each lane has are lanes.
static bool hasNeighbours(const Kernel &K, const StrategyRoles &R) {
  return isStride(K, R.Dot->Own.Load->Acc, R.Lane, 1);
}

/// Lanes that are worth a vector: a sum of floats is one instruction a product,
/// of integers clang's vectors along a single row are as good.
static uint64_t getFewestLanes(ScalarType Sum, const TargetModel &T) {
  constexpr uint64_t LeastOfIntegers = 2, LeastPart = 2;
  return isFloat(Sum) ? T.VectorBits / 8 / getSizeInBytes(Sum) / LeastPart
                      : LeastOfIntegers;
}

/// Points that share what is copied for them: fewer are no gain. It takes
/// longer to copy what is apart, but for windows there is nothing else.
static uint64_t getFewest(const Kernel &K, const StrategyRoles &R) {
  if (R.Sums.size() > 1)
    return 3;
  return hasNeighbours(K, R) ? 4 : 12;
}

/// The loops around a tile, and how what each lane has is copied.
void ScriptWriter::writeDotLoops(const InstructionRow &Row, bool HasColumns) {
  const std::string &Axis = K.Axes[R.Dot->Depth].Name;
  std::string Around, Chain, Column;
  for (AxisId A : ArrayRef(R.Sums).drop_back(HasColumns ? 2 : 1)) {
    Around += K.Axes[A].Name + " ";
    Chain += K.Axes[A].Name + ",";
  }
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[Hole] = {Text.str()};
  };
  if (HasColumns) {
    Column = K.Axes[R.Sums[R.Sums.size() - 2]].Name + " ";
    Set("dot.columns", Around + "D " + Column + Axis);
  }
  Set("dot.around", Around);
  Set("dot.planes", Holes["outer"].front() + Holes["inner"].front());
  Set("dot.y", "");
  Set("dot.place", "");
  Set("dot.chain", Chain);
  // Starts of sums are apart where these wait between several axes.
  std::string Parts = Chain.empty() ? "F" : "S F";
  std::string Points = Chain.empty() ? "f" : "f f";
  for (unsigned I = 0; I != R.Dot->NumResults; ++I) {
    Parts += " O";
    Points += " o";
    Holes["dot.collapsed"].push_back("O,o e" + utostr(I));
  }
  Set("dot.parts", Parts);
  Set("dot.points", Points);
  Set("dot.axis", Axis);
  bool IsOne = Row.Depth == 1;
  Set("dot.loops", Column + (IsOne ? Axis + " f x" : "Q f " + Axis + " x"));
  Set("dot.first", IsOne ? Axis : "Q");
  Set("dot.lanes", "x,x_");
  Set("dot.vector", Twine(Row.Lanes));
  if (!IsOne) {
    Set("dot.row", Row.Name);
    Set("dot.depth", Twine(Row.Depth));
  } else if (!hasNeighbours(K, R) &&
             isStride(K, R.Dot->Own.Load->Acc, R.Dot->Depth, 1)) {
    Set("dot.far", Axis + "_");
    Set("dot.square", Twine(Row.Lanes));
    Set("dot.squares", getSizes({Row.Lanes}, getRounds(K, R.Lane)));
    Set("dot.lanes", "x," + Axis + "_.0");
  }
}

/// Numbers of columns multiply the sums of rows, which are made as lanes along
/// each and put together at last.
void ScriptWriter::writeDotColumns(const InstructionRow &Row, FactorType Own,
                                   StringRef Tile) {
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[Hole] = {Text.str()};
  };
  Set("dot.own.offset",
      Holes["dot.own"].front() + " " +
          (Own.Signed ? getName(Own.Ty).str() : getName(Own)));
  Set("dot.own.rows", "rows");
  Set("dot.own.parts", "rows " + K.Axes[R.Dot->Depth].Name + " " +
                           Twine(Row.Lanes) + " 1 part wz,wq,wu,wl,wr,wt");
  Holes["dot.own.expanded"] = {("rows f " + Tile).str(),
                               ("part f " + Tile).str()};
  Set("dot.own.unrolled", "wt");
  Set("dot.lanes", Holes["dot.lanes"].front() + ",wz,wl");
}

void ScriptWriter::writeDot(const TargetModel &T) {
  // All sums of lanes have the same terms: `distribute` asks for that.
  bool MayHaveOffset = none_of(R.Sum->Domain, [&](const Constraint &C) {
    return K.dependsOn(C.P, R.Dot->Depth) || K.dependsOn(C.P, R.Lane) ||
           K.anyNestedAtom(C.P, [](const Atom &A) {
             bool Divides = A.K == Atom::FloorDiv || A.K == Atom::Mod;
             return A.K == Atom::Load ||
                    (Divides && A.Den.getConstant().value_or(0) < 1);
           });
  });
  std::optional<DotChoice> Dot = chooseDot(*R.Dot, T, MayHaveOffset);
  std::optional<uint64_t> Tiles = getRounds(K, *R.Tile);
  std::optional<uint64_t> Lanes = getRounds(K, R.Lane);
  uint64_t Fewest = getFewest(K, R);
  uint64_t FewestLanes = Dot ? getFewestLanes(Dot->Row.Sum, T) : 1;
  // Sums that could wait in the result are faster there: by one leaf.
  bool IsPlace = R.Sums.size() == 1 && Dot &&
                 K.Buffers[R.Dot->Result->Buf].Ty == Dot->Row.Sum;
  if (!Dot || (IsPlace && R.Dot->NumResults > 1) ||
      Tiles.value_or(Fewest) < Fewest ||
      Lanes.value_or(FewestLanes) < FewestLanes)
    return;
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[Hole] = {Text.str()};
  };
  DotSizes Apart = getDotSizes(K, R, *Dot, T, /*HasSums=*/true);
  writeDotLoops(Dot->Row, Apart.Columns > 1);
  for (auto [A, Least] : {std::pair(*R.Tile, Fewest), {R.Lane, FewestLanes}})
    if (!getRounds(K, A))
      Holes["dot.enough"].push_back(KernelText(K).constraint(
          {K.Axes[A].Extents.front() - int64_t(Least), /*IsEquality=*/false}));
  for (const DotFactor *F : {&R.Dot->Shared, &R.Dot->Own})
    if (F->Fits && !(Dot->HasOffset && F == &R.Dot->Shared))
      for (const Constraint &C : getFits(K, *F->Fits, F->Ty.Ty))
        if (C.P.getConstant().value_or(-1) < 0)
          Holes["dot.enough"].push_back(KernelText(K).constraint(C));
  Set("dot.type", getName(Dot->Row.Sum));
  Set("dot.result", getBlockResult(K, R, *R.Dot->Result));
  Set("dot.own", KernelText(K).buffer(R.Dot->Own.Load->Acc.Buf));
  bool IsOther = isCopied(R.Dot->Own, Dot->Own, /*HasOffset=*/false);
  Set("dot.as", IsOther ? " as " + getName(Dot->Own.Ty) : "");
  if (R.Sums.size() == 1)
    writeDotSizes("dot.", getDotSizes(K, R, *Dot, T, /*HasSums=*/false),
                  Dot->Row);
  writeDotSizes("dot.apart.", Apart, Dot->Row);
  findExists();
  for (const std::string &Inside : getInside({"G", "F"}, {}))
    Holes["dot.inside"] = {Inside};
  std::string Shared = KernelText(K).buffer(R.Dot->Shared.Load->Acc.Buf);
  std::string Type =
      Dot->Shared.Signed ? getName(Dot->Shared.Ty).str() : getName(Dot->Shared);
  if (Dot->HasOffset) {
    Set("dot.offset", Shared + " " + Type);
    Set("dot.distributed", "D offsets");
  }
  if (R.Dot->Own.IsOfRow)
    writeDotColumns(Dot->Row, Dot->Own, Holes["dot.tile"].front());
  if (isSharedCopied(R.Dot->Shared, *Dot, T)) {
    Set("dot.wide", Shared);
    Set("dot.wider", Type);
    Set("dot.copied", K.Axes[R.Dot->Depth].Name + "_");
    Set("dot.run", Twine(T.VectorBits / getBitWidth(Dot->Shared.Ty)));
  }
  if (R.Sums.size() == 1)
    writeDotFetch(T, getDotSizes(K, R, *Dot, T, /*HasSums=*/false).Tile);
}
