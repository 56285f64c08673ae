// The first rows of an output larger than the caches, in front of its first line.
// RUN: %check -- -march=x86-64 -mavx2 -mtune=znver1
#include "planted.h"

NOINLINE void transpose(float *restrict c, const float *restrict a, long m,
                        long n) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[j * m + i] = a[i * n + j];
}

int main(void) {
  enum { M = 2040, N = 1024 };
  float *a = array(M * N), *c = array(M * N + 8);
  transpose(c + 3, a, M, N);
  show(c + 3, M * N);
}
