//===- Layouts.cpp - Arrays that end where the plain kernel ends ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fuzz.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace llvm;
using namespace dlopt;

/// Elements on each side of an array in the first run, which finds out what is
/// touched.
static constexpr size_t Margin = 512;

static uint32_t drawFloat(Random &R) {
  static const uint32_t Special[] = {0x00000000, 0x80000000, 0x7f800000,
                                     0xff800000, 0x7fc00000, 0x00000001,
                                     0x807fffff, 0x7f7fffff};
  if (R.percent(6))
    return R.pick(ArrayRef(Special));
  // Numbers of both signs whose sums round.
  return (R.below(2) << 31) | ((124 + R.below(5)) << 23) | R.below(1 << 23);
}

/// Puts one array over another, at a small distance, in a third of the cases.
void Layout::overlap(Random &R) {
  if (!R.percent(35))
    return;
  Place &P = Places[R.below(5)], &Q = Places[R.below(5)];
  ptrdiff_t Base = static_cast<ptrdiff_t>(P.Begin) + P.Origin +
                   4 * (static_cast<int>(R.below(7)) - 3) *
                       static_cast<int>(R.below(2)),
            Begin = Base - Q.Origin;
  if (&P != &Q && Begin >= 0 &&
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
  for (size_t At = 0; At < Offset; At += 4) {
    const Place &P = L.Places[At / (2 * Margin * 4)];
    uint32_t Word = isFloat(P.Ty)   ? drawFloat(R)
                    : P.Name == "I" ? R.below(6)
                                    : R.below(20) - 10;
    std::memcpy(&L.Memory[At], &Word, 4);
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
  std::vector<uint8_t> After = Memory;
  Bindings B;
  B.Scalars = Scalars;
  for (const Place &P : Places)
    B.Arrays[P.Name] = {MutableArrayRef(After).slice(P.Begin, P.Size),
                        static_cast<size_t>(P.Origin)};
  InterpreterOptions Options;
  Options.FuseMulAdd = Fuse;
  Options.MaxSteps = 2000000;
  if (Error E = interpretKernel(K, B, Options))
    return std::move(E);
  return After;
}

std::string Layout::compare(ArrayRef<uint8_t> A, ArrayRef<uint8_t> B) const {
  for (const Place &P : Places)
    for (size_t At = P.Begin; At < P.Begin + P.Size; At += 4) {
      uint32_t X = 0, Y = 0;
      std::memcpy(&X, &A[At], 4);
      std::memcpy(&Y, &B[At], 4);
      auto IsNaN = [](uint32_t Bits) {
        return (Bits & 0x7fffffff) > 0x7f800000;
      };
      if (X != Y && !(isFloat(P.Ty) && IsNaN(X) && IsNaN(Y)))
        return "%" + P.Name + " at byte " + std::to_string(At - P.Begin) +
               " is 0x" + utohexstr(Y) + ", not 0x" + utohexstr(X);
    }
  return "";
}

void Layout::print(raw_ostream &OS) const {
  for (const auto &Entry : Scalars)
    OS << "# %" << Entry.first() << " = " << Entry.second << '\n';
  for (const Place &P : Places)
    OS << "# %" << P.Name << " from byte " << P.Begin << ", " << P.Size
       << " bytes, points to " << P.Origin << '\n';
}
