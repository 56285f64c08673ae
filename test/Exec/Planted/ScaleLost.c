// Products that are rounded before they are scaled.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long M, long N,
                      long K, float scale) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += A[i * K + k] * B[k * N + j] * scale;
      C[i * N + j] = acc;
    }
}

int main(void) {
  float *a = array(18 * 19), *b = array(19 * 20), *c = array(18 * 20);
  product(c, a, b, 18, 20, 19, 0.3f);
  show(c, 18 * 20);
}
