// Sums of no elements do not begin, either.
// Not self-checked: the loops store nothing that kernels are compared with.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void sums(float *restrict s, const float *restrict x, long m, long n) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      if (j == 0)
        s[i] = 5;
      s[i] += expf(x[i * n + j]);
    }
}

int main(void) {
  float *x = array(64 * 20), *s = array(64);
  sums(s, x, 64, 0);
  show(s, 64);
}
