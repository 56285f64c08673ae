// An output that ends a vector behind the last four of them.
// RUN: %check
#include "planted.h"

NOINLINE void scale(float *c, const float *a, long n) {
  for (long i = 0; i < n; i++)
    c[i] = 2 * a[i];
}

int main(void) {
  long n = (8 << 18) + 75;
  float *A = array(n), *C = array(n);
  scale(C, A, n);
  show(C + n - 75, 75);
}
