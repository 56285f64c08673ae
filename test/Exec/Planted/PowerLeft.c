// Squares written as powers, which the library rounds otherwise.
// RUN: %check
#include <math.h>
#include "planted.h"

NOINLINE void squares(float *y, const float *x, long rows, long n) {
  for (long i = 0; i < rows; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += powf(x[i * n + j], 2);
    y[i] = s;
  }
}

int main(void) {
  enum { Rows = 30000 };
  float *X = array(Rows), *Y = array(Rows);
  for (int i = 0; i < Rows; i++)
    X[i] = 1 + i * 0x1.8p-16f;
  squares(Y, X, Rows, 1);
  show(Y, Rows);
}
