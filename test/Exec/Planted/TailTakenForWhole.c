// The last elements end where memory does, and vectors would go beyond.
// RUN: %check -- -march=haswell
#include "planted.h"
#include <math.h>

NOINLINE void exponentials(float *y, const float *x, long n) {
  for (long j = 0; j < n; j++)
    y[j] = expf(x[j]);
}

int main(void) {
  float *X = array(37), *Y = array(40);
  exponentials(Y, X, 37);
  show(Y, 40);
}
