// A table of 32 powers of two in memory, where nothing permutes registers.
// RUN: env DLOPT_OPTIONS=dispatch=0 %check -- -march=x86-64
#include "planted.h"
#include <math.h>

NOINLINE void exps(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}

int main(void) {
  float *x = array(64), *y = array(64);
  for (int i = 0; i < 64; i++)
    x[i] = (i - 32.5f) * 0.25f;
  exps(y, x, 64);
  show(y, 64);
}
