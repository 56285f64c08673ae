// Blocks of a softmax in place come before those of two arrays, whose functions run them.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void softmax(float *y, const float *x, long m, long n) {
  for (long i = 0; i < m; i++) {
    float max = x[i * n], sum = 0;
    for (long j = 0; j < n; j++)
      if (x[i * n + j] > max)
        max = x[i * n + j];
    for (long j = 0; j < n; j++) {
      y[i * n + j] = expf(x[i * n + j] - max);
      sum += y[i * n + j];
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] /= sum;
  }
}

int main(void) {
  float *X = array(40 * 77), *Y = array(40 * 77);
  softmax(Y, X, 40, 77);
  show(Y, 40 * 77);
  softmax(X, X, 40, 77);
  show(X, 40 * 77);
}
