// Columns that are apart by a number that is known at run time only.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long n,
                      long step) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < n; k++)
        s += A[step * (i * n + k)] * B[k * n + j];
      C[i * n + j] = s;
    }
}

int main(void) {
  float *A = array(800), *B = array(400), *C = array(400);
  product(C, A, B, 20, 2);
  show(C, 400);
}
