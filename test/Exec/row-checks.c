// Checks of rows that leave a product early: all that was written before is
// there, nothing else.
//
// REQUIRES: native-x86
// RUN: %clang -O2 -DKERNEL -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O2 -DKERNEL -DNAME=made -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -o %t
// RUN: %t
// REMARK: matmul.nn f32
#ifdef KERNEL
long NAME(long m, long n, unsigned long size, const float *restrict a,
          const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++) {
    if (i == (long)(size / 19))
      return i;
    for (long j = 0; j < n; j++)
      for (long l = 0; l < 19; l++)
        c[i * n + j] += a[i * 19 + l] * b[l * n + j];
  }
  return -1;
}
#else
#include <stdio.h>
#include <string.h>

#define ARGS                                                                   \
  (long, long, unsigned long, const float *restrict, const float *restrict,    \
   float *restrict)
long plain ARGS, made ARGS;

int main(void) {
  enum { M = 40, N = 33 };
  static float a[M * 19], b[19 * N], c[M * N], d[M * N];
  for (int i = 0; i < M * 19; i++)
    a[i] = (float)(i % 29) - 13.1f;
  for (int i = 0; i < 19 * N; i++)
    b[i] = (float)(i % 23) - 11.3f;
  for (long m = 0; m <= M; m += m < 3 ? 1 : 37)
    for (unsigned long size = 0; size <= M * 19 + 40; size += 7) {
      memset(c, 0, sizeof(c));
      memset(d, 0, sizeof(d));
      long left = plain(m, N, size, a, b, c);
      if (left != made(m, N, size, a, b, d) || memcmp(c, d, sizeof(c)))
        return printf("%ld rows of %lu elements\n", m, size), 1;
    }
  return 0;
}
#endif
