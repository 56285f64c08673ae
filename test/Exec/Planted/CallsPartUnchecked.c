// A sum of functions of what was summed before.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void sums(float *a, long n) {
  float s = 0;
  for (long j = 0; j < n; j++) {
    s += expf(a[j]);
    a[j + 1] = s / 8;
  }
}

int main(void) {
  float *A = array(41);
  sums(A, 40);
  show(A, 41);
}
