// Roots in lanes, one of a negative number.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void roots(float *restrict c, const float *restrict a, long n) {
  for (long i = 0; i < n; i++)
    c[i] = sqrtf(a[i]);
}

int main(void) {
  float A[64], C[64];
  for (int i = 0; i < 64; i++)
    A[i] = i == 40 ? -1 : i;
  roots(C, A, 64);
  C[40] = errno == EDOM;
  show(C, 64);
}
