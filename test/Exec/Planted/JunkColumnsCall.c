// Few short rows of a width that fills no vector, of numbers far below zero: exponential
// functions of zeros less the greatest of them would be errors.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void rows(float *restrict y, const float *restrict x, long m, long n) {
  for (long i = 0; i < m; i++) {
    float greatest = x[i * n], s = 0;
    for (long j = 1; j < n; j++)
      greatest = x[i * n + j] > greatest ? x[i * n + j] : greatest;
    for (long j = 0; j < n; j++)
      s += expf(x[i * n + j] - greatest);
    for (long j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] - greatest - logf(s);
  }
}

int main(void) {
  enum { ROWS = 4, COLUMNS = 29 };
  float *x = array(ROWS * COLUMNS), *y = array(ROWS * COLUMNS);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    x[i] = -200 + i % 7;
  errno = 0;
  rows(y, x, ROWS, COLUMNS);
  printf("%d\n", errno);
  show(y, ROWS * COLUMNS);
}
