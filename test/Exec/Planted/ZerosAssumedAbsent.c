// A factor of zero times a number that is none.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long M, long N,
                      long K) {
  for (long i = 0; i < M; i++)
    for (long k = 0; k < K; k++)
      if (A[i * K + k] != 0)
        for (long j = 0; j < N; j++)
          C[i * N + j] += A[i * K + k] * B[k * N + j];
}

int main(void) {
  float *A = array(7 * 9), *B = array(9 * 19), *C = array(7 * 19);
  A[0] = 0;
  B[3] = __builtin_inff();
  product(C, A, B, 7, 19, 9);
  show(C, 7 * 19);
}
