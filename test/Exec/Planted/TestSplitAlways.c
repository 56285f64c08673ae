// A bias that there may be: without one nothing is added, with one it is.
// RUN: %check
#include "planted.h"

NOINLINE void window(signed char *restrict o, const signed char *restrict x,
                     const signed char *restrict w, const int *restrict bias,
                     int width, int n, int k, int r) {
  for (int i = 0; i < width; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int q = 0; q < r; q++)
        if (i + q >= 1 && i + q < width + 1)
          for (int l = 0; l < k; l++)
            s += x[(i + q - 1) * k + l] * w[(j * r + q) * k + l];
      if (bias)
        s += bias[j];
      o[i * n + j] = (signed char)(s >> 9);
    }
}

int main(void) {
  enum { W = 20, N = 40, K = 32, R = 3 };
  float *o = array(W * N / 4), *x = array(W * K / 4), *w = array(N * K * R / 4);
  static int bias[N];
  for (int j = 0; j < N; j++)
    bias[j] = 40000 * j;
  window((signed char *)o, (signed char *)x, (signed char *)w, bias, W, N, K, R);
  show(o, W * N / 4);
}
