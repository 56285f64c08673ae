// Two functions of the library, each in two maps.
// RUN: %check -- -march=haswell
#include "planted.h"
#include <math.h>

#define MAP(NAME, VALUE)                                                       \
  NOINLINE void NAME(float *y, const float *x, long n) {                       \
    for (long j = 0; j < n; j++)                                               \
      y[j] = VALUE;                                                            \
  }
MAP(exponentials, expf(x[j]))
MAP(logistics, 1 / (1 + expf(x[j])))
MAP(tangents, tanhf(x[j]))
MAP(halves, 0.5f * tanhf(x[j]))

int main(void) {
  float *X = array(37), *Y = array(37);
  exponentials(Y, X, 37);
  show(Y, 37);
  logistics(Y, X, 37);
  show(Y, 37);
  tangents(Y, X, 37);
  show(Y, 37);
  halves(Y, X, 37);
  show(Y, 37);
}
