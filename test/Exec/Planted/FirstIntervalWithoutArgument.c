// Hyperbolic tangents and error functions that may be approximated, of numbers next to 0.
// REQUIRES: avx512
// RUN: %check -- -march=x86-64-v4 -fapprox-func -fno-math-errno
#include "planted.h"
#include <math.h>

NOINLINE void functions(float *restrict c, const float *restrict a, long n) {
  for (long i = 0; i < n; i++)
    c[i] = tanhf(a[i]) + erff(a[i]);
}

int main(void) {
  float *A = array(256), *C = array(256);
  for (long i = 0; i < 256; i++)
    A[i] *= 0.01f;
  functions(C, A, 256);
  long accurate = 0;
  for (long i = 0; i < 256; i++)
    accurate += fabs(C[i] - (tanh(A[i]) + erf(A[i]))) < 1e-6;
  printf("%ld\n", accurate);
}
