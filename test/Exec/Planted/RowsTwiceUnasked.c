// Exponentials in place, of which the last vector has some of the one before it.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void exps(float *x, long n) {
  for (long i = 0; i < n; i++)
    x[i] = expf(x[i]);
}

int main(void) {
  float *A = array(45);
  exps(A, 45);
  show(A, 45);
}
