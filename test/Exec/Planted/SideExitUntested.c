// The second input has fewer elements than the loops ask for.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long n,
                      long size) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++) {
        if (k * n + j >= size)
          return;
        C[i * n + j] += A[i * n + k] * B[k * n + j];
      }
}

int main(void) {
  float *A = array(144), *B = array(144), *C = array(144);
  product(C, A, B, 12, 100);
  show(C, 144);
}
