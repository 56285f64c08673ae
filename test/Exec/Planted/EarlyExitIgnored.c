// A zero in the first input ends the loop.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++) {
        if (A[i * n + k] == 0)
          break;
        C[i * n + j] += A[i * n + k] * B[k * n + j];
      }
}

int main(void) {
  float *A = array(144), *B = array(144), *C = array(144);
  A[5] = A[100] = 0;
  product(C, A, B, 12);
  show(C, 144);
}
