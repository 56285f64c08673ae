// Sums that do not start from zero.
// RUN: %check
#include "planted.h"

NOINLINE void from(float *C, const float *A, const float *B, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float acc = 1.5f;
      for (long k = 0; k < n; k++)
        acc += A[i * n + k] * B[k * n + j];
      C[i * n + j] = acc;
    }
}

int main(void) {
  float *A = array(81), *B = array(81), *C = array(81);
  from(C, A, B, 9);
  show(C, 81);
}
