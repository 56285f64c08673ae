// Squares written as powers, which the library rounds otherwise.
// RUN: %check
#include <math.h>
#include "planted.h"

NOINLINE void squares(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = powf(x[i], 2);
}

int main(void) {
  enum { N = 30000 };
  float *x = array(N), *y = array(N);
  for (int i = 0; i < N; i++)
    x[i] = 1 + i * 0x1.8p-16f;
  squares(y, x, N);
  show(y, N);
}
