// Logarithms in lanes: those past the end, which are zeros, must not set errno.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void logs(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = logf(x[i]);
}

int main(void) {
  float *x = array(37), *y = array(37);
  for (int i = 0; i < 37; i++)
    x[i] = 1 + i;
  logs(y, x, 37);
  y[36] = errno == ERANGE;
  show(y, 37);
}
