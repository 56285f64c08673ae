//===- ContractionPlan.cpp - The numbers of the schedule ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Contraction.h"
#include "dlopt/Stack.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt {
namespace {

/// Rows of A that are read side by side: more fall into the same sets of the
/// first-level cache where their distance is a power of two.
constexpr unsigned MaxUnpackedRows = 8;
/// Elements between the rows of packed A: rows whose distance is a power of two
/// fall into the same sets of the first-level cache, where all of them are
/// written at once. A multiple of any vector, of which the last may be partial.
constexpr uint64_t PackedRowGap = 16;
/// Steps of k of a block are a multiple of that: tiles take a few at a time.
constexpr uint64_t StepsOfBlock = 4;
/// SVE multiplies by lanes of eight registers alone: with more rows something
/// is spilled.
constexpr unsigned MaxScalableLaneRows = 5;

/// Vector registers that a tile of \p R by \p V needs in one step of k: the
/// sums, a row of B, one element of A (or a vector of each row), a product
/// where it is rounded alone, and what that is scaled by.
unsigned getRegisters(unsigned R, unsigned V, const ContractionPlan &P,
                      bool Scaled) {
  return R * V + V + (P.LanesOfA ? R : 1) + (Scaled ? 2 : !P.Fused);
}

/// The tile with the fewest loads per multiplication. Its width is a power of
/// two vectors, as most extents are multiples of that.
void chooseTile(ContractionPlan &P, const TargetModel &T, bool Scaled) {
  double Best = 1e9;
  unsigned MaxRows =
      P.Scalable && P.LanesOfA ? MaxScalableLaneRows : MaxUnpackedRows;
  for (unsigned V : {1u, 2u, 4u})
    for (unsigned R = 1; R <= MaxRows; ++R) {
      if (getRegisters(R, V, P, Scaled) > T.NumVectorRegs)
        continue;
      double LoadsOfA = P.LanesOfA ? double(R) / P.UnrollK : R;
      double LoadsPerMul = (LoadsOfA + V) / (R * V);
      if (LoadsPerMul < Best) {
        Best = LoadsPerMul;
        P.TileRows = R;
        P.TileVectors = V;
      }
    }
}

/// Columns of a register tile.
uint64_t getPanel(const ContractionPlan &P) {
  return uint64_t(P.TileVectors) * P.VectorElems;
}

/// Schedules count scalable registers by 32-bit lanes, of which a part of 128
/// bits has four: a panel is a number of these, also of double.
bool isOfRegisters(const ContractionPlan &P) {
  constexpr uint64_t LanesOfPart = 4;
  return !P.Scalable || getPanel(P) % LanesOfPart == 0;
}

/// The buffers hold a panel of some steps, and a row of sums, of the longest
/// vectors too.
bool hasRoomForLongest(const ContractionPlan &P, const PackedBlocks &Blocks,
                       const ContractionSpec &S, const TargetModel &T) {
  if (!P.Scalable)
    return true;
  constexpr uint64_t Steps = 4;
  uint64_t Panel = getPanel(P) * T.MaxVScale;
  if (S.keepsSums())
    return Blocks.SumKC * Blocks.SumNC >= Panel * Steps &&
           Blocks.SumRows * Blocks.SumNC >= Panel;
  return Blocks.KC * Blocks.NC >= Panel * Steps;
}

/// Columns of a block of B at least, unless panels are wider: A is read once
/// for each block. Rows of a small one are a few lines long, if that is how
/// they are read (Zen 3, 92 x 64 floats to 368 x 16 in 23 KiB:
/// 128x3072x768 1.04 times, 64x4096x512 1.23); those of a transposed B are
/// columns, and deep blocks read long stretches of these (256^3 1.04,
/// 504x3072x768 1.05).
uint64_t getLeastNC(const ContractionPlan &P, const ContractionSpec &S,
                    const TargetModel &T, bool IsLarge) {
  constexpr uint64_t LineBytes = 64, Lines = 4;
  bool IsSmall = !IsLarge && !S.copiesA() && !S.keepsSums();
  uint64_t NC = IsSmall
                    ? (S.TransB ? 1 : Lines) * LineBytes / getSizeInBytes(S.Ty)
                : T.HasFMA || T.VectorBits > 128 ? 64
                                                 : 32;
  return alignTo(NC, getPanel(P));
}

/// Shares the block of B with sums, which go on from the second-level cache. B
/// is copied once for SumRows rows, and A, if it is, for SumNC columns: a third
/// of a wide block leaves room for both (Emerald Rapids, transposed A, 1024^3:
/// 64 columns 0.72 of the speed without sums, 128 0.83, 192 0.77). False if
/// there is no room for rows of a tile.
bool shareWithSums(const ContractionPlan &P, uint64_t LeastNC,
                   PackedBlocks &Blocks) {
  Blocks.SumNC = std::min(
      Blocks.NC, std::max(alignDown(Blocks.NC / 3, getPanel(P)), LeastNC));
  Blocks.SumKC = Blocks.NC >= 2 * Blocks.SumNC
                     ? Blocks.KC
                     : alignDown(Blocks.KC / 2, StepsOfBlock);
  if (Blocks.SumKC)
    Blocks.SumRows = alignDown(
        Blocks.KC * Blocks.NC / Blocks.SumNC - Blocks.SumKC, P.TileRows);
  return Blocks.SumRows;
}

/// The block of B that is packed into \p Bytes: as deep as these allow up to
/// 1024 steps of k (beyond, reading and writing C costs nothing any more), then
/// wider. 256 KiB give 1024 x 64, 64 KiB 256 x 64 floats. Tiles of SSE are half
/// as wide: starting and storing them takes twice the share, so their blocks
/// are rather deep (measured: 1 to 3% at 1000^3). KC is 0 if there is no room.
///
/// A is copied once for each block of columns, so where it is, blocks are wide
/// rather than deep (Cascade Lake, transposed A at 256^3 to 504x768x3072: 128
/// steps gain 2 to 12% over 256; Emerald Rapids, an A with factors, 256^3 to
/// 1024^3: 1.02 to 1.03; AVX2 there 1.01 to 1.09).
PackedBlocks chooseBlock(const ContractionPlan &P, const ContractionSpec &S,
                         const TargetModel &T, const ContractionOverrides &O,
                         uint64_t Bytes, bool IsLarge) {
  uint64_t ElemBytes = getSizeInBytes(S.Ty);
  uint64_t Panel = getPanel(P),
           LeastNC = O.BlockColumns ? alignTo<uint64_t>(O.BlockColumns, Panel)
                                    : getLeastNC(P, S, T, IsLarge);
  // The block stays in the second-level cache beside the rows of A.
  if (T.L2)
    Bytes = std::min(Bytes, T.L2 / 2);
  uint64_t Elems = Bytes / ElemBytes;
  // Copied rows: enough tiles to read a panel seldom, few enough to stay in the
  // second-level cache beside the block of B.
  const uint64_t CopiedTiles = IsLarge ? 7 : 3;
  PackedBlocks Blocks;
  uint64_t Rows = Blocks.RowsOfA = S.copiesA() ? CopiedTiles * P.TileRows : 0;
  Elems -= std::min(Elems, Rows * PackedRowGap);
  while (LeastNC > Panel && Elems / (LeastNC + Rows) < MinBlockSteps)
    LeastNC = alignTo(LeastNC / 2, Panel);
  Blocks.NC = LeastNC;
  // Half of a block may be shared with sums, and has MinBlockSteps then.
  uint64_t MostSteps =
      O.BlockSteps ? std::max<uint64_t>(alignTo(O.BlockSteps, StepsOfBlock),
                                        2 * MinBlockSteps)
                   : (S.copiesA() ? 128 : 1024);
  Blocks.KC =
      std::min(MostSteps, alignDown(Elems / (Blocks.NC + Rows), StepsOfBlock));
  if (Blocks.KC >= MinBlockSteps && !O.BlockColumns)
    Blocks.NC = alignDown(Elems / Blocks.KC - Rows, Panel);
  if (Blocks.KC < MinBlockSteps ||
      (S.keepsSums() && !shareWithSums(P, LeastNC, Blocks)) ||
      !hasRoomForLongest(P, Blocks, S, T))
    return {};
  Blocks.PackedLda = Blocks.KC + PackedRowGap;
  // One panel beside what is read to fill it. Prefetchers of the hardware
  // follow no short stretches of rows: where these would be (Cascade Lake: 256
  // bytes take twice as long as 2048, and 1024 5 to 20% longer), the
  // second-level cache has to do.
  uint64_t L1 = T.L1 ? T.L1 : 32 << 10;
  uint64_t RowBytes = L1 / 2 / Panel;
  Blocks.NarrowKC = std::clamp<uint64_t>(
      (RowBytes < 1024 ? 2048 : RowBytes) / ElemBytes, MinBlockSteps,
      S.keepsSums() ? Blocks.SumKC : Blocks.KC);
  Blocks.StackBytes =
      (Blocks.KC * Blocks.NC + Rows * Blocks.PackedLda) * ElemBytes;
  return Blocks;
}

/// What the frames of a call take beside its buffers: addresses, extents and
/// what is spilled; and where .tiles has a tile in memory (allocateTile), whose
/// elements are stored one by one, that, spilled as a whole a few times.
uint64_t getFrameBytes(const ContractionPlan &P, const ContractionSpec &S) {
  constexpr uint64_t Plain = 1536, Tiles = 4;
  uint64_t TileBytes = getPanel(P) * P.TileRows * getSizeInBytes(S.Ty);
  return Plain + (S.isTriangle() || S.StepC != 1 ? Tiles * TileBytes : 0);
}

/// The blocks of \p P, whose call may take \p StackLimit bytes. A call takes
/// more than CheapStackBytes of these only where that gains enough: C is read
/// and written once for each block of k, which costs little as long as the
/// caches hold it. Zen 4, 16, 64 and 128 KiB, GFLOP/s: 1024^3 102, 110, 111;
/// 2048^3 80, 94, 103; 128x3072x768 93, 98, 100.
/// Skylake (AVX-512, 24 and 128 KiB): 512^3 115, 127; 768^3 102, 119; 1000^3
/// 70, 110; 2048x2048x128 72, 104.
void chooseBlocks(ContractionPlan &P, const ContractionSpec &S,
                  const TargetModel &T, const ContractionOverrides &O,
                  uint64_t StackLimit) {
  constexpr uint64_t LargeWorkBytes = uint64_t(1) << 30; // 645^3 floats
  uint64_t Frame = getFrameBytes(P, S);
  auto Choose = [&](uint64_t Limit, bool IsLarge) {
    return chooseBlock(P, S, T, O, Limit - std::min(Limit, Frame), IsLarge);
  };
  static_cast<PackedBlocks &>(P) =
      Choose(std::min(StackLimit, CheapStackBytes), /*IsLarge=*/false);
  if (StackLimit <= CheapStackBytes)
    return;
  P.Large = Choose(StackLimit, /*IsLarge=*/true);
  // A limit that is little more than that of small ones may have no room for
  // more copied rows.
  if (!P.Large.KC)
    return;
  P.LargeWork = LargeWorkBytes / getSizeInBytes(S.Ty);
  if (!P.KC) {
    static_cast<PackedBlocks &>(P) = P.Large;
    P.LargeWork = 0;
  }
}

/// How much of a transposed A is used in place. 32^3 to 100^3 1.2 to 2 times of
/// a copy, 128^3 1.1, 256^3 0.9; few columns, of pages far apart (1000x16x1000)
/// 0.6. With so many operations in flight that some steps wait for the
/// second-level cache while others multiply, 2 MiB, which are 512 pages
/// (Emerald Rapids: 256^3 1.09, 512^3 1.08; Granite Rapids: 256^3 1.2,
/// 512^3 1.1, 640^3 1.05 to 1.1, 768^3 1.06; beyond, where a step is a page of
/// its own, 900^3 0.9 to 1.0, 1000^3 0.9 to 1.0, 1500^3 0.5 to 0.6); with
/// fewer, about two of these caches, if their sets have room for all steps (Zen
/// 4: 128^3 1.18, 256^3 1.14 to 1.23, 384^3 1.17, 640^3 1.2; 800^3 1.0, 1000^3
/// 0.95, 1024^3 0.84; Zen 3: 129^3 1.15, 160^3 1.24, 256^3 1.1,
/// 257x65x300 1.22, 448^3 1.12; 512^3, 512x128x128 0.97).
void setInPlaceA(ContractionPlan &P, const TargetModel &T, uint64_t L1) {
  constexpr unsigned DeepCore = 400, MidCore = 250;
  constexpr uint64_t DeepBytes = 2 << 20;
  if (T.InFlight >= DeepCore) {
    P.StepBytesOfA = DeepBytes;
  } else if (T.InFlight >= MidCore && T.L2) {
    P.StepBytesOfA = 2 * T.L2;
    P.SetBytesOfA = T.L2;
  } else {
    P.StepBytesOfA = 2 * L1;
  }
}

/// How much of B is used in place. Vectors that lie in two lines of the cache
/// are loaded twice: unless rows start at lines, the copy pays as soon as a
/// tile of rows pushes the last one's B out of the first-level cache (Cascade
/// Lake, 128^3 to 256^3: 1.2 to 1.35 times with vectors of 512 bits, 1.1 with
/// others; 64x250x64 1.1). Else up to four times that cache it is as fast in
/// place (160^3 0.96, 192^3 1.00, 256^3 1.11). With few rows the copy costs
/// more than it saves.
void setInPlace(ContractionPlan &P, const TargetModel &T) {
  uint64_t L1 = T.L1 ? T.L1 : 32 << 10;
  P.DirectBytes = T.L2 ? T.L2 / 4 : 64 << 10;
  P.AlignedBytes = std::min(P.DirectBytes, 4 * L1);
  P.UnalignedBytes = std::min(P.DirectBytes, L1 / 2);
  setInPlaceA(P, T, L1);
  P.PackRows = 3 * uint64_t(P.TileRows);
  P.AlignedRows = 8 * uint64_t(P.TileRows);
  P.UnalignedRows = 5 * uint64_t(P.TileRows);
  P.DirectRows =
      L1 / 2 / (uint64_t(P.TileVectors) * P.TuneVScale * T.VectorBits / 8);
  P.FetchedBytes = T.L2 / 2;
  P.NearRows = 12 * uint64_t(P.TileRows);
  P.NearBytes = L1;
}

/// Sizes from which on a call pays.
void setThresholds(ContractionPlan &P, const ContractionSpec &S) {
  // Below, the call and the tests for tails cost more than they save; one
  // output is one chain, and with one step there is no sum to keep in
  // registers.
  P.MinWork = 27;
  P.MinOutputs = 4;
  P.MinK = 2;
  // Zen 3: copies pay from 5x6x6 on; rows of a matrix that are summed at once,
  // from a vector of sums and 13x13 on.
  if (S.copiesB())
    P.MinWork = 160;
  // LLVM unrolls all of what is smaller.
  P.MinKnownWork = S.copiesB() ? 256 : 64;
  if (S.TransB && S.SingleRow)
    P.MinOutputs = P.VectorElems;
  // Zen 3: 8x1x8 and 9x1x9 lose 14 to 18 ns to the loops, 10x1x10 wins.
  P.MinColumnWork = S.copiesB() ? 512 : 128;
  // Where sums may be reordered, LLVM shares them among lanes, if what is
  // multiplied lies in rows: those of B, or its only column. A quarter of a
  // vector of columns is as fast (measured: 4 of 16).
  if (S.AddFlags.allowReassoc() && !S.SingleRow && !S.TransA)
    P.MinColumns = S.TransB ? 1 + std::max(1u, P.VectorElems / 4) : 2;
}

/// A plan for vectors of T.VectorBits, times vscale if \p Scalable.
std::optional<ContractionPlan>
planVectors(const ContractionSpec &S, const TargetModel &T, uint64_t StackLimit,
            const ContractionOverrides &O, bool Scalable) {
  unsigned ElemBits = getSizeInBytes(S.Ty) * 8;
  ContractionPlan P;
  P.Scalable = Scalable;
  P.TuneVScale = Scalable ? T.TuneVScale : 1;
  P.VectorElems = T.VectorBits / ElemBits;
  P.Fused = S.Comb == ContractionSpec::FMA ||
            (T.HasFMA &&
             (S.Comb != ContractionSpec::MulAdd ||
              (S.MulFlags.allowContract() && S.AddFlags.allowContract())));
  // Without the instruction, a fused multiply-add is a call.
  if ((S.Comb == ContractionSpec::FMA ||
       S.Epilogue.Value.uses(Intrinsic::fma)) &&
      !T.HasVectorFMA)
    return std::nullopt;
  P.MaskedLoads = T.HasMaskedLoads;
  P.MaskedStores = T.HasMaskedMemory;
  // Separate additions fill the front end: less of it for the loop's own. Not
  // where multiplying overwrites an operand, as in SSE: the copies need
  // registers that two steps do not leave.
  P.UnrollK = !P.Fused && (T.HasFMA || T.VectorBits > 128) ? 2 : 1;
  // A load that broadcasts is several operations where lanes can be multiplied.
  P.LanesOfA = T.HasLaneFMA && std::abs(S.getTileStepA()) == 1;
  if (P.LanesOfA)
    P.UnrollK = 128 / ElemBits;
  chooseTile(P, T, S.Scale.has_value());
  if (O.TileRows && O.TileVectors) {
    P.TileRows = std::min(O.TileRows, 32u);
    P.TileVectors = std::min(O.TileVectors, 8u);
  }
  if (!P.TileRows || !isOfRegisters(P))
    return std::nullopt;
  P.GroupedA = S.TransA && S.StepA == 1 && !P.LanesOfA && !Scalable;
  // Any distance makes 7% more code of the tiles; a product that transposes B
  // and keeps sums has most of all products.
  P.MayStayA = P.GroupedA && S.getOperandTy() == S.Ty && S.FactorA.empty() &&
               !(S.TransB && S.keepsSums());
  // A prefetch and its address want room beside the loads (4 operations in a
  // cycle, 2 of them multiplications): vectors of 512 bits.
  constexpr unsigned RoomyTile = 20;
  P.FetchesNext = !Scalable && !S.TransB && S.StepB == 1 && P.Fused &&
                  P.TileRows * P.TileVectors >= RoomyTile && T.L2;
  P.MayStay = !S.copiesB() ||
              (P.MayStayA && !S.TransB && S.FactorB.empty() && S.StepB == 1);
  P.MinChains = T.FMALatency * T.FMAPerCycle;
  // A wide tile is twice as wide, and its rows are a power of two.
  P.MinChains = std::min(P.MinChains, T.NumVectorRegs / 2);
  // Sums of a second vector of rows fill the time that those of the first one
  // wait for each other, if transposing takes less: a step has a shuffle for
  // each halving of the lanes.
  P.RowGroups =
      T.FMALatency * T.ShufflesPerCycle > Log2_32_Ceil(P.VectorElems) ? 2 : 1;
  P.PairBytes = T.L3 / 2;
  // Half of the registers for sums, the rest for what they are of.
  P.DotVectors = std::max(1u, T.NumVectorRegs / (2 * ContractionPlan::DotRows));
  setInPlace(P, T);
  if (O.InPlaceBytes) {
    P.AlignedBytes = P.UnalignedBytes = *O.InPlaceBytes;
    P.DirectBytes = std::max(P.DirectBytes, *O.InPlaceBytes);
  }
  setThresholds(P, S);
  if (O.Pack)
    chooseBlocks(P, S, T, O,
                 O.StackBytes ? std::min(O.StackBytes, StackLimit)
                              : StackLimit);
  if (S.copiesB() && !P.KC)
    return std::nullopt;
  return P;
}

/// The model of a target whose vectors are the scalable ones of \p T.
TargetModel getScalableModel(TargetModel T) {
  T.VectorBits = T.ScalableBits;
  T.NumVectorRegs = T.NumScalableRegs;
  T.HasMaskedLoads = T.HasMaskedMemory = true;
  T.FoldsBroadcast = false;
  return T;
}

/// A plan for the vectors that \p T prefers.
std::optional<ContractionPlan> planPreferred(const ContractionSpec &S,
                                             const TargetModel &T,
                                             uint64_t StackLimit,
                                             const ContractionOverrides &O) {
  // Single elements are stored from a buffer, whose size is fixed.
  if (T.ScalableBits && !S.isTriangle() && S.StepC == 1 &&
      O.Scalable.value_or(T.PrefersScalable))
    if (auto P = planVectors(S, getScalableModel(T), StackLimit, O, true))
      return P;
  return planVectors(S, T, StackLimit, O, false);
}

} // namespace

std::optional<ContractionPlan> planContraction(const ContractionSpec &S,
                                               const TargetModel &T,
                                               uint64_t StackLimit,
                                               const ContractionOverrides &O) {
  if (!T.NoSIMD.empty() || (S.Ty != ScalarType::F32 && S.Ty != ScalarType::F64))
    return std::nullopt;
  std::optional<ContractionPlan> P = planPreferred(S, T, StackLimit, O);
  if (std::optional<ContractionSpec> Unit = S.getUnitSteps(); P && Unit)
    if (auto Q = planPreferred(*Unit, T, StackLimit, O))
      P->UnitSteps = std::make_shared<const ContractionPlan>(*Q);
  return P;
}

} // namespace dlopt
