// A number that is errno, read before functions of the row set it.
// RUN: %check
#include "planted.h"
#include <errno.h>
double cbrt(double);
double cos(double);
double tanh(double);

NOINLINE void rows(double *x, int *number, long m, long n) {
  for (long i = 0; i < m; i++) {
    double scale = 1, sum = 0;
    for (long j = 0; j < n; j++)
      sum += tanh(x[i * n + j] - scale);
    scale *= *number;
    for (long j = 0; j < n; j++)
      x[i * n + j] = cos(x[i * n + j]);
    for (long j = 0; j < n; j++)
      if (x[i * n + j] > 0)
        x[i * n + j] = cbrt(x[i * n + j] * 0.5f + sum);
    for (long j = 0; j < n; j++)
      x[i * n + j] *= scale;
  }
}

int main(void) {
  static double x[2000];
  for (int i = 0; i < 2000; i++)
    x[i] = (i % 7) * 0.1;
  x[5] = x[36] = 1 / 0.0;
  errno = 7;
  rows(x, &errno, 20, 100);
  show((float *)x, 4000);
}
