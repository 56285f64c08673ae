//===- Arena.cpp - Memory that code runs on -------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arena.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

using namespace llvm;

namespace dlopt {

/// Of bytes that belong to no array.
static constexpr uint8_t Untouched = 0xa5;

static sigjmp_buf Behind;
static constexpr int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGVTALRM};

static void jump(int Signal) { siglongjmp(Behind, Signal); }

Arena::Arena() {
  auto Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  // As many as arrays.
  for (unsigned I = 0; I < 16; ++I) {
    void *P = mmap(nullptr, RegionSize + 2 * Page, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (P == MAP_FAILED)
      report_fatal_error("no memory for arrays");
    Regions.push_back(static_cast<uint8_t *>(P) + Page);
    mprotect(Regions.back(), RegionSize, PROT_READ | PROT_WRITE);
  }
  // Code may end with its stack used up.
  static uint8_t Stack[1 << 16];
  stack_t Other = {};
  Other.ss_sp = Stack;
  Other.ss_size = sizeof(Stack);
  sigaltstack(&Other, nullptr);
}

std::vector<Interval> getClusters(const Layout &L) {
  std::vector<Interval> Result;
  for (const Layout::Place &P : L.getPlaces())
    Result.push_back({P.Begin, P.Begin + P.Size});
  llvm::sort(Result, [](const Interval &A, const Interval &B) {
    return std::pair(A.Begin, A.End) < std::pair(B.Begin, B.End);
  });
  size_t Last = 0;
  for (size_t I = 1; I < Result.size(); ++I)
    if (Result[I].Begin < Result[Last].End ||
        Result[I].Begin == Result[Last].Begin)
      Result[Last].End = std::max(Result[Last].End, Result[I].End);
    else
      Result[++Last] = Result[I];
  Result.resize(Last + 1);
  return Result;
}

/// 0, or the signal that ended it. \p Error: errno behind it.
static int call(CodeFunction F, void **Pointers, uint64_t *Scalars,
                int &Error) {
  struct sigaction Action = {}, Before[std::size(Signals)];
  Action.sa_handler = jump;
  Action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (auto [Signal, Old] : zip(Signals, Before))
    sigaction(Signal, &Action, &Old);
  itimerval Limit = {{0, 0}, {10, 0}}, None = {};
  setitimer(ITIMER_VIRTUAL, &Limit, nullptr);
  int Signal = sigsetjmp(Behind, 1);
  errno = 0;
  if (!Signal)
    F(Pointers, Scalars);
  Error = errno;
  setitimer(ITIMER_VIRTUAL, &None, nullptr);
  for (auto [Number, Old] : zip(Signals, Before))
    sigaction(Number, &Old, nullptr);
  return Signal;
}

Expected<std::vector<uint8_t>> Arena::run(CodeFunction F, const Kernel &K,
                                          const Layout &L, bool AtEnd,
                                          int &Error) {
  std::vector<uint8_t> Memory(L.getMemory());
  std::vector<Interval> Clusters = getClusters(L);
  // What speaks of addresses needs those of the layout, modulo a line.
  bool IsAligned = K.hasHints();
  auto GetStart = [&](size_t C) {
    size_t Size = Clusters[C].End - Clusters[C].Begin,
           Own = Clusters[C].Begin % LineBytes;
    if (!IsAligned)
      return Regions[C] + (AtEnd ? RegionSize - Size : 0);
    return Regions[C] +
           (AtEnd ? alignDown(RegionSize - Size - Own, LineBytes) + Own : Own);
  };
  for (auto [I, C] : enumerate(Clusters)) {
    std::memset(Regions[I], Untouched, RegionSize);
    std::memcpy(GetStart(I), &Memory[C.Begin], C.End - C.Begin);
  }
  SmallVector<void *, 16> Pointers;
  for (const Buffer &Buf : K.Buffers) {
    if (Buf.IsLocal)
      continue;
    const Layout::Place *P = find_if(
        L.getPlaces(), [&](const auto &P) { return P.Name == Buf.Name; });
    auto C = find_if(Clusters, [&](const Interval &C) {
      return C.Begin <= P->Begin && P->Begin + P->Size <= C.End;
    });
    Pointers.push_back(GetStart(static_cast<size_t>(C - Clusters.begin())) +
                       (P->Begin - C->Begin) + P->Origin);
  }
  SmallVector<uint64_t, 8> Scalars;
  for (const Param &P : K.Params)
    Scalars.push_back(L.getScalar(P.Name));
  if (int Signal = call(F, Pointers.data(), Scalars.data(), Error))
    return createStringError(Signal == SIGVTALRM ? "it does not end"
                                                 : strsignal(Signal));
  for (auto [I, C] : enumerate(Clusters)) {
    std::memcpy(&Memory[C.Begin], GetStart(I), C.End - C.Begin);
    std::memset(GetStart(I), Untouched, C.End - C.Begin);
    if (any_of(ArrayRef(Regions[I], RegionSize),
               [](uint8_t Byte) { return Byte != Untouched; }))
      return createStringError("bytes beside an array are written");
  }
  return std::move(Memory);
}

} // namespace dlopt
