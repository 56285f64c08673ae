// A row that each round computes for the next one; the first round has another.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long M, long N,
                      long K) {
  const float *Row = A + (M - 1) * K;
  for (long i = 0; i < M; i++) {
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += Row[k] * B[k * N + j];
      C[i * N + j] = acc;
    }
    Row = A + (i + 1) * K;
  }
}

int main(void) {
  float *a = array(18 * 19), *b = array(19 * 20), *c = array(18 * 20);
  product(c, a, b, 18, 20, 19);
  show(c, 18 * 20);
}
