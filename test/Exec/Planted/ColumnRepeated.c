// Sums of exponentials: rows are lanes, and columns come in blocks.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void sums(float *restrict y, const float *restrict x, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += expf(x[i * n + j]);
    y[i] = s;
  }
}

int main(void) {
  float *X = array(16 * 37), *Y = array(16);
  sums(Y, X, 16, 37);
  show(Y, 16);
}
