// Rows of halves and bfloats in lanes: squares of them are transposed as integers.
// REQUIRES: native-x86
//
// DEFINE: %{flags} = -march=native
// DEFINE: %{check} = \
// DEFINE:   %clang -O1 -fno-vectorize %{flags} %s -lm -o %t.plain && %t.plain > %t.out && \
// DEFINE:   %clang_dl -O3 %{flags} %s -lm -o %t -Rpass=dl-vectorize 2>&1 | FileCheck %s && %t | diff %t.out -
// RUN: %{check}
// REDEFINE: %{flags} = -mavx2 -mf16c -mfma
// RUN: %{check}
// CHECK-COUNT-4: iterations of i in
#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#define ROWS(NAME, T, STEP)                                                    \
  __attribute__((noinline)) static void NAME(                                  \
      float *restrict y, const T *restrict w, const float *restrict x, int m,  \
      int n) {                                                                 \
    for (int i = 0; i < m; i++) {                                              \
      float s = 0;                                                             \
      for (int j = 0; j < n; j++)                                              \
        STEP;                                                                  \
      y[i] = s;                                                                \
    }                                                                          \
  }
ROWS(dot_half, _Float16, s += (float)w[i * n + j] * x[j])
ROWS(dot_bfloat, __bf16, s += (float)w[i * n + j] * x[j])
ROWS(sum_half, _Float16, s = s * 0.5f + (float)w[i * n + j])
ROWS(scaled, _Float16, s += ((float)w[i * n + j] - x[i]) * x[i + m])

int main(void) {
  enum { M = 41, N = 70 };
  static uint16_t w[M * N];
  static float x[M + M + N], y[M];
  for (int k = 0; k < M + M + N; k++)
    x[k] = (float)(k * 7919 % 4001 - 2000) / 640;
  for (int special = 0; special < 2; special++) {
    // Subnormal numbers, infinities and NaNs are some of all.
    for (int k = 0; k < M * N; k++)
      w[k] = special ? k * 40503u >> 3 : 0x3800 + k * 977 % 1024;
    for (int m = 1; m <= M; m += 8)
      for (int n = 1; n <= N; n += 23)
        for (int kernel = 0; kernel < 4; kernel++) {
          if (kernel == 0)
            dot_half(y, (const _Float16 *)w, x, m, n);
          else if (kernel == 1)
            dot_bfloat(y, (const __bf16 *)w, x, m, n);
          else if (kernel == 2)
            sum_half(y, (const _Float16 *)w, x, m, n);
          else
            scaled(y, (const _Float16 *)w, x, m, n);
          uint32_t hash = 0;
          for (int i = 0; i < m; i++) {
            uint32_t bits = 0x7fc00000;
            if (y[i] == y[i])
              memcpy(&bits, &y[i], 4);
            hash = hash * 31 + bits;
          }
          printf("%d %d %d %d: %x\n", special, m, n, kernel, hash);
        }
  }
}
