// What lies behind the diagonal stays as it is.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      for (long k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
}

int main(void) {
  float *A = array(400), *B = array(400), *C = array(400);
  product(C, A, B, 20);
  show(C, 400);
}
