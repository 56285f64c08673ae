// Exponentials of few columns, behind those of more, which would be too large.
// Not self-checked: errno is no output.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>

NOINLINE void rows(float *restrict c, const float *restrict a,
                   const float *restrict b, long m, long n, long l) {
  for (long i = 0; i < m; i++) {
    float s = 0, t = 0;
    for (long j = 0; j < n; j++)
      s += expf(a[i * n + j]);
    float twice = a[i * n] + a[i * n + 1];
    for (long j = 0; j < l; j++)
      t += expf(b[i * l + j] * twice);
    c[i] = s + t;
  }
}

int main(void) {
  float *A = array(4 * 16), *B = array(4 * 5), *C = array(4);
  for (int i = 0; i < 4 * 16; i++)
    A[i] = 30;
  for (int i = 0; i < 4 * 5; i++)
    B[i] /= 1024;
  errno = 0;
  rows(C, A, B, 4, 16, 5);
  show(C, 4);
  printf("%d\n", errno);
}
