// Maxima of rows by fmaxf of what is known to be a number: of zeros of both signs it is the
// last one, and the first one where nothing is known.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void rows(float *restrict y, const float *restrict x, int n, int m) {
  for (int i = 0; i < n; i++) {
    float max = 0, sum = 0;
    for (int j = 0; j < m; j++)
      max = fmaxf(max, fminf(x[i * m + j], 2));
    for (int j = 0; j < m; j++)
      sum += x[i * m + j] - max;
    y[2 * i] = sum;
    y[2 * i + 1] = copysignf(1, max);
  }
}

int main(void) {
  enum { N = 16, M = 40 };
  float *x = array(N * M), *y = array(2 * N);
  for (int i = 0; i < N * M; i++)
    x[i] = -0.0f;
  rows(y, x, N, M);
  show(y, 2 * N);
}
