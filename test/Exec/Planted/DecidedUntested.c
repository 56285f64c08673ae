// Rows begin with something else where a number is zero that no loop counts to.
// RUN: %check
#include "planted.h"

NOINLINE void sums(float *restrict y, const float *restrict x, unsigned long n,
                   unsigned long m) {
  for (unsigned long i = 0; i < n; i++) {
    float s = m == 0 ? 5 : 1;
    for (unsigned long j = 0; j < n; j++)
      s += x[i * n + j];
    y[i] = s;
  }
}

int main(void) {
  float *x = array(4096), *y = array(64);
  sums(y, x, 64, 0);
  show(y, 64);
}
