//===- SpreadWeights.cpp - Sizes for channels whose weights are far apart -===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A depthwise convolution of channels behind whose weights have the window
/// innermost: out[y][x][c] is the sum of in[y + r][x + q][c] * w[c][r][q].
/// Channels are lanes, as they are neighbours in both images; the weights of as
/// many channels as fit are spread to vectors once, for all pixels:
///
///   weights [window][channels]
///
//===----------------------------------------------------------------------===//
#include "ScriptWriter.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

/// What lanes load that neighbours share.
static const Access &getShared(const Kernel &K, const StrategyRoles &R) {
  for (const Op &O : R.Sum->Ops)
    if (O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal &&
        K.dependsOn(O.Acc, R.Lane) && !K.dependsOn(O.Acc, *R.Tile))
      return O.Acc;
  llvm_unreachable("weights are what makes neighbours of far lanes");
}

void ScriptWriter::findSpread(ArrayRef<uint64_t> Strips, unsigned Lanes,
                              unsigned Bytes) {
  const Access &Weights = getShared(K, R);
  uint64_t Window = 1;
  SmallVector<AxisId, 4> Columns;
  for (AxisId A : R.Sums) {
    if (!K.dependsOn(Weights, A))
      continue;
    std::optional<uint64_t> Rounds = getRounds(K, A);
    if (!Rounds.value_or(0))
      return;
    Window = SaturatingMultiply(Window, *Rounds);
    Columns.push_back(A);
  }
  uint64_t Strip = Strips.front();
  uint64_t Most = alignDown(ScriptStackBytes / Bytes / Window, Strip);
  if (!Most)
    return;
  // Blocks of about as many channels.
  std::optional<uint64_t> Channels = getRounds(K, R.Lane);
  if (Channels.value_or(0))
    Most = alignTo(divideCeil(*Channels, divideCeil(*Channels, Most)), Strip);
  bool IsWhole = Channels && *Channels <= Most;
  std::string List, Index, Copies;
  uint64_t Elements = Window * Most;
  for (AxisId A : Columns) {
    const std::string &Name = K.Axes[A].Name;
    Elements /= *getRounds(K, A);
    List += Name + ",";
    Index += utostr(Elements) + "*" + Name + "+";
    Copies += (Copies.empty() ? "" : " ") + Name + "_";
  }
  Holes["spread.blocks"] = {getBlocks(IsWhole ? *Channels : Most, Channels)};
  Holes["spread.strips"] = {
      getSizes(Strips, Channels && (IsWhole || *Channels % Most == 0)
                           ? std::optional(IsWhole ? *Channels : Most)
                           : std::nullopt)};
  Holes["spread.weights"] = {KernelText(K).buffer(Weights.Buf)};
  Holes["spread.size"] = {utostr(Window * Most)};
  Holes["spread.list"] = {List + "x"};
  Holes["spread.index"] = {Index + "x"};
  Holes["spread.copies"] = {Copies};
  findExists();
  // The copy is in front of all pixels, and there may be none.
  for (AxisId A : R.Parallel)
    if (A != R.Lane && R.isWindowed(K, A))
      for (const Poly &Extent : K.Axes[A].Extents)
        addExists(Extent - Poly(1));
  findMany(R.Lane, Lanes);
}
