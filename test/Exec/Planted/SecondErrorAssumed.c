// Exponential functions and logarithms of what may be below zero in columns, each of which
// reports an error of its own: that of the last column stays.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void both(float *restrict c, const float *restrict a, long m, long n) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < m; i++)
      c[i * n + j] = expf(a[i * n + j]) + logf(a[i * n + j]);
}

int main(void) {
  enum { ROWS = 64, COLUMNS = 32 };
  float *a = array(ROWS * COLUMNS), *c = array(ROWS * COLUMNS);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    a[i] = 1;
  // A column has an error in the last row, the next one in the first row.
  a[2] = 100;
  a[(ROWS - 1) * COLUMNS + 1] = -1;
  errno = 0;
  both(c, a, ROWS, COLUMNS);
  printf("%d\n", errno == ERANGE);
}
