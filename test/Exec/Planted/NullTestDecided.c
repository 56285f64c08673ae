// A bias that may be missing, and is.
// RUN: %check
#include "planted.h"

NOINLINE void linear(float *y, const float *x, const float *w,
                     const float *bias, long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += x[i * K + k] * w[j * K + k];
      if (bias)
        acc += bias[j];
      y[i * N + j] = acc;
    }
}

int main(void) {
  enum { M = 9, N = 40, K = 12 };
  float *y = array(M * N), *x = array(M * K), *w = array(N * K);
  linear(y, x, w, array(N), M, N, K);
  show(y, M * N);
  linear(y, x, w, NULL, M, N, K);
  show(y, M * N);
}
