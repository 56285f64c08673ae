// Start values whose rows are farther apart than those of the output.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *S, const float *A, const float *B,
                      long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float acc = S[i * 11 + j];
      for (long k = 0; k < n; k++)
        acc += A[i * n + k] * B[k * n + j];
      C[i * n + j] = acc;
    }
}

int main(void) {
  float *A = array(81), *B = array(81), *C = array(81), *S = array(99);
  product(C, S, A, B, 9);
  show(C, 81);
}
