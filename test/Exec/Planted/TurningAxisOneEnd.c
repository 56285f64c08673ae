// B among the rows of C, whose distance is a difference of arguments.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *c, const float *a, const float *b, int m, int w,
                      int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < w - 2; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * (w - 2) + j];
      c[i * (w - 2) + j] = s;
    }
}

int main(void) {
  enum { M = 24, W = 34, K = 8 };
  float *c = array((M + K) * W), *a = array(M * K);
  product(c, a, c + 2 * W, M, W, K);
  show(c, (M + K) * W);
}
