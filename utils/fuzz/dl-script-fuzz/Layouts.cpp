//===- Layouts.cpp - Arrays that end where the plain kernel ends ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fuzz.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace llvm;
using namespace dlopt;

/// Elements on each side of an array in the first run, which finds out what is
/// touched.
static constexpr size_t Margin = 512;

static const fltSemantics &getSemanticsOf(ScalarType Ty) {
  switch (Ty) {
  case ScalarType::F16:
    return APFloat::IEEEhalf();
  case ScalarType::BF16:
    return APFloat::BFloat();
  case ScalarType::F64:
    return APFloat::IEEEdouble();
  default:
    return APFloat::IEEEsingle();
  }
}

/// The bits of an f32.
static uint32_t drawSingle(Random &R) {
  static const uint32_t Special[] = {0x00000000, 0x80000000, 0x7f800000,
                                     0xff800000, 0x7fc00000, 0x00000001,
                                     0x807fffff, 0x7f7fffff};
  if (R.percent(6))
    return R.pick(ArrayRef(Special));
  // Numbers of both signs whose sums round.
  return (R.below(2) << 31) | ((124 + R.below(5)) << 23) | R.below(1 << 23);
}

/// The bits of \p Ty: as an f32 is drawn, with the few bits that are special.
static uint64_t drawFloat(Random &R, ScalarType Ty) {
  uint32_t Single = drawSingle(R);
  if (Ty == ScalarType::F32)
    return Single;
  APFloat Value(bit_cast<float>(Single));
  bool Lost = false;
  Value.convert(getSemanticsOf(Ty), APFloat::rmNearestTiesToEven, &Lost);
  uint64_t Bits = Value.bitcastToAPInt().getZExtValue();
  // Sums of what has the bits of an f32 alone would not round in f64.
  return Ty == ScalarType::F64 && Value.isFiniteNonZero()
             ? Bits | R.below(1 << 28)
             : Bits;
}

/// Small numbers, as some are indices; others have all of their bits.
static uint64_t drawInteger(Random &R, const Layout::Place &P) {
  if (P.Name == "I")
    return R.below(6);
  if (P.Ty == ScalarType::I1)
    return R.below(2);
  if (P.Ty == ScalarType::I32 || R.percent(60))
    return static_cast<uint64_t>(static_cast<int64_t>(R.below(20)) - 10);
  return static_cast<uint64_t>(R.below(1u << 31)) << R.below(34);
}

/// Puts one array over another, at a small distance, in a third of the cases.
void Layout::overlap(Random &R) {
  if (!R.percent(35))
    return;
  Place &P = Places[R.below(5)], &Q = Places[R.below(5)];
  ptrdiff_t Base = static_cast<ptrdiff_t>(P.Begin) + P.Origin +
                   static_cast<ptrdiff_t>(getSizeInBytes(P.Ty)) *
                       (static_cast<int>(R.below(7)) - 3) *
                       static_cast<int>(R.below(2)),
            Begin = Base - Q.Origin;
  if (&P != &Q && P.Ty == Q.Ty && Begin >= 0 &&
      static_cast<size_t>(Begin) + Q.Size <= Memory.size())
    Q.Begin = static_cast<size_t>(Begin);
}

std::optional<Layout> Layout::make(Random &R, const Kernel &Plain) {
  Layout L;
  L.Fuse = R.percent(50);
  for (const Param &P : Plain.Params)
    L.Scalars[P.Name] = P.Name == "S" ? (uint64_t)(int64_t)((int)R.below(6) - 2)
                        : P.Name == "P"
                            ? (uint64_t)(int64_t)((int)R.below(8) - 3)
                        : P.Name == "L" ? R.below(70)
                                        : R.below(R.percent(20) ? 14 : 8);
  size_t Offset = 0;
  for (const Buffer &B : Plain.Buffers) {
    if (B.IsLocal)
      continue;
    size_t Size = 2 * Margin * getSizeInBytes(B.Ty);
    L.Places.push_back(
        {B.Name, B.Ty, Offset, Size, static_cast<ptrdiff_t>(Size / 2)});
    Offset += Size;
  }
  L.Memory.resize(Offset);
  for (const Place &P : L.Places)
    for (size_t At = P.Begin, Step = getSizeInBytes(P.Ty);
         At < P.Begin + P.Size; At += Step) {
      uint64_t Bits = isFloat(P.Ty) ? drawFloat(R, P.Ty) : drawInteger(R, P);
      std::memcpy(&L.Memory[At], &Bits, Step);
    }
  // What is touched, and whether the kernel may be run at all.
  Bindings B;
  B.Scalars = L.Scalars;
  std::vector<uint8_t> Scratch = L.Memory;
  for (const Place &P : L.Places)
    B.Arrays[P.Name] = {MutableArrayRef(Scratch).slice(P.Begin, P.Size),
                        static_cast<size_t>(P.Origin)};
  InterpreterOptions Options;
  Options.MaxSteps = 20000;
  DenseMap<BufferId, std::pair<size_t, size_t>> Touched;
  if (Error E = interpretKernel(Plain, B, Options, nullptr, &Touched)) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  size_t I = 0;
  for (auto [Id, Buf] : enumerate(Plain.Buffers)) {
    if (Buf.IsLocal)
      continue;
    Place &P = L.Places[I++];
    auto It = Touched.find(static_cast<BufferId>(Id));
    size_t From = It == Touched.end() ? P.Size / 2 : It->second.first,
           To = It == Touched.end() ? P.Size / 2 : It->second.second;
    P.Begin += From;
    P.Size = To - From;
    P.Origin -= static_cast<ptrdiff_t>(From);
  }
  L.overlap(R);
  return L;
}

bool Layout::overlaps(const Kernel &K) const {
  auto Find = [&](BufferId B) {
    return llvm::find_if(
        Places, [&](const Place &P) { return P.Name == K.Buffers[B].Name; });
  };
  return any_of(K.Needs, [&](const Need &N) {
    return N.K == Need::Disjoint && any_of(N.Others, [&](BufferId B) {
             auto P = Find(N.Buf), Q = Find(B);
             return P->Begin < Q->Begin + Q->Size &&
                    Q->Begin < P->Begin + P->Size;
           });
  });
}

Expected<std::vector<uint8_t>> Layout::run(const Kernel &K) const {
  // As far from multiples of a cache line as in the memory that code runs on.
  std::vector<uint8_t> Room(Memory.size() + LineBytes);
  auto Start = reinterpret_cast<uintptr_t>(Room.data());
  MutableArrayRef<uint8_t> After = MutableArrayRef(Room).slice(
      alignTo(Start, LineBytes) - Start, Memory.size());
  copy(Memory, After.begin());
  Bindings B;
  B.Scalars = Scalars;
  for (const Place &P : Places)
    B.Arrays[P.Name] = {After.slice(P.Begin, P.Size),
                        static_cast<size_t>(P.Origin)};
  InterpreterOptions Options;
  Options.FuseMulAdd = Fuse;
  Options.VL = VL;
  Options.MaxSteps = 2000000;
  if (Error E = interpretKernel(K, B, Options))
    return std::move(E);
  return std::vector<uint8_t>(After.begin(), After.end());
}

std::string Layout::compare(ArrayRef<uint8_t> A, ArrayRef<uint8_t> B) const {
  for (const Place &P : Places)
    for (size_t At = P.Begin, Step = getSizeInBytes(P.Ty);
         At < P.Begin + P.Size; At += Step) {
      uint64_t X = 0, Y = 0;
      std::memcpy(&X, &A[At], Step);
      std::memcpy(&Y, &B[At], Step);
      auto IsNaN = [&](uint64_t Bits) {
        return APFloat(getSemanticsOf(P.Ty), APInt(getBitWidth(P.Ty), Bits))
            .isNaN();
      };
      if (X != Y && !(isFloat(P.Ty) && IsNaN(X) && IsNaN(Y)))
        return "%" + P.Name + " at byte " + std::to_string(At - P.Begin) +
               " is 0x" + utohexstr(Y) + ", not 0x" + utohexstr(X);
    }
  return "";
}

void Layout::print(raw_ostream &OS) const {
  if (VL != LeastVL)
    OS << "# vl = " << VL << '\n';
  for (const auto &Entry : Scalars)
    OS << "# %" << Entry.first() << " = " << Entry.second << '\n';
  for (const Place &P : Places)
    OS << "# %" << P.Name << " from byte " << P.Begin << ", " << P.Size
       << " bytes, points to " << P.Origin << '\n';
}
