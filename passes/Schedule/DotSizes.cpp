//===- DotSizes.cpp - Sizes of sums of narrow products --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How the scripts `dots` and `dotblocks` cut rows, lanes and sums: registers
/// hold the sums of a tile, the stack copies of both factors and what waits.
///
//===----------------------------------------------------------------------===//
#include "Dots.h"
#include "ScriptWriter.h"
#include "dlopt/KernelEdit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

/// Of sums that wait on the stack: many rows share what is copied for them, and
/// the rest holds as much of that as 64 channels have. With few registers
/// strips are narrow, so there are rows enough; more channels are copied at a
/// time in a loop of whole vectors.
static uint64_t getSumBytes(bool HasMany) { return (HasMany ? 14 : 8) * 1024; }

std::optional<AxisId> dlopt::findPixelRow(const Kernel &K,
                                          const StrategyRoles &R) {
  std::optional<AxisId> Row;
  for (AxisId A : R.Parallel)
    if (A != R.Lane && A != *R.Tile && !K.dependsOn(R.Dot->Own.Load->Acc, A) &&
        K.dependsOn(R.Dot->Shared.Load->Acc, A))
      Row = A;
  return Row;
}

/// Cuts \p S.Rows sums into as many rows of pixels as there is room for.
static void setPixels(DotSizes &S, std::optional<uint64_t> Height,
                      std::optional<uint64_t> Width) {
  // Of rows of any length.
  constexpr uint64_t Short = 16;
  uint64_t Most = S.Rows;
  S.Rows = std::min(Width.value_or(alignDown(Short, S.Tile)), Most);
  if (S.Rows == 0)
    return;
  S.PixelRows = std::min(Most / S.Rows, Height.value_or(Most));
  // Blocks of about as many rows.
  if (Height && S.PixelRows)
    S.PixelRows = divideCeil(*Height, divideCeil(*Height, S.PixelRows));
  S.PixelRows = std::max<uint64_t>(S.PixelRows, 1);
}

/// The columns of a window are inside of what is packed, if they are few, so
/// that sums are loaded and stored once for all of them: integers, which have
/// any order.
static void setColumns(DotSizes &S, const Kernel &K, const StrategyRoles &R,
                       const DotChoice &Dot, const TargetModel &T) {
  constexpr uint64_t Most = 7, LeastDepth = 32;
  if (R.Sums.size() < 2 || isFloat(Dot.Row.Sum) || Dot.HasOffset ||
      isSharedCopied(R.Dot->Shared, Dot, T))
    return;
  uint64_t Columns = getRounds(K, R.Sums[R.Sums.size() - 2]).value_or(1);
  uint64_t Block =
      alignDown(S.Block / std::max<uint64_t>(Columns, 1), LeastDepth);
  if (Columns < 2 || Columns > Most || Block == 0)
    return;
  S.Columns = Columns;
  S.Block = Block;
  if (std::optional<uint64_t> Extent = getRounds(K, R.Dot->Depth))
    S.Block = std::min(S.Block, alignTo(*Extent, LeastDepth));
}

DotSizes dlopt::getDotSizes(const Kernel &K, const StrategyRoles &R,
                            const DotChoice &Dot, const TargetModel &T,
                            bool HasSums) {
  constexpr unsigned ManyRegisters = 32;
  bool HasMany = T.NumVectorRegs >= ManyRegisters;
  // Of images, whose rows may be short, several share what is packed, so strips
  // are narrow.
  std::optional<AxisId> Row = HasSums ? findPixelRow(K, R) : std::nullopt;
  DotSizes S;
  S.Strip = (HasMany && !Row ? 4 : 2) * uint64_t(Dot.Row.Lanes);
  S.Tile = !HasMany ? 4 : Row ? 7 : 6;
  uint64_t Bytes = S.Strip * getSizeInBytes(Dot.Own.Ty);
  if (isSharedCopied(R.Dot->Shared, Dot, T))
    Bytes += S.Tile * getSizeInBytes(Dot.Shared.Ty);
  uint64_t Left = ScriptStackBytes;
  if (Dot.HasOffset)
    Left -= S.Strip * getSizeInBytes(Dot.Row.Sum);
  if (HasSums) {
    uint64_t RowBytes = S.Strip * getSizeInBytes(Dot.Row.Sum);
    S.Rows = getSumBytes(HasMany) / RowBytes;
    if (Row)
      setPixels(S, getRounds(K, *Row), getRounds(K, *R.Tile));
    else if (std::optional<uint64_t> Rows = getRounds(K, *R.Tile))
      S.Rows = std::min(S.Rows, *Rows);
    Left -= S.PixelRows * S.Rows * RowBytes;
  }
  S.Block = Left / Bytes;
  if (HasSums)
    setColumns(S, K, R, Dot, T);
  if (S.Columns > 1)
    return S;
  // A whole vector of what is copied.
  uint64_t Whole = T.VectorBits / getBitWidth(Dot.Shared.Ty);
  S.Block = alignDown(S.Block, Whole);
  if (std::optional<uint64_t> Extent = getRounds(K, R.Dot->Depth))
    S.Block = std::min(S.Block, alignTo(*Extent, Whole));
  return S;
}
