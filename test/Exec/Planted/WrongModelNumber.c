// A function that has two models: the library's bits are those of the first one.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void tanhs(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = tanhf(x[i]);
}

int main(void) {
  float *x = array(2000), *y = array(2000);
  tanhs(y, x, 2000);
  show(y, 2000);
}
