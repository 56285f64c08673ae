// Windows of five rows and columns, with a border of none.
// RUN: %check
#include "planted.h"

NOINLINE void convolution(float *y, const float *x, const float *w, int size,
                          int pad, int f, int c, int m, int n) {
  for (int o = 0; o < f; o++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        float s = 0;
        for (int k = 0; k < c; k++)
          for (int p = 0; p < size; p++)
            for (int q = 0; q < size; q++) {
              int h = i + p - pad, v = j + q - pad;
              if (h >= 0 && h < m && v >= 0 && v < n)
                s += x[(k * m + h) * n + v] *
                     w[((o * c + k) * size + p) * size + q];
            }
        y[(o * m + i) * n + j] = s;
      }
}

int main(void) {
  float *x = array(4 * 130), *w = array(16 * 4 * 25), *y = array(16 * 130);
  convolution(y, x, w, 5, 0, 16, 4, 10, 13);
  show(y, 16 * 130);
}
