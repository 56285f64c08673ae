// The last group of a convolution has fewer channels than the others.
// RUN: %check
#include "planted.h"

NOINLINE void convolve(float *y, const float *x, const float *w, int m, int n,
                       int groups, int own, int k) {
  for (int i = 0; i < m; i++)
    for (int o = 0; o < n; o++) {
      float sum = 0;
      for (int u = 0; u < 3; u++) {
        if (i + u < 1 || i + u > m)
          continue;
        for (int c = 0; c < k; c++)
          sum += x[((i + u - 1) * groups + o / own) * k + c] *
                 w[(o * 3 + u) * k + c];
      }
      y[i * n + o] = sum;
    }
}

int main(void) {
  enum { Rows = 40, Outputs = 38, Own = 16, Groups = 3, Inputs = 24 };
  float *x = array(Rows * Groups * Inputs), *w = array(Outputs * 3 * Inputs),
        *y = array(Rows * Outputs);
  convolve(y, x, w, Rows, Outputs, Groups, Own, Inputs);
  show(y, Rows * Outputs);
}
