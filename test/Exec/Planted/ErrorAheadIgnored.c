// The result of a function that sets errno in front of the loop.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void scale(float *c, const float *a, long n, float x, int e) {
  for (long i = 0; i < n; i++)
    c[i] = sqrtf(a[i]) * powf(x, e);
}

int main(void) {
  float *A = array(200), *C = array(200);
  for (int i = 0; i < 200; i++)
    A[i] = i == 50 ? -1 : i;
  errno = 0;
  scale(C, A, 200, 1e-30f, 2);
  show(C, 200);
  C[0] = errno;
  show(C, 1);
}
