// A sum of products in a loop that waits for it: without flags one instruction each.
// RUN: %check
// Not self-checked: what is checked is not computed in another way
#include "planted.h"

NOINLINE void filter(float *c, const float *a, float p, long n) {
  float h = c[0];
  for (long i = 0; i < n; i++)
    h += a[i] * p * a[i * 2];
  c[0] = h;
}

int main(void) {
  float *A = array(200), *C = array(1);
  filter(C, A, 0.3f, 100);
  show(C, 1);
}
