// Signed bytes become unsigned ones as they are read, three of the last four.
// REQUIRES: avx512vnni
// RUN: %check -- -march=x86-64-v4 -mavx512vnni -mtune=znver4
#include "planted.h"

NOINLINE void product(int *restrict c, const signed char *restrict a, const signed char *restrict b,
                      int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

int main(void) {
  enum { M = 12, N = 80, K = 68 };
  float *c = array(M * N), *a = array(M * K / 4), *b = array(K * N / 4);
  // The stack has the whole ones of before then.
  for (int k = K; k > K - 2; k--)
    product((int *)c, (signed char *)a, (signed char *)b, M, N, k);
  show(c, M * N);
}
