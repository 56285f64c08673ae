// An array that there is only where a branch is taken.
// RUN: %check
#include "planted.h"

NOINLINE void linear(signed char *restrict o, const signed char *restrict x,
                     const signed char *restrict w, const int *more, int m,
                     int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += x[i * k + l] * w[j * k + l];
      if (s > 30 * 128 * 128)
        s = more[j];
      o[i * n + j] = (signed char)(s >> 8);
    }
}

int main(void) {
  enum { M = 20, N = 40, K = 30 };
  float *o = array(M * N / 4), *x = array(M * K / 4), *w = array(N * K / 4);
  linear((signed char *)o, (signed char *)x, (signed char *)w, 0, M, N, K);
  show(o, M * N / 4);
}
