// Functions that round to integers, in lanes: the bits of scalar code.
// REQUIRES: native-x86
//
// DEFINE: %{flags} = -march=native
// DEFINE: %{taken} = FileCheck %s
// DEFINE: %{check} = \
// DEFINE:   %clang -O1 -fno-vectorize %{flags} %s -lm -o %t.plain && %t.plain > %t.out && \
// DEFINE:   %clang_dl -O3 %{flags} %s -lm -o %t -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>&1 | %{taken} && %t | diff %t.out -
// RUN: %{check}
// REDEFINE: %{flags} = -msse4.1
// RUN: %{check}
// Without an instruction they are calls.
// REDEFINE: %{flags} =
// REDEFINE: %{taken} = FileCheck %s --check-prefix=CALLS
// RUN: %{check}
// CALLS-COUNT-1: kernel number
// CALLS-NOT: rows_
// CHECK-COUNT-7: kernel number
#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

enum { M = 19, N = 45 };

#define KERNEL(F)                                                              \
  __attribute__((noinline)) static void rows_##F(                              \
      float *restrict y, int8_t *restrict q, const float *restrict x, int m,   \
      int n) {                                                                 \
    for (int i = 0; i < m; i++) {                                              \
      float s = 0, g = 0;                                                      \
      for (int j = 0; j < n; j++) {                                            \
        g = x[i * n + j] > g ? x[i * n + j] : g;                               \
        s += F(x[i * n + j]);                                                  \
      }                                                                        \
      y[i] = s;                                                                \
      for (int j = 0; j < n; j++) {                                            \
        float t = F(x[i * n + j] / g * 127);                                   \
        q[i * n + j] = t > -128 && t < 128 ? (int8_t)t : 1;                    \
      }                                                                        \
    }                                                                          \
  }
#define ALL(X)                                                                 \
  X(floorf) X(ceilf) X(truncf) X(rintf) X(nearbyintf) X(roundf) X(roundevenf)
#define roundevenf __builtin_roundevenf
ALL(KERNEL)
#undef roundevenf

int main(void) {
  static float x[M * N], y[M];
  static int8_t q[M * N];
  const float special[] = {-0.0f,       0.5f,       -0.5f,      1.5f,
                           2.5f,        -2.5f,      8388607.5f, -8388607.5f,
                           0.49999997f, 8388609.0f, 1e-40f,     -1e-40f,
                           INFINITY,    -INFINITY,  NAN};
  for (int k = 0; k < M * N; k++)
    x[k] = (float)(k * 7919 % 4001 - 2000) / 64;
  for (int k = 0; k < 15; k++)
    x[(k * 53 + 11) % (M * N)] = special[k];
#define RUN(F)                                                                 \
  for (int n = 1; n <= N; n += 11) {                                           \
    rows_##F(y, q, x, M, n);                                                   \
    uint64_t hash = 0;                                                         \
    for (int i = 0; i < M; i++) {                                              \
      uint32_t bits = 0x7fc00000;                                              \
      if (y[i] == y[i])                                                        \
        memcpy(&bits, &y[i], 4);                                               \
      hash = hash * 31 + bits;                                                 \
    }                                                                          \
    for (int k = 0; k < M * n; k++)                                            \
      hash = hash * 31 + (uint8_t)q[k];                                        \
    printf("%s %d %llx\n", #F, n, (unsigned long long)hash);                   \
  }
  ALL(RUN)
}
