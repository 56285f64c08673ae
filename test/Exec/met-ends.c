// Loops that count down in steps until nothing is left: steps fill what there is, or go
// past it and round all numbers of their type before they meet the end.
//
// REQUIRES: native-x86
// RUN: %clang -O2 -DKERNEL -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O2 -DKERNEL -DNAME=made -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -o %t
// RUN: %t
// REMARK-COUNT-3: conv1d f32
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
#define ARGS(TYPE)                                                             \
  (unsigned long m, unsigned long n, TYPE k, const float *a, const float *b,   \
   float *c)
#define PRODUCT(NAME, TYPE, STEP)                                              \
  void NAME ARGS(TYPE) {                                                         \
    for (unsigned long i = 0; i < m; i++)                                      \
      for (unsigned long j = 0; j < n; j++) {                                  \
        const float *x = a + i, *w = b + j;                              \
        TYPE left = k;                                                         \
        float s = 0;                                                           \
        do {                                                                   \
          s += *x++ * *w;                                                      \
          w += n;                                                              \
          left -= STEP;                                                        \
        } while (left != 0);                                                   \
        c[i * n + j] = s;                                                      \
      }                                                                        \
  }
#ifdef KERNEL
PRODUCT(NAMED(NAME, bytes), unsigned long, 4)
PRODUCT(NAMED(NAME, thirds), unsigned char, 3)
PRODUCT(NAMED(NAME, sevenths), unsigned short, 7)
#else
#include <stdlib.h>
#include <string.h>
#define DECLARE(F, TYPE) void plain_##F ARGS(TYPE), made_##F ARGS(TYPE);
DECLARE(bytes, unsigned long)
DECLARE(thirds, unsigned char)
DECLARE(sevenths, unsigned short)
enum { M = 20, N = 40, K = 1 << 16 };
int main(void) {
  float *a = malloc((M + K) * 4), *b = malloc(K * N * 4);
  for (int i = 0; i < M + K; i++)
    a[i] = i % 13 - 6;
  for (int i = 0; i < K * N; i++)
    b[i] = i % 11 - 5;
  static float plain[M * N], made[M * N];
#define COMPARE(F, LENGTH)                                                     \
  memset(plain, 1, sizeof plain), memcpy(made, plain, sizeof made);            \
  plain_##F(M, N, LENGTH, a, b, plain);                                        \
  made_##F(M, N, LENGTH, a, b, made);                                          \
  if (memcmp(plain, made, sizeof made))                                        \
    return 1;
  // All that a byte may count: zero is met from each by some number of steps.
  for (unsigned long k = 0; k < 256; k++) {
    if (k && k % 4 == 0) {
      COMPARE(bytes, k)
    }
    COMPARE(thirds, k)
    if (k && k % 7 == 0) {
      COMPARE(sevenths, k)
    }
  }
  COMPARE(sevenths, 0)
  COMPARE(sevenths, 15)
}
#endif
