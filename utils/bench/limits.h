//===- limits.h - What the machine can do at most ---------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The two limits that kernels are compared with, measured in every round: the
/// rate of multiply-adds in registers, and of reading memory.
///
//===----------------------------------------------------------------------===//
#ifndef LIMITS_H
#define LIMITS_H

#include <algorithm>
#include <ctime>

inline double now(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

#if defined(__AVX512F__)
constexpr int VectorBytes = 64, Chains = 20;
#elif defined(__AVX__)
constexpr int VectorBytes = 32, Chains = 12;
#elif defined(__aarch64__)
constexpr int VectorBytes = 16, Chains = 20;
#else
constexpr int VectorBytes = 16, Chains = 12;
#endif

// Where clang prefers shorter vectors than there are it would take these apart.
#if defined(__clang__) && defined(__x86_64__)
#define WIDEST __attribute__((min_vector_width(VectorBytes * 8)))
#else
#define WIDEST
#endif

template <class Real> struct Limits {
  typedef Real Vector __attribute__((vector_size(VectorBytes)));
  static constexpr int Lanes = VectorBytes / sizeof(Real);

  /// Independent chains in registers: as many as hide the latency, as few as do
  /// not spill. Without fused multiply-adds half of them multiply and half add,
  /// which is what separate rounding can do at most.
  __attribute__((noinline)) WIDEST static Real multiplyAdds(long n, Real seed) {
    Vector acc[Chains], x = (Vector){} + seed,
                        y = (Vector){} + static_cast<Real>(0.25);
#pragma clang loop unroll(full)
    for (int c = 0; c < Chains; c++)
      acc[c] = (Vector){} + static_cast<Real>(c);
    for (long i = 0; i < n; i++)
#pragma clang loop unroll(full)
      for (int c = 0; c < Chains; c++)
#if defined(__FMA__) || defined(__aarch64__)
        acc[c] = __builtin_elementwise_fma(acc[c], x, y);
#else
        acc[c] = c % 2 ? acc[c] * x : acc[c] + y;
#endif
    return reduce<Chains>(acc);
  }

  /// Adds up \p n elements, in \p Streams places at once, \p Unroll vectors of
  /// each place per step.
  template <int Streams, int Unroll>
  __attribute__((noinline)) WIDEST static Real sum(const Real *data, long n) {
    Vector acc[Streams * Unroll] = {};
    long part = n / Streams;
    for (long i = 0; i + Unroll * Lanes <= part; i += Unroll * Lanes)
#pragma clang loop unroll(full)
      for (int c = 0; c < Streams * Unroll; c++) {
        Vector v;
        __builtin_memcpy(&v, data + c / Unroll * part + i + c % Unroll * Lanes,
                         sizeof v);
        acc[c] += v;
      }
    return reduce<Streams * Unroll>(acc);
  }

  /// GFLOP/s.
  static double measurePeak() {
    constexpr long n = 100000;
#if defined(__FMA__) || defined(__aarch64__)
    constexpr double perChain = 2;
#else
    constexpr double perChain = 1;
#endif
    double start = now(CLOCK_THREAD_CPUTIME_ID);
    Sink = multiplyAdds(n, Seed);
    double seconds = now(CLOCK_THREAD_CPUTIME_ID) - start;
    return 1e-9 * perChain * n * Chains * Lanes / seconds;
  }

  /// GB/s of reading \p n elements again and again for about \p slice seconds
  /// in each of several ways; the best of these.
  static double measureRead(const Real *data, long n, double slice) {
    double best = 0;
    for (auto *read : {sum<1, 4>, sum<1, 8>, sum<2, 4>, sum<4, 1>, sum<4, 2>}) {
      double seconds = 0;
      // The clock costs as much as reading some KiB.
      for (long calls = 1; seconds < slice; calls *= 2) {
        double start = now(CLOCK_THREAD_CPUTIME_ID);
        for (long i = 0; i < calls; i++)
          Sink = read(data, n);
        seconds = now(CLOCK_THREAD_CPUTIME_ID) - start;
        best = std::max(best, 1e-9 * calls * n * sizeof(Real) / seconds);
      }
    }
    return best;
  }

private:
  template <int Count> static Real reduce(const Vector *acc) {
    Vector sum = {};
#pragma clang loop unroll(full)
    for (int c = 0; c < Count; c++)
      sum += acc[c];
    return sum[0];
  }

  // Volatile on both sides, or the compiler computes it once for all rounds.
  static inline volatile Real Seed = 1, Sink;
};

#endif
