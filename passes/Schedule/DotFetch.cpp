//===- DotFetch.cpp - What tiles of narrow products read next -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The lines `prefetch` of the script `dots`.
///
//===----------------------------------------------------------------------===//
#include "ScriptWriter.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dlopt;

/// What the next tile reads, for L2, while this one has room in its steps: with
/// shorter vectors it has none (docs/decisions/0040-next-block.md).
void ScriptWriter::writeDotFetch(const TargetModel &T, uint64_t Tile) {
  constexpr unsigned LeastBits = 512;
  if (T.VectorBits < LeastBits)
    return;
  auto Fetch = [&](BufferId B, const Twine &At, uint64_t Rows) {
    Holes["dot.fetched"].push_back(KernelText(K).buffer(B) + " " + At.str() +
                                   " F " + utostr(Rows));
  };
  BufferId Shared = R.Dot->Shared.Load->Acc.Buf;
  // Sums that go on where those of the block before have ended.
  Fetch(R.Dot->Result->Buf, "f.1", Tile);
  if (Holes.contains("dot.wide"))
    Fetch(Shared, "f_", Tile);
  else
    for (uint64_t Row = Tile; Row != 2 * Tile; ++Row)
      Fetch(Shared, Holes["dot.first"].front(), Row);
}
