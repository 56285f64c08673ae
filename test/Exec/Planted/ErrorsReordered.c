// Logarithms of zero and of negative numbers in columns: errno is that of the last row's.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void logs(float *restrict y, const float *restrict x, long m, long n) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < m; i++)
      y[i * n + j] = logf(x[i * n + j]);
}

int main(void) {
  enum { ROWS = 64, COLUMNS = 32 };
  float *x = array(ROWS * COLUMNS), *y = array(ROWS * COLUMNS);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    x[i] = 2 + i;
  // A column has an error in the last row, the next one in the first row.
  x[2] = 0;
  x[(ROWS - 1) * COLUMNS + 1] = -1;
  logs(y, x, ROWS, COLUMNS);
  printf("%d\n", errno == ERANGE);
}
