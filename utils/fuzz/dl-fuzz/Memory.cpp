//===- Memory.cpp - The buffers of a run ----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using dlopt::ScalarType;

namespace dlfuzz {

Memory::Memory() {
  uint64_t Page = sysconf(_SC_PAGESIZE);
  for (uint8_t *&R : Regions) {
    void *P = mmap(nullptr, Capacity + 2 * Page, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (P == MAP_FAILED)
      report_fatal_error("no memory for buffers");
    R = static_cast<uint8_t *>(P) + Page;
    mprotect(R, Capacity, PROT_READ | PROT_WRITE);
  }
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

namespace {

/// splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed) {}
  uint64_t next() {
    uint64_t Z = State += 0x9e3779b97f4a7c15;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111eb;
    return Z ^ (Z >> 31);
  }

private:
  uint64_t State;
};

/// Classes of data; a row of the generator names one by its number.
enum DataClass { Ordinary, SmallIntegers, Special, Tiny, Huge, Zeros };

template <typename T> T getSpecial(uint64_t R) {
  using Limits = std::numeric_limits<T>;
  switch (R % 8) {
  case 0:
    return Limits::quiet_NaN();
  case 1:
    return Limits::infinity();
  case 2:
    return -Limits::infinity();
  case 3:
    return T(-0.0);
  case 4:
    return Limits::denorm_min() * T(R >> 8 & 1023);
  case 5:
    return Limits::max();
  case 6:
    return Limits::lowest();
  default:
    return T(0);
  }
}

template <typename T> T getNumber(unsigned Class, uint64_t R) {
  // In [-1, 1), all bits of the mantissa in use.
  T Unit = std::ldexp(T(int64_t(R)), -63);
  switch (Class) {
  case SmallIntegers:
    return T(int(R % 17) - 8);
  case Special:
    return R >> 60 ? Unit * 8 : getSpecial<T>(R);
  case Tiny:
    return R & 1 ? Unit * std::numeric_limits<T>::min() * 4
                 : std::ldexp(Unit, std::numeric_limits<T>::min_exponent / 2);
  case Huge:
    return std::ldexp(Unit, std::numeric_limits<T>::max_exponent / 2 +
                                (R & 1 ? 2 : -2));
  case Zeros:
    return R & 1 ? T(-0.0) : T(0);
  default:
    return Unit * 8;
  }
}

template <typename T, typename StoreT = T>
void fillFloats(uint8_t *To, uint64_t N, unsigned Class, uint64_t Seed,
                bool Magnitudes) {
  Random Rnd(Seed);
  for (uint64_t I = 0; I != N; ++I) {
    StoreT V = getNumber<T>(Class, Rnd.next());
    if (Magnitudes)
      V = std::fabs(V);
    std::memcpy(To + I * sizeof(StoreT), &V, sizeof(StoreT));
  }
}

/// Small enough that sums of products do not overflow 32 bits.
void fillIntegers(uint8_t *To, uint64_t Bytes, unsigned Size, uint64_t Seed) {
  Random Rnd(Seed);
  for (uint64_t I = 0; I + Size <= Bytes; I += Size) {
    int64_t V = int64_t(Rnd.next() % 201) - 100;
    std::memcpy(To + I, &V, Size);
  }
}

constexpr uint8_t MarginByte = 0xa5;

} // namespace

void Memory::fill(unsigned S, const Instance &I, bool Magnitudes) {
  const Slot &From = I.Slots[S];
  std::vector<uint8_t> &C = Contents[S];
  C.assign(Before[S] + Bytes[S] + After[S], MarginByte);
  uint8_t *To = C.data() + Before[S];
  uint64_t Seed = I.Seed * 64 + S;
  if (From.IsWords) {
    for (const Word &W : From.Words) {
      uint64_t V = address(W);
      std::memcpy(To, &V, 8);
      To += 8;
    }
    return;
  }
  switch (From.Ty) {
  case ScalarType::F32:
    if (Scale[S] == 2)
      fillFloats<float, double>(To, Bytes[S] / 8, I.Data, Seed, Magnitudes);
    else
      fillFloats<float>(To, Bytes[S] / 4, I.Data, Seed, Magnitudes);
    return;
  case ScalarType::F64:
    fillFloats<double>(To, Bytes[S] / 8, I.Data, Seed, Magnitudes);
    return;
  default:
    fillIntegers(To, Bytes[S], dlopt::getSizeInBytes(From.Ty), Seed);
  }
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

bool Memory::getFar() {
  if (Far)
    return true;
  void *P = mmap(nullptr, FarCapacity, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (P == MAP_FAILED)
    return false;
  Far = static_cast<uint8_t *>(P);
  return true;
}

bool Memory::prepare(const Instance &I, bool Wide, bool Magnitudes) {
  NumSlots = I.Slots.size();
  if (NumSlots > MaxSlots)
    return false;
  for (unsigned S = 0; S != NumSlots; ++S) {
    const Slot &From = I.Slots[S];
    Types[S] = Wide && From.Ty == ScalarType::F32 ? ScalarType::F64 : From.Ty;
    Scale[S] = Types[S] == From.Ty ? 1 : 2;
    Bytes[S] = From.Bytes * Scale[S];
    uint64_t Skip = From.Place == Slot::Behind ? From.Skip * Scale[S] : 0;
    Before[S] = From.Place == Slot::AtBegin ? 0
                : From.Place == Slot::AtEnd ? Margin
                                            : std::min(Skip, Margin);
    After[S] = From.Place == Slot::AtEnd ? 0 : Margin;
    Parts[S] = From.Place == Slot::Apart ? From.Parts : 1;
    Distance[S] = From.Skip;
    if (From.Place == Slot::Apart) {
      Before[S] = After[S] = 0;
      if (Parts[S] * Distance[S] > FarCapacity || !getFar())
        return false;
      Begin[S] = Far;
      continue;
    }
    if (Skip + Bytes[S] + 2 * Margin > Capacity)
      return false;
    Begin[S] =
        Regions[S] + (From.Place == Slot::AtEnd ? Capacity - Bytes[S] : Skip);
  }
  for (unsigned S = 0; S != NumSlots; ++S)
    fill(S, I, Magnitudes);
  return true;
}

uint64_t Memory::address(const Word &W) const {
  if (W.Slot < 0)
    return static_cast<uint64_t>(W.Value);
  return reinterpret_cast<uint64_t>(Begin[W.Slot]) + W.Value * Scale[W.Slot];
}

/// Distances are never less than the parts, which may be followed by others.
void Memory::copyParts(unsigned S, uint8_t *Together, bool Gather) const {
  uint64_t Size = Contents[S].size() / Parts[S];
  uint8_t *At = Begin[S] - Before[S];
  for (uint64_t P = 0; P != Parts[S]; ++P, At += Distance[S], Together += Size)
    std::memcpy(Gather ? Together : At, Gather ? At : Together, Size);
}

void Memory::reset() {
  for (unsigned S = 0; S != NumSlots; ++S)
    copyParts(S, Contents[S].data(), /*Gather=*/false);
}

void Memory::save(std::vector<uint8_t> &Into) const {
  uint64_t At = 0;
  for (unsigned S = 0; S != NumSlots; ++S)
    At += Contents[S].size();
  Into.resize(At);
  At = 0;
  for (unsigned S = 0; S != NumSlots; At += Contents[S++].size())
    copyParts(S, Into.data() + At, /*Gather=*/true);
}

uint64_t Memory::savedAt(unsigned S) const {
  uint64_t At = Before[S];
  for (unsigned X = 0; X != S; ++X)
    At += Contents[X].size();
  return At;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// For numbers of other bits.
template <typename T>
static bool isSame(const uint8_t *X, const uint8_t *Y, bool EqualZeros) {
  T A, B;
  std::memcpy(&A, X, sizeof(T));
  std::memcpy(&B, Y, sizeof(T));
  return (std::isnan(A) && std::isnan(B)) || (EqualZeros && A == B);
}

bool Memory::isEqual(const uint8_t *X, const uint8_t *Y, unsigned S,
                     bool EqualZeros) const {
  if (!std::memcmp(X, Y, dlopt::getSizeInBytes(Types[S])))
    return true;
  if (Types[S] == ScalarType::F32)
    return isSame<float>(X, Y, EqualZeros);
  return Types[S] == ScalarType::F64 && isSame<double>(X, Y, EqualZeros);
}

static std::string describeBytes(const uint8_t *P, unsigned Size,
                                 ScalarType Ty) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, P, Size);
  return dlopt::printScalar(Ty, Bits);
}

std::string Memory::compare(const std::vector<uint8_t> &Expected,
                            bool EqualZeros, bool IsFree) const {
  std::vector<uint8_t> Got;
  save(Got);
  const uint8_t *E = Expected.data(), *G = Got.data();
  for (unsigned S = 0; S != NumSlots; ++S) {
    uint64_t Size = Contents[S].size();
    if (std::memcmp(E, G, Size)) {
      unsigned Step = dlopt::getSizeInBytes(Types[S]);
      auto At = [&](uint64_t Offset) {
        return "slot " + std::to_string(S) + " element " +
               std::to_string(Offset / Step);
      };
      if (std::memcmp(E, G, Before[S]))
        return "slot " + std::to_string(S) + ": bytes in front are written";
      if (std::memcmp(E + Before[S] + Bytes[S], G + Before[S] + Bytes[S],
                      After[S]))
        return "slot " + std::to_string(S) + ": bytes behind are written";
      for (uint64_t I = 0; I + Step <= Bytes[S] && !IsFree; I += Step)
        if (!isEqual(E + Before[S] + I, G + Before[S] + I, S, EqualZeros))
          return At(I) + ": " +
                 describeBytes(G + Before[S] + I, Step, Types[S]) +
                 ", expected " +
                 describeBytes(E + Before[S] + I, Step, Types[S]);
    }
    E += Size;
    G += Size;
  }
  return "";
}

} // namespace dlfuzz
