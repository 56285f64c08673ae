// Rows behind pointers, of which two have changed places.
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
  float *a = array(7 * 9), *b = array(9 * 19), *c = array(7 * 19);
  float *A[7], *B[9], *C[7];
  for (int i = 0; i < 7; i++) {
    A[i] = a + 9 * i;
    C[i] = c + 19 * i;
  }
  for (int k = 0; k < 9; k++)
    B[k] = b + 19 * (k < 7 ? k : 15 - k);
  product(C, A, B, 7, 19, 9);
  show(c, 7 * 19);
}
