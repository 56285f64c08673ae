// The last step of k runs past the extent.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long n,
                      long ld) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k += 2) {
        C[i * ld + j] += A[i * ld + k] * B[k * ld + j];
        C[i * ld + j] += A[i * ld + k + 1] * B[(k + 1) * ld + j];
      }
}

int main(void) {
  float *A = array(196), *B = array(196), *C = array(196);
  product(C, A, B, 13, 14);
  show(C, 196);
}
