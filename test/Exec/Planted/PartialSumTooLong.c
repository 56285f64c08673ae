// Products of the greatest numbers of 16 and 8 bits, in 64.
// RUN: %check
#include "planted.h"

NOINLINE void rows(long *restrict c, const short *restrict a,
                   const signed char *restrict b, long m, long k) {
  for (long i = 0; i < m; i++) {
    long s = 0;
    for (long l = 0; l < k; l++)
      s += a[l] * b[i * k + l];
    c[i] = s;
  }
}

int main(void) {
  static short A[2000];
  static signed char B[8 * 2000];
  static long C[8];
  for (int i = 0; i < 2000; i++)
    A[i] = 32767;
  for (int i = 0; i < 8 * 2000; i++)
    B[i] = 127;
  rows(C, A, B, 8, 2000);
  show((float *)C, 16);
}
