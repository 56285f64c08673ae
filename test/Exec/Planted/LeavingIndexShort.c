// The row index is used behind the loops.
// RUN: %check
#include "planted.h"

NOINLINE long product(float *C, const float *A, const float *B, long n) {
  long i;
  for (i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float acc = 0;
      for (long k = 0; k < n; k++)
        acc += A[i * n + k] * B[k * n + j];
      C[i * n + j] = acc;
    }
  return i;
}

int main(void) {
  float *A = array(81), *B = array(81), *C = array(81);
  printf("%ld\n", product(C, A, B, 9));
}
