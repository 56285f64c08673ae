// Five rows in eight lanes, of which three are in two lanes.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void logs(float *y, const float *x, long m, long n) {
  for (long i = 0; i < m; i++) {
    float max = x[i * n], sum = 0;
    for (long j = 0; j < n; j++)
      if (x[i * n + j] > max)
        max = x[i * n + j];
    for (long j = 0; j < n; j++)
      sum += expf(x[i * n + j] - max);
    y[i] = max + logf(sum);
  }
}

int main(void) {
  float *X = array(11 * 300), *Y = array(11);
  for (long m = 4; m <= 11; ++m) {
    logs(Y, X, m, 300);
    show(Y, 11);
  }
}
