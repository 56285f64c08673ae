// Sums of no elements do not begin, either.
// RUN: %check
#include "planted.h"

NOINLINE void products(float *restrict c, const float *restrict a,
                       const float *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int p = 0; p < k; p++) {
        if (p == 0)
          c[i * n + j] = 0;
        c[i * n + j] += a[i * k + p] * b[p * n + j];
      }
}

int main(void) {
  float *a = array(30 * 20), *b = array(20 * 40), *c = array(30 * 40);
  products(c, a, b, 30, 40, 0);
  show(c, 30 * 40);
}
