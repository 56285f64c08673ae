// No steps: the sums are their start.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *restrict C, const float *restrict A,
                      const float *restrict B, long n, long K) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += A[i * n + k] * B[k * n + j];
      C[i * n + j] = acc;
    }
}

int main(void) {
  float *A = array(81), *B = array(81), *C = array(81);
  product(C, A, B, 9, 0);
  show(C, 81);
}
