// One function stores the sums, the other adds them.
// RUN: %check
#include "planted.h"

PRODUCT(product)

NOINLINE void add(float *C, const float *A, const float *B, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float acc = 0;
      for (long k = 0; k < n; k++)
        acc += A[i * n + k] * B[k * n + j];
      C[i * n + j] += acc;
    }
}

int main(void) {
  float *A = array(81), *B = array(81), *C = array(81);
  product(C, 9, A, 9, B, 9, 9, 9, 9);
  show(C, 81);
  add(C, A, B, 9);
  show(C, 81);
}
