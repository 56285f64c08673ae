// What was asked of a sum before it changes.
// RUN: %check
#include "planted.h"

NOINLINE void folded(signed char *restrict o, const signed char *restrict x,
                     const signed char *restrict w, int m, int n, int k,
                     int bits) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += x[i * k + l] * w[j * k + l];
      int part = s / 77 % 50;
      if (s > 9)
        s = ((s * 3) ^ j) % 91 + (s >> 3) * bits;
      o[i * n + j] = (signed char)((s >> 6) + part);
    }
}

int main(void) {
  enum { M = 20, N = 40, K = 30 };
  float *o = array(M * N / 4), *x = array(M * K / 4), *w = array(N * K / 4);
  folded((signed char *)o, (signed char *)x, (signed char *)w, M, N, K, 7);
  show(o, M * N / 4);
}
