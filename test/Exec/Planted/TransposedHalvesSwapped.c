// A transposed operand.
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
  float *A = array(128), *B = array(256), *C = array(128);
  product(A, B, C, 8, 16, 16);
  show(C, 128);
}
