// Cubes of negative numbers.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void cubes(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = powf(x[i], 3);
}

int main(void) {
  float *x = array(64), *y = array(64);
  for (int i = 0; i < 64; i++)
    x[i] = i - 20.5f;
  cubes(y, x, 64);
  show(y, 64);
}
