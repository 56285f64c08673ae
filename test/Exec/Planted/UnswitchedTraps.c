// A quotient that nobody asks for, where there are no rows.
// RUN: %check
#include "planted.h"

NOINLINE void linear(signed char *restrict o, const signed char *restrict x,
                     const signed char *restrict w, const int *restrict bias,
                     int m, int n, int k, int q, int d) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += x[i * k + l] * w[j * k + l];
      if (q / d > 3)
        s += bias[j];
      o[i * n + j] = (signed char)(s >> 8);
    }
}

int main(void) {
  enum { M = 20, N = 40, K = 30 };
  float *o = array(M * N / 4), *x = array(M * K / 4), *w = array(N * K / 4);
  int bias[N];
  for (int j = 0; j < N; j++)
    bias[j] = 1000 * j;
  linear((signed char *)o, (signed char *)x, (signed char *)w, bias, M, N, K, 9,
         2);
  show(o, M * N / 4);
  linear((signed char *)o, (signed char *)x, (signed char *)w, bias, 0, N, K, 9,
         0);
  show(o, M * N / 4);
}
