// A loop that goes on behind where one that is unrolled should have ended.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long M, long N,
                      long K, long End) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < End; k += 2) {
        acc += A[i * K + k] * B[k * N + j];
        acc += A[i * K + k + 1] * B[(k + 1) * N + j];
      }
      for (long k = End; k < K; k++)
        acc += A[i * K + k] * B[k * N + j];
      C[i * N + j] = acc;
    }
}

int main(void) {
  float *a = array(18 * 19), *b = array(19 * 20), *c = array(18 * 20);
  product(c, a, b, 18, 20, 19, 9);
  show(c, 18 * 20);
}
