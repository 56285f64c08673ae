// Rows of no elements, of an array that has none either.
// RUN: %check
#include "planted.h"

NOINLINE void linear(float *restrict y, const float *restrict x,
                     const float *restrict w, unsigned long M, unsigned long N,
                     unsigned long n, unsigned long t) {
  for (unsigned long i = 0; i < M; i++) {
    unsigned long K = t ? t / n : 0;
    for (unsigned long j = 0; j < N; j++) {
      float s = 0;
      for (unsigned long k = 0; k < K; k++)
        s += x[i * K + k] * w[j * K + k];
      y[i * N + j] = s;
    }
  }
}

int main(void) {
  enum { M = 9, N = 40, K = 12 };
  float *y = array(M * N), *x = array(M * K), *w = array(N * K);
  linear(y, x, w, M, N, 1, K);
  show(y, M * N);
  linear(y, x, w, M, N, 0, 0);
  show(y, M * N);
}
