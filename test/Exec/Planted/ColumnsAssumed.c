// Rows of two lengths: a column of one kind is another one of the other.
// RUN: %check
#include "planted.h"

NOINLINE void update(float *restrict x, const float *restrict a, long m,
                     long n) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < m; k++)
        x[i * n + j] -= a[i * m + k] * x[k * (n + 1) + j];
}

int main(void) {
  float *x = array(12 * 81), *a = array(12 * 12);
  update(x, a, 12, 80);
  show(x, 12 * 81);
}
