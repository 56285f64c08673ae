// Every second column of an array that ends with the last one read.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += A[i * K + k] * B[2 * (k * N + j)];
      C[i * N + j] = acc;
    }
}

int main(void) {
  float *A = array(7 * 9), *B = array(2 * 9 * 32 - 1), *C = array(7 * 32);
  product(C, A, B, 7, 32, 9);
  show(C, 7 * 32);
}
