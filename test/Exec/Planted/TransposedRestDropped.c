// Steps of k that fill no part of a vector.
// RUN: %check
#include "planted.h"

void product(const float *A, const float *B, float *C, long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float s = 0;
      for (long k = 0; k < K; k++)
        s += A[i * K + k] * B[j * K + k];
      C[i * N + j] = s;
    }
}

int main(void) {
  float *A = array(63), *B = array(171), *C = array(133);
  product(A, B, C, 7, 19, 9);
  show(C, 133);
}
