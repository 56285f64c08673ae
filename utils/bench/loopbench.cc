//===- loopbench.cc - Interleaved timing of loops over matrices -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: loopbench ROUNDS LIBRARY...
///
/// Each library has kernels/loops.c, built some way. For each kernel all of
/// them and the limit (reading, copying by memcpy or adding to as many elements)
/// take turns in slices of some milliseconds; the medians of elements per ns come
/// out, one line for each kernel: name, M, N, limit, libraries. What the first
/// two compute must have the same bits.
///
//===----------------------------------------------------------------------===//
#include "kernels/loops.h"
#include "limits.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <vector>

static volatile float Sink, Zero;

/// All that the memory has to do for an update of all parts of \p C by \p A.
template <int Parts>
__attribute__((noinline)) static void update(const float *A, float *C,
                                             long Count) {
  float Scale = Zero;
#pragma clang loop vectorize(assume_safety) interleave_count(2)
  for (long I = 0; I < Count; ++I)
#pragma clang loop unroll(full)
    for (int P = 0; P < Parts; ++P)
      C[P * Count + I] += Scale * A[I];
}

/// Elements per ns of one slice.
static double measure(double Elements, const std::function<void()> &Run) {
  const double Slice = 4e-3;
  double Start = now(CLOCK_THREAD_CPUTIME_ID), Seconds = 0;
  long Times = 0;
  do {
    Run();
    ++Times;
    Seconds = now(CLOCK_THREAD_CPUTIME_ID) - Start;
  } while (Seconds < Slice);
  return Elements * static_cast<double>(Times) / Seconds * 1e-9;
}

static double median(std::vector<double> X) {
  std::nth_element(X.begin(), X.begin() + X.size() / 2, X.end());
  return X[X.size() / 2];
}

static void (*const Updates[])(const float *, float *,
                               long) = {update<1>, update<2>, update<3>};

int main(int argc, char **argv) {
  std::vector<const Loop *> Tables;
  const int Rounds = argc > 2 ? atoi(argv[1]) : 0;
  if (Rounds < 1) {
    fprintf(stderr, "usage: loopbench ROUNDS LIBRARY...\n");
    return 2;
  }
  for (int I = 2; I < argc; ++I) {
    void *Library = dlopen(argv[I], RTLD_NOW | RTLD_LOCAL);
    void *Table = Library ? dlsym(Library, "loops") : nullptr;
    if (!Table) {
      fprintf(stderr, "loopbench: %s\n", dlerror());
      return 2;
    }
    Tables.push_back(static_cast<const Loop *>(Table));
  }
  for (int K = 0; Tables[0][K].Name; ++K) {
    const Loop &L = Tables[0][K];
    size_t Count = static_cast<size_t>(L.M * L.N), Bytes = 4 * Count;
    auto *A =
        static_cast<float *>(aligned_alloc(4096, (Bytes + 4095) & ~4095ul));
    auto *C =
        static_cast<float *>(aligned_alloc(4096, (Bytes + 4095) & ~4095ul));
    std::vector<float> Expected(Count);
    for (size_t I = 0; I < Count; ++I)
      A[I] = static_cast<float>(rand() % 20001 - 10000) / 7000;
    for (size_t T = 0; T < Tables.size() && T < 2; ++T) {
      memset(C, 0, Bytes);
      Tables[T][K].Run(L.M, L.N, A, C);
      if (T == 0)
        memcpy(Expected.data(), C, Bytes);
      else if (memcmp(Expected.data(), C, Bytes) != 0) {
        fprintf(stderr, "loopbench: %s has other bits\n", L.Name);
        return 1;
      }
    }
    std::vector<std::vector<double>> Rates(Tables.size() + 1);
    for (int Round = 0; Round < Rounds; ++Round)
      for (size_t T = 0; T < Rates.size(); ++T) {
        size_t Turn = (T + static_cast<size_t>(Round)) % Rates.size();
        Rates[Turn].push_back(measure(static_cast<double>(Count), [&] {
          if (Turn)
            Tables[Turn - 1][K].Run(L.M, L.N, A, C);
          else if (L.Updated)
            Updates[L.Updated - 1](A, C,
                                   static_cast<long>(Count) / L.Updated);
          else if (L.IsMove)
            memcpy(C, A, Bytes);
          else
            Sink = Limits<float>::sum<4, 2>(A, static_cast<long>(Count));
        }));
      }
    printf("%s %ld %ld", L.Name, L.M, L.N);
    for (const std::vector<double> &R : Rates)
      printf(" %.2f", median(R));
    printf("\n");
    free(A);
    free(C);
  }
  return 0;
}
