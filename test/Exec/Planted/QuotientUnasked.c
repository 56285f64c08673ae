// A stride in bytes that is no whole number of elements.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long M, long N,
                      long K, long stride) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += A[(i * stride >> 2) + k] * B[k * N + j];
      C[i * N + j] = acc;
    }
}

int main(void) {
  float *a = array(17 * 16), *b = array(16 * 16), *c = array(16 * 16);
  product(c, a, b, 16, 16, 16, 67);
  show(c, 16 * 16);
}
