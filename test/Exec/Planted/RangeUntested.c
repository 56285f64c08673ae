// Results that overflow or are zero: powers of two that double does not have either.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void exps(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}

int main(void) {
  float *x = array(64), *y = array(64);
  for (int i = 0; i < 64; i++)
    x[i] = i % 3 == 0 ? 1000 + 9 * i : i % 3 == 1 ? -1000 - 7 * i : 3e9f;
  exps(y, x, 64);
  show(y, 64);
}
