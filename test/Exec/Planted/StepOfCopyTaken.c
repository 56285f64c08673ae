// A small transposed first input, whose rows are longer than a tile.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *restrict C, const float *restrict A,
                      const float *restrict B, long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += A[k * M + i] * B[k * N + j];
      C[i * N + j] = acc;
    }
}

int main(void) {
  float *A = array(20 * 12), *B = array(12 * 16), *C = array(20 * 16);
  product(C, A, B, 20, 16, 12);
  show(C, 20 * 16);
}
