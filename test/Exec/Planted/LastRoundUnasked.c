// One step behind a loop that is unrolled by four.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long M, long N,
                      long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      long k = 0;
      for (; k + 3 < K; k += 4) {
        acc += A[i * K + k] * B[k * N + j];
        acc += A[i * K + k + 1] * B[(k + 1) * N + j];
        acc += A[i * K + k + 2] * B[(k + 2) * N + j];
        acc += A[i * K + k + 3] * B[(k + 3) * N + j];
      }
      if (k < K)
        acc += A[i * K + k] * B[k * N + j];
      C[i * N + j] = acc;
    }
}

int main(void) {
  float *a = array(18 * 19), *b = array(19 * 20), *c = array(18 * 20);
  product(c, a, b, 18, 20, 19);
  show(c, 18 * 20);
}
