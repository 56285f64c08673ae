// Images beside the diagonal are starts of later sums.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, long n, long ld) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++) {
      for (long k = 0; k < n; k++)
        C[i * 64 + j] += A[i * ld + k] * A[j * ld + k];
      C[(j + 1) * 64 + i] = C[i * 64 + j];
    }
}

int main(void) {
  float *A = array(400), *C = array(64 * 64);
  product(C, A, 20, 20);
  show(C, 64 * 64);
}
