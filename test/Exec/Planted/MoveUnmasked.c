// Borders of an image in a copy of its pixels.
// RUN: %check
// REQUIRES: avx512
#include "planted.h"

NOINLINE void convolution(int *restrict y, const unsigned char *restrict x,
                          const signed char *restrict w, int k) {
  for (int f = 0; f < 8; f++)
    for (int h = 0; h < 9; h++)
      for (int v = 0; v < 30; v++) {
        int s = 0;
        for (int c = 0; c < k; c++)
          for (int r = 0; r < 3; r++)
            for (int t = 0; t < 3; t++) {
              int p = h + r - 1, q = v + t - 1;
              if (p >= 0 && p < 9 && q >= 0 && q < 30)
                s += x[(c * 9 + p) * 30 + q] * w[((f * k + c) * 3 + r) * 3 + t];
            }
        y[(f * 9 + h) * 30 + v] = s;
      }
}

int main(void) {
  enum { K = 8, N = 8 * 9 * 30 };
  float *y = array(N), *x = array(K * 9 * 30 / 4), *w = array(8 * K * 9 / 4);
  convolution((int *)y, (unsigned char *)x, (signed char *)w, K);
  show(y, N);
}
