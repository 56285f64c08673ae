// Two sizes, one after the other, in one variable.
// Not self-checked: the loops that it is compared with are the copy's, too.
// RUN: %check
#include "planted.h"

static void convolution(float *y, const float *x, const float *w, int size,
                        int m, int n) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int p = 0; p < size; p++)
        for (int q = 0; q < size; q++) {
          int h = i + p - 1, v = j + q - 1;
          if (h >= 0 && h < m && v >= 0 && v < n)
            s += x[h * n + v] * w[p * size + q];
        }
      y[i * n + j] = s;
    }
}

NOINLINE void layer(float *y, const float *x, const float *w) {
  int size = 3;
  y[30 * 40] = (float)size;
  size = 5;
  convolution(y, x, w, size, 30, 40);
}

int main(void) {
  float *x = array(30 * 40), *w = array(25), *y = array(30 * 40 + 1);
  layer(y, x, w);
  show(y, 30 * 40 + 1);
}
