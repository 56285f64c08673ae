// Rows that overlap: a column of one is another one of the next.
// RUN: %check
#include "planted.h"

NOINLINE void substitute(float *restrict x, const float *restrict a, long m,
                         long n, long pitch) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < i; k++)
        x[i * pitch + j] -= a[i * m + k] * x[k * pitch + j];
}

int main(void) {
  float *x = array(60 * 100), *a = array(30 * 30);
  substitute(x, a, 30, 80, 60);
  show(x, 30 * 60 + 80);
}
