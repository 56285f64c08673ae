// Matrices are parts of one array, and the product is written over the second one.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *all, long toB, long toC, long M, long N, long K) {
  float *A = all, *B = A + toB, *C = A + toC;
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += A[i * K + k] * B[k * N + j];
      C[i * N + j] = acc;
    }
}

int main(void) {
  enum { M = 12, N = 40, K = 12 };
  float *all = array(M * K + K * N + M * N);
  product(all, M * K, M * K + K * N, M, N, K);
  show(all, M * K + K * N + M * N);
  product(all, M * K, M * K + 3 * N, M, N, K);
  show(all, M * K + K * N + M * N);
}
