// A convolution for any x86-64, where products are rounded before they are added.
// RUN: %check -- -O3 -march=x86-64
#include "planted.h"

NOINLINE void convolve(float *restrict y, const float *restrict x,
                       const float *restrict w, long n, long filters) {
  for (long f = 0; f < filters; f++)
    for (long i = 0; i < n; i++) {
      float s = 0;
      for (long k = 0; k < 5; k++)
        if (i + k < n)
          s += x[i + k] * w[f * 5 + k];
      y[f * n + i] = s;
    }
}

int main(void) {
  float *Y = array(900), *X = array(100), *W = array(45);
  convolve(Y, X, W, 100, 9);
  show(Y, 900);
}
