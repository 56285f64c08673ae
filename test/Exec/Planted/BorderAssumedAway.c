// Windows of one element that begin in front of the image.
// RUN: %check
#include "planted.h"

NOINLINE void convolution(float *y, const float *x, const float *w, int size,
                          int pad, int f, int c, int m, int n, int h, int v) {
  for (int o = 0; o < f; o++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        float s = 0;
        for (int k = 0; k < c; k++)
          for (int p = 0; p < size; p++)
            for (int q = 0; q < size; q++) {
              int a = i + p - pad, b = j + q - pad;
              if (a >= 0 && a < h && b >= 0 && b < v)
                s += x[(k * h + a) * v + b] *
                     w[((o * c + k) * size + p) * size + q];
            }
        y[(o * m + i) * n + j] = s;
      }
}

int main(void) {
  float *x = array(4 * 130), *w = array(16 * 4), *y = array(16 * 180);
  convolution(y, x, w, 1, 1, 16, 4, 12, 15, 10, 13);
  show(y, 16 * 180);
}
