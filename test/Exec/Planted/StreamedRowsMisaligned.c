// Rows of an output larger than the caches of which each second one is not where
// vectors have to be.
// RUN: %check -- -march=x86-64 -mavx2 -mtune=znver1
#include "planted.h"

NOINLINE void transpose(float *restrict c, const float *restrict a, long m,
                        long n) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[j * m + i] = a[i * n + j];
}

int main(void) {
  enum { M = 2044, N = 1024 };
  float *a = array(M * N), *c = array(M * N);
  transpose(c, a, M, N);
  show(c, M * N);
}
