// Sums of windows with a border, whose distance is an argument.
// REQUIRES: avx512
// RUN: env DLOPT_OPTIONS=disable=schedules %check -- -march=skylake-avx512
#include "planted.h"

NOINLINE void pool(float *y, const float *x, int n, int step, int pad, int out,
                   int window) {
  for (int w = 0; w < out; w++) {
    float s = 0;
    for (int q = 0; q < window; q++) {
      int u = w * step - pad + q;
      if (u >= 0 && u < n)
        s += x[u];
    }
    y[w] = s;
  }
}

int main(void) {
  float *X = array(200), *Y = array(100);
  pool(Y, X, 200, 2, 1, 100, 3);
  show(Y, 100);
}
