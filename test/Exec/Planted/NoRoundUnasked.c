// A loop that tests behind each round, and what is returned where there is none.
// RUN: %check
#include "planted.h"

NOINLINE long product(float **c, float **a, float **b, unsigned long M,
                      unsigned long N, unsigned long K) {
  long result = 5;
  unsigned long i = 0;
  if (M != 0) {
    do
      for (unsigned long j = 0; j < N; j++)
        for (unsigned long k = 0; k < K; k++)
          c[i][j] += a[i][k] * b[k][j];
    while (++i != M);
    result = 1;
  }
  return result;
}

int main(void) {
  enum { M = 9, N = 40, K = 12 };
  float *x = array(M * K), *y = array(K * N), *z = array(M * N);
  float *a[M], *b[K], *c[M];
  for (int i = 0; i < M; i++) {
    a[i] = x + i * K;
    c[i] = z + i * N;
  }
  for (int k = 0; k < K; k++)
    b[k] = y + k * N;
  z[0] = product(c, a, b, M, N, K);
  z[1] = product(c, a, b, 0, N, K);
  show(z, M * N);
}
