// The last row is cut off.
// RUN: %check
#include "planted.h"

NOINLINE void add(float *y, const float *x, const float *b, int n, int c) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] + b[i % c];
}

int main(void) {
  float *x = array(1000), *y = array(1000), *b = array(32);
  add(y, x, b, 999, 32);
  show(y, 1000);
}
