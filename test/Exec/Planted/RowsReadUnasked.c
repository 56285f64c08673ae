// Rows behind pointers that are not there, where no element is computed.
// RUN: %check
#include "planted.h"

NOINLINE void product(float **C, float **A, float **B, long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += A[i][k] * B[k][j];
      C[i][j] = acc;
    }
}

int main(void) {
  float *a = array(7 * 9), *A[7];
  for (int i = 0; i < 7; i++)
    A[i] = a + 9 * i;
  product(0, A, 0, 7, 0, 9);
  product(0, 0, 0, 0, 7, 9);
  show(a, 7 * 9);
}
