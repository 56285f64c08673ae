// Maxima of rows by fmaxf that start from memory, where there is no number.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void rows(float *restrict y, const float *restrict x, int n, int m) {
  for (int i = 0; i < n; i++) {
    float max = y[i], sum = 0;
    for (int j = 0; j < m; j++)
      max = fmaxf(max, x[i * m + j]);
    for (int j = 0; j < m; j++)
      sum += x[i * m + j] - max;
    y[i] = sum;
  }
}

int main(void) {
  enum { N = 16, M = 40 };
  float *x = array(N * M), *y = array(N);
  for (int i = 0; i < N; i++)
    y[i] = i % 3 ? NAN : (float)i;
  rows(y, x, N, M);
  show(y, N);
}
