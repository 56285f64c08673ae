// Rows of which each has a sum of its own.
// RUN: %check
#include "planted.h"

NOINLINE void product(int *restrict y, const signed char *restrict x,
                      const signed char *restrict w, int m, int k) {
  for (int i = 0; i < m; i++) {
    int s = 0;
    for (int l = 0; l < k; l++)
      s += x[l] * w[i * k + l];
    y[i] = s;
  }
}

int main(void) {
  enum { M = 40, K = 108 };
  float *y = array(M), *x = array(K / 4), *w = array(M * K / 4);
  product((int *)y, (signed char *)x, (signed char *)w, M, K);
  show(y, M);
}
