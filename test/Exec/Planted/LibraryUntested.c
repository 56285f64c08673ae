// A program with a function of its own in the library's stead, whose results are
// others.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void exps(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}

int main(void) {
  float *x = array(64), *y = array(64);
  exps(y, x, 64);
  show(y, 64);
}
