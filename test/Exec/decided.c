// Rows that do something else where they have no element, which is asked for in
// each of them: of none, of one, and of more.
//
// REQUIRES: native-x86
// RUN: %clang -O2 -DKERNEL -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O2 -DKERNEL -DNAME=made -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -o %t
// RUN: %t
// REMARK: iterations of i, j
#ifdef KERNEL
void NAME(unsigned long rows, unsigned long n, unsigned long m,
           const float *restrict x, float *restrict y, float *restrict first) {
  for (unsigned long i = 0; i < rows; i++) {
    float mean = -1, sum = m != 0 ? 0 : 2;
    if (n != 0) {
      unsigned long j = 0;
      mean = 0;
      do
        mean += x[i * n + j];
      while (++j < n);
      mean /= (float)n;
      j = 0;
      do
        sum += (x[i * n + j] - mean) * (x[i * n + j] - mean);
      while (++j < n);
    } else {
      first[i] = 7;
    }
    for (unsigned long j = 0; j < n; j++)
      y[i * n + j] = (x[i * n + j] - mean) / (sum + 0.5f);
    first[i] += mean;
  }
}
#else
#include <stdio.h>
#include <string.h>

#define ARGS                                                                   \
  (unsigned long, unsigned long, unsigned long, const float *restrict,         \
   float *restrict, float *restrict)
void plain ARGS, made ARGS;

int main(void) {
  enum { Rows = 70, N = 40 };
  static float x[Rows * N], y[2][Rows * N], first[2][Rows];
  for (int i = 0; i < Rows * N; i++)
    x[i] = (float)(i * 37 % 101) - 49.3f;
  for (unsigned long rows = 0; rows <= Rows; rows += rows < 3 ? 1 : 67)
    for (unsigned long n = 0; n <= N; n += n < 3 ? 1 : 37)
      for (unsigned long m = 0; m < 2; m++) {
        memset(y, 0, sizeof(y));
        memset(first, 0, sizeof(first));
        plain(rows, n, m, x, y[0], first[0]);
        made(rows, n, m, x, y[1], first[1]);
        if (memcmp(y[0], y[1], sizeof(y[0])) ||
            memcmp(first[0], first[1], sizeof(first[0]))) {
          printf("differs: %lu x %lu, %lu\n", rows, n, m);
          return 1;
        }
      }
}
#endif
