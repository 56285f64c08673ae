// Numbers whose exponential functions are next to the middle between two floats: a sum of
// two floats has the other side of it.
// REQUIRES: avx512
// RUN: env DLOPT_OPTIONS=math=correct %check -- -march=x86-64-v4
#include "planted.h"
#include <math.h>

NOINLINE void powers(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}

int main(void) {
  static const float Near[] = {0x1.4d9b48p-7f, 0x1.59c036p-6f};
  float *x = array(64), *y = array(64);
  for (int i = 0; i < 64; i++)
    x[i] = Near[i % 2];
  powers(y, x, 64);
  show(y, 64);
}
