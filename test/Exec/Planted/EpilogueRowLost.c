// Each row is added to its own row.
// RUN: %check
#include "planted.h"

NOINLINE void residual(float *C, const float *A, const float *B, const float *R,
                       long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float acc = 0;
      for (long k = 0; k < n; k++)
        acc += A[i * n + k] * B[k * n + j];
      C[i * n + j] = acc + R[i * n + j];
    }
}

int main(void) {
  float *A = array(81), *B = array(81), *C = array(81), *R = array(81);
  residual(C, A, B, R, 9);
  show(C, 81);
}
