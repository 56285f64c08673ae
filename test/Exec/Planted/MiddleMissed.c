// Squares in the middle between two floats, which LLVM makes products of without the
// plugin.
// Not self-checked: both sides call the same function.
// RUN: env DLOPT_OPTIONS=math=correct %check
#include "planted.h"
#include <math.h>

NOINLINE void squares(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = powf(x[i], 2);
}

int main(void) {
  float *x = array(4000), *y = array(4000);
  for (int i = 0; i < 4000; i++)
    x[i] = 4097 + 2 * i;
  squares(y, x, 4000);
  show(y, 4000);
}
