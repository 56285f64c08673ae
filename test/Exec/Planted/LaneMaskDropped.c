// Sums of the elements of each column down to the diagonal.
// RUN: %check
#include "planted.h"

NOINLINE void upper(float *c, const float *a, long m, long n) {
  for (long j = 0; j < n; j++) {
    float s = 0;
    for (long i = 0; i < m; i++)
      if (i <= j)
        s += a[i * n + j] + 1;
    c[j] = s;
  }
}

int main(void) {
  float *A = array(16 * 32), *C = array(32);
  upper(C, A, 16, 32);
  show(C, 32);
}
