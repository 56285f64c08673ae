// A convolution with a border, whose first and last columns are left out in some rounds.
// RUN: %check -- -O3 -mavx2
#include "planted.h"

NOINLINE void convolve(float *restrict y, const float *restrict x,
                       const float *restrict w, long n, long filters) {
  for (long f = 0; f < filters; f++)
    for (long i = 0; i < n; i++) {
      float s = 0;
      for (long k = 0; k < 3; k++)
        if (i + k >= 1 && i + k <= n)
          s += x[i + k - 1] * w[f * 3 + k];
      y[f * n + i] = s;
    }
}

int main(void) {
  float *Y = array(900), *X = array(100), *W = array(27);
  convolve(Y, X, W, 100, 9);
  show(Y, 900);
}
