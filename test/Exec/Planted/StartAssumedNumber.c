// The greatest number of a row that begins with what is none.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void greatest(float *c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = a[i * n];
    for (long j = 1; j < n; j++)
      s = fmaxf(s, a[i * n + j]);
    c[i] = s;
  }
}

int main(void) {
  float *A = array(16 * 200), *C = array(16);
  A[200] = NAN;
  greatest(C, A, 16, 200);
  show(C, 16);
}
