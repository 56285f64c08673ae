// Every third row and column begins a window.
// RUN: %check
#include "planted.h"

NOINLINE void convolution(float *y, const float *x, const float *w, int step,
                          int pad, int m, int n) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
          int h = i * step + p - pad, v = j * step + q - pad;
          if (h >= 0 && h < 30 && v >= 0 && v < 40)
            s += x[h * 40 + v] * w[p * 3 + q];
        }
      y[i * n + j] = s;
    }
}

int main(void) {
  float *x = array(1200), *w = array(9), *y = array(130);
  convolution(y, x, w, 3, 1, 10, 13);
  show(y, 130);
}
