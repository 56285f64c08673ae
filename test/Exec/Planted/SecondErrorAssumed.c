// Exponential functions and logarithms of what may be below zero, each of which reports
// an error of its own: the last one stays.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void both(float *restrict c, const float *restrict a, long n) {
  for (long i = 0; i < n; i++)
    c[i] = expf(a[i]) + logf(a[i]);
}

int main(void) {
  float *A = array(200), *C = array(200);
  for (int i = 0; i < 200; i++)
    A[i] = i % 8 == 2 ? -1 : i % 8 == 5 ? 100 : 1;
  errno = 0;
  both(C, A, 192);
  C[0] = errno;
  show(C, 192);
}
