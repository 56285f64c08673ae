//===- LargeOutputs.cpp - How large outputs are written -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dispatch.h"
#include "LaneChooser.h"
#include "dlopt/Expression.h"
#include "dlopt/MathModels.h"
#include "dlopt/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

bool dlopt::computes(const Kernel &K) {
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Any |= any_of(L.Ops, [](const Op &O) {
      return (O.K == Op::Inst && O.Opcode == Instruction::FCmp) ||
             ((O.K == Op::Inst || O.K == Op::Intrinsic) && isFloat(O.Ty));
    });
  });
  return Any;
}

/// How many bytes of outputs there are where all arrays of the loop over \p A,
/// or of both loops, have \p Bytes together.
static uint64_t getShareOfOutputs(const Kernel &K, AxisId A,
                                  std::optional<AxisId> Blocked,
                                  ArrayRef<const Assign *> Streams,
                                  uint64_t Bytes) {
  SmallSetVector<BufferId, 8> Arrays;
  auto Add = [&](const Access &X) {
    std::optional<Poly> Step = getStride(K, getOffset(K, X), A);
    bool HasAll = Blocked ? K.dependsOn(X, A) && K.dependsOn(X, *Blocked)
                          : Step && Step->getConstant() == 1;
    if (!K.Buffers[X.Buf].IsLocal && HasAll)
      Arrays.insert(X.Buf);
  };
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Add(O.Acc);
    for (const Assign &X : L.Assigns)
      Add(X.Target);
  });
  uint64_t Round = 0;
  for (BufferId Buf : Arrays)
    Round += getSizeInBytes(K.Buffers[Buf].Ty);
  return Bytes / Round *
         getSizeInBytes(K.Buffers[Streams.front()->Target.Buf].Ty);
}

void dlopt::setStreams(const Kernel &K, const TargetModel &Target,
                       const Options &O, const Function &F,
                       const std::optional<Candidate> &C, LanePlan &Plan) {
  if (!O.runs(Transformation::Streams) || Target.Large == LargeStores::Plain ||
      !C || C->Axes.size() != 1 || (!C->WholeLoads && !C->Blocked) ||
      Plan.SeparatesCalls ||
      // That takes longer than reading a line which is written.
      computesModels(K.Root, Plan))
    return;
  auto Streams = getStreams(K, C->Axes.front(), C->Blocked);
  if (Streams.empty())
    return;
  Plan.Large = Target.Large;
  if (Plan.Large == LargeStores::ByVendor && !mayAskVendor(F, O))
    Plan.Large = LargeStores::FetchedAhead;
  // Blocks ask for the lines that they write in any case, and past the caches
  // they write whole ones.
  const bool IsFetched = Plan.Large == LargeStores::FetchedAhead;
  if (C->Blocked && IsFetched) {
    if (Target.Large != Plan.Large)
      return;
    Plan.Large = LargeStores::PastCaches;
  }
  // What is fetched ahead pays once the second cache is full of other lines.
  constexpr uint64_t TimesL2 = 4;
  Plan.FetchBytes = TimesL2 * Target.L2;
  // What is written is found in the cache again where it holds all arrays. Of
  // CPUs without a name its size is a guess, which outputs alone have to fill.
  Plan.StreamBytes = IsFetched ? Plan.FetchBytes
                     : Plan.Large == LargeStores::ByVendor
                         ? Target.L3
                         : getShareOfOutputs(K, C->Axes.front(), C->Blocked,
                                             Streams, Target.L3);
  if (C->Blocked)
    return;
  int64_t Least = getLeastStreamed(K, Plan.StreamBytes, Streams);
  if (any_of(K.Axes[C->Axes.front()].Extents, [&](const Poly &P) {
        return P.getConstant() && *P.getConstant() < Least;
      }))
    Plan.StreamBytes = 0;
  Plan.OnlyStreams = Plan.StreamBytes && !C->HasGain && computes(K);
}
