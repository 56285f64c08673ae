// A weak function that another file replaces.
// Not self-checked: what the linker replaces cannot be run twice.
// RUN: %check
#include "planted.h"

__attribute__((weak)) float times(float a, float b) { return a * b; }

NOINLINE void product(float *C, const float *A, const float *B, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float acc = 0;
      for (long k = 0; k < n; k++)
        acc += times(A[i * n + k], B[k * n + j]);
      C[i * n + j] = acc;
    }
}

int main(void) {
  float *A = array(81), *B = array(81), *C = array(81);
  product(C, A, B, 9);
  show(C, 81);
}
