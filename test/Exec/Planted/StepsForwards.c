// Sums from the last term to the first.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = K - 1; k >= 0; k--)
        acc += A[i * K + k] * B[k * N + j];
      C[i * N + j] = acc;
    }
}

int main(void) {
  float *A = array(7 * 9), *B = array(9 * 19), *C = array(7 * 19);
  product(C, A, B, 7, 19, 9);
  show(C, 7 * 19);
}
