//===- heap.c - Products in memory of exactly their size ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: heap [SHORT]
//
// Multiplies matrices that end where their last element does; the gaps between
// rows, and C before it is written, are not initialized. Every result decides a
// branch, so that memcheck sees what was made of values nobody wrote. SHORT is
// how many elements of B are missing: then reading them is an error.
//
//===----------------------------------------------------------------------===//
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL static __attribute__((noinline)) void

KERNEL set(long m, long n, long k, const float *a, long lda, const float *b,
           long ldb, float *c, long ldc) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += a[i * lda + l] * b[l * ldb + j];
      c[i * ldc + j] = s;
    }
}

KERNEL update(long m, long n, long k, const float *a, long lda, const float *b,
              long ldb, float *c, long ldc) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        c[i * ldc + j] += a[i * lda + l] * b[l * ldb + j];
}

static uint32_t State = 1;
static float number(void) {
  return (float)((State = State * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
}

static float *matrix(long rows, long columns, long ld, long missing) {
  float *p = malloc(sizeof(float) * (size_t)((rows - 1) * ld + columns));
  if (!p)
    abort();
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      p[i * ld + j] = number();
  return missing ? realloc(p, sizeof(float) *
                                  (size_t)((rows - 1) * ld + columns - missing))
                 : p;
}

int main(int argc, char **argv) {
  static const long Shapes[][3] = {
      {7, 19, 5},  {6, 16, 16}, {13, 33, 70}, {1, 40, 12},   {5, 1, 300},
      {40, 70, 3}, {64, 8, 64}, {61, 9, 20},  {97, 129, 40}, {50, 70, 1100}};
  long missing = argc > 1 ? atol(argv[1]) : 0;
  uint64_t hash = 1469598103934665603ull;
  for (size_t s = 0; s < sizeof Shapes / sizeof *Shapes; s++) {
    long m = Shapes[s][0], n = Shapes[s][1], k = Shapes[s][2];
    long gap = (long)(s % 4);
    float *a = matrix(m, k, k + gap, 0);
    float *b = matrix(k, n, n + gap, missing);
    float *c = malloc(sizeof(float) * (size_t)((m - 1) * (n + gap) + n));
    if (!b || !c)
      abort();
    set(m, n, k, a, k + gap, b, n + gap, c, n + gap);
    update(m, n, k, a, k + gap, b, n + gap, c, n + gap);
    for (long i = 0; i < m; i++)
      for (long j = 0; j < n; j++) {
        uint32_t bits;
        memcpy(&bits, &c[i * (n + gap) + j], 4);
        if (bits & 1)
          hash ^= 0x9e3779b97f4a7c15ull;
        hash = (hash ^ bits) * 1099511628211ull;
      }
    free(a);
    free(b);
    free(c);
  }
  printf("%016llx\n", (unsigned long long)hash);
  return 0;
}
