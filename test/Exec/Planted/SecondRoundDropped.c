// A loop of two rounds around one whose rounds are known at run time.
// RUN: %check
#include "planted.h"

NOINLINE void twice(float *y, const float *x, long n) {
  for (int b = 0; b < 2; b++)
    for (long i = 0; i < n; i++) {
      float s = 0;
      for (long j = 0; j < n; j++)
        s += x[i * n + j];
      y[b * n + i] = s;
    }
}

int main(void) {
  float *X = array(40 * 40), *Y = array(80);
  twice(Y, X, 40);
  show(Y, 80);
}
