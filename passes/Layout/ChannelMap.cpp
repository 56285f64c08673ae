//===- ChannelMap.cpp - Elements in another order -------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   x[(c * H + i) * W + j]   ->   x[(i * W + j) * C + c]
///
/// is the same element wherever 0 <= i * W + j < H * W and 0 <= c < C, which is
/// proved from the bounds of the loops and from the conditions around the
/// access: an index that runs over the end of its row is legal in the source,
/// and names an element of the next one.
///
//===----------------------------------------------------------------------===//
#include "ChannelMap.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Ranges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

uint64_t ChannelMap::map(uint64_t E, uint64_t Elements) const {
  uint64_t Block = getBlock();
  if (E >= Elements / Block * Block)
    return E;
  uint64_t In = E % Block;
  return E - In + In % Pixels * Channels + In / Pixels;
}

/// The coefficients of axes in \p P, the largest first, without signs.
static SmallVector<int64_t, 6> getStrides(const Poly &P) {
  SmallVector<int64_t, 6> Strides;
  for (const auto &[Mono, Coef] : P.terms())
    if (!Mono.empty())
      Strides.push_back(std::abs(Coef));
  sort(Strides, std::greater<>());
  Strides.erase(unique(Strides), Strides.end());
  return Strides;
}

SmallVector<ChannelMap, 4>
dlopt::getCandidates(const Access &X, uint64_t Elements, bool Several) {
  SmallVector<ChannelMap, 4> Result;
  SmallVector<int64_t, 6> Outer = {static_cast<int64_t>(Elements)};
  for (int64_t Pixels : getStrides(X.offset())) {
    for (int64_t Whole : reverse(Outer))
      if (Pixels > 1 && Whole % Pixels == 0 && Whole / Pixels > 1)
        Result.push_back({Whole / Pixels, Pixels});
    if (!Several)
      Outer.clear();
    Outer.push_back(Pixels);
  }
  return Result;
}

namespace {

/// What is known where an access is.
class Facts {
public:
  Facts(Kernel &K, ArrayRef<AxisId> Around, const Leaf &L)
      : K(K), Around(Around) {
    for (const Constraint &C : L.Domain) {
      Known.push_back(C.P);
      if (C.IsEquality)
        Known.push_back(Poly() - C.P);
    }
    for (AxisId A : Around)
      for (const Poly &E : K.Axes[A].Extents)
        if (!E.getConstant())
          Known.push_back(E - Poly(1) - Poly::atom(K.getAxisAtom(A)));
  }
  /// Whether 0 <= P.
  bool isNatural(const Poly &P) const {
    auto AtLeastZero = [&](const Poly &Q) {
      return getRange(K, Q, Around).Lo >= 0;
    };
    return AtLeastZero(P) ||
           any_of(Known, [&](const Poly &Q) { return AtLeastZero(P - Q); });
  }
  /// Whether 0 <= P < Count.
  bool isBelow(const Poly &P, int64_t Count) const {
    return isNatural(P) && isNatural(Poly(Count - 1) - P);
  }

private:
  Kernel &K;
  ArrayRef<AxisId> Around;
  SmallVector<Poly, 8> Known;
};

} // namespace

/// Whether 0 <= \p P < \p Count, by the bounds of all of it or of its digits:
/// with 0 <= D < Count / S and 0 <= R < S it is S * D + R. \p P is less after
/// each, so this ends.
static bool isBelow(const Facts &Known, const Poly &P, int64_t Count) {
  if (Known.isBelow(P, Count))
    return true;
  int64_t Constant = P.getConstantTerm();
  for (int64_t S : getStrides(P)) {
    if (Count % S || S == 1)
      continue;
    Poly Upper, Lower;
    for (const auto &[Mono, Coef] : P.terms())
      if (!Mono.empty())
        (Coef % S ? Lower : Upper) += Poly::monomial(Mono, Coef);
    Poly Digit = *Upper.divideExactly(S);
    int64_t Part = divideFloorSigned(Constant, S);
    for (int64_t Of : {Part, Part + 1})
      if (Known.isBelow(Digit + Poly(Of), Count / S) &&
          isBelow(Known, Lower + Poly(Constant - Of * S), S))
        return true;
  }
  return false;
}

namespace {

/// The offset of an access by what each part of it counts. The constant is
/// among the pixels.
struct OffsetParts {
  OffsetParts(const Poly &Offset, const ChannelMap &M) {
    for (const auto &[Mono, Coef] : Offset.terms())
      (*this)[Mono.empty() || Coef % M.Pixels ? OffsetPart::Pixel
              : Coef % M.getBlock()           ? OffsetPart::Channel
                                              : OffsetPart::Block] +=
          Poly::monomial(Mono, Coef);
  }
  Poly &operator[](OffsetPart Part) { return Parts[unsigned(Part)]; }

private:
  Poly Parts[3];
};

} // namespace

/// Whether the axes of one dimension of \p P overlap: x[i + r], x[2 * i + r].
static bool overlaps(const Kernel &K, const Poly &P, ArrayRef<AxisId> Around) {
  SmallVector<std::pair<int64_t, uint64_t>, 6> Steps;
  for (AxisId A : Around) {
    std::optional<Poly> Stride = getStride(K, P, A);
    int64_t Step = Stride ? Stride->getConstant().value_or(0) : 0;
    if (Step)
      Steps.push_back({std::abs(Step), getRounds(K, A).value_or(1)});
  }
  sort(Steps);
  uint64_t Reach = 0;
  for (auto [Step, Rounds] : Steps) {
    if (Reach >= static_cast<uint64_t>(Step))
      return true;
    Reach += Step * (std::max<uint64_t>(Rounds, 1) - 1);
  }
  return false;
}

bool dlopt::hasWindow(const Kernel &K, ArrayRef<AxisId> Around, const Access &X,
                      const ChannelMap &M, OffsetPart Part) {
  OffsetParts Parts(X.offset(), M);
  return overlaps(K, Parts[Part], Around);
}

std::optional<Access> dlopt::mapAccess(Kernel &K, ArrayRef<AxisId> Around,
                                       const Leaf &L, const Access &X,
                                       int64_t First, uint64_t Elements,
                                       const ChannelMap &M) {
  Poly Offset = X.offset() + Poly(First);
  OffsetParts Parts(Offset, M);
  Facts Known(K, Around, L);
  int64_t Constant = Offset.getConstantTerm();
  // How many whole planes the constant is, and how many whole blocks.
  for (int64_t Planes : {divideFloorSigned(Constant, M.Pixels),
                         divideFloorSigned(Constant, M.Pixels) + 1}) {
    int64_t Blocks = divideFloorSigned(Planes, M.Channels);
    std::optional<Poly> C = Parts[OffsetPart::Channel].divideExactly(M.Pixels),
                        B = Parts[OffsetPart::Block].divideExactly(
                            M.getBlock());
    if (!C || !B)
      return std::nullopt;
    Poly InBlock = *C + Poly(Planes - Blocks * M.Channels);
    Poly InPlane = Parts[OffsetPart::Pixel] - Poly(Planes * M.Pixels);
    Poly Which = *B + Poly(Blocks);
    if (!DLOPT_PLANTED(RowOverrun) && !isBelow(Known, InPlane, M.Pixels))
      continue;
    if (!Known.isBelow(InBlock, M.Channels) ||
        !Known.isBelow(Which, Elements / M.getBlock()))
      continue;
    Access New;
    New.Buf = X.Buf;
    New.Subs = {Which, InPlane, InBlock};
    New.Strides = {Poly(M.getBlock()), Poly(M.Channels), Poly(1)};
    if (Which.isZero()) {
      New.Subs.erase(New.Subs.begin());
      New.Strides.erase(New.Strides.begin());
    }
    return New;
  }
  return std::nullopt;
}

bool dlopt::isInside(Kernel &K, ArrayRef<AxisId> Around, const Leaf &L,
                     const Access &X, int64_t First, uint64_t Elements) {
  return isBelow(Facts(K, Around, L), X.offset() + Poly(First),
                 static_cast<int64_t>(Elements));
}
