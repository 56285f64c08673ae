//===- limits.cc - What a core can do at most -----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: limits BYTES...
///
/// Prints GFLOP/s of multiply-adds in registers, GHz, and GB/s of reading so many
/// bytes again and again: caches of one core, and memory.
///
//===----------------------------------------------------------------------===//
#include "limits.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Additions that wait for each other take a cycle each, on any core that there
/// is a plugin for.
static double measureClock() {
  double best = 0;
  for (int round = 0; round < 5; round++) {
    constexpr long n = 4000000;
    uint64_t x = 1;
    double start = now(CLOCK_THREAD_CPUTIME_ID);
    for (long i = 0; i < n; i++) {
      x += static_cast<uint64_t>(i);
      asm volatile("" : "+r"(x));
      x += 3;
      asm volatile("" : "+r"(x));
      x += 5;
      asm volatile("" : "+r"(x));
      x += 7;
      asm volatile("" : "+r"(x));
    }
    double seconds = now(CLOCK_THREAD_CPUTIME_ID) - start;
    best = std::max(best, 4e-9 * n / seconds);
  }
  return best;
}

template <class Real> static double measurePeak() {
  double best = 0;
  for (int round = 0; round < 20; round++)
    best = std::max(best, Limits<Real>::measurePeak());
  return best;
}

int main(int argc, char **argv) {
  std::printf("peak f32 %.4g\npeak f64 %.4g\nghz %.4g\n", measurePeak<float>(),
              measurePeak<double>(), measureClock());
  for (int i = 1; i < argc; i++) {
    long n = std::atol(argv[i]) / static_cast<long>(sizeof(float));
    std::vector<float> data(static_cast<size_t>(n), 1.0f);
    std::printf("read %s %.4g\n", argv[i],
                Limits<float>::measureRead(data.data(), n, 0.01));
  }
  return 0;
}
