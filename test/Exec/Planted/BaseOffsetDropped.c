// An input that starts behind its pointer.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long from,
                      long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float acc = 0;
      for (long k = 0; k < n; k++)
        acc += A[from + i * n + k] * B[k * n + j];
      C[i * n + j] = acc;
    }
}

int main(void) {
  float *A = array(120), *B = array(81), *C = array(81);
  product(C, A, B, 13, 9);
  show(C, 81);
}
