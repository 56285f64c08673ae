// Sums start from a bias only where one is wanted.
// RUN: %check
#include "planted.h"

NOINLINE void linear(float *C, const float *A, const float *B,
                     const float *bias, int wanted, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float acc = wanted ? bias[j] : 0.0f;
      for (long k = 0; k < n; k++)
        acc += A[i * n + k] * B[k * n + j];
      C[i * n + j] = acc;
    }
}

int main(void) {
  float *A = array(81), *B = array(81), *C = array(81), *bias = array(9);
  linear(C, A, B, bias, 0, 9);
  show(C, 81);
}
