// Results that are not neighbours.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < n; k++)
        s += A[i * n + k] * B[k * n + j];
      C[2 * (i * n + j)] = s;
    }
}

int main(void) {
  float *A = array(400), *B = array(400), *C = array(800);
  product(C, A, B, 20);
  show(C, 800);
}
