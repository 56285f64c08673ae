// A number that is errno, read between functions that set it.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void shifted(float *restrict c, const float *restrict a, const int *k,
                      long n) {
  for (long i = 0; i < n; i++)
    c[i] = expf(a[i]) + (float)*k;
}

int main(void) {
  float *A = array(200), *C = array(200);
  for (int i = 0; i < 200; i++)
    A[i] = i == 50 ? 100 : 1;
  errno = 0;
  shifted(C, A, &errno, 192);
  show(C, 192);
}
