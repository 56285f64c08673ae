// Exponentials that may be approximated, of arguments so large that both parts of
// log(2) count: accurate or not.
// Not self-checked: the flags allow other last digits.
// RUN: %check -- -fapprox-func -fno-math-errno
#include "planted.h"
#include <math.h>

NOINLINE void exponentials(float *restrict c, const float *restrict a, long n) {
  for (long i = 0; i < n; i++)
    c[i] = expf(a[i]);
}

int main(void) {
  float *A = array(256), *C = array(256);
  for (long i = 0; i < 256; i++)
    A[i] *= 20;
  exponentials(C, A, 256);
  long accurate = 0;
  for (long i = 0; i < 256; i++)
    accurate += fabs(C[i] / exp(A[i]) - 1) < 1e-6;
  printf("%ld\n", accurate);
}
