// A product that is subtracted from another one, in a loop that waits for it.
// RUN: env DLOPT_OPTIONS=fma=free %check
// Not self-checked: what is checked is not computed in another way
#include "planted.h"

NOINLINE void filter(float *c, float *o, const float *a, float p, long n) {
  float h = c[0];
  for (long i = 0; i < n; i++) {
    float t = h * p;
    o[i] = t;
    h = a[i] * a[i] - t;
  }
  c[0] = h;
}

int main(void) {
  float *A = array(100), *O = array(100), *C = array(1);
  for (long i = 0; i < 100; i++)
    A[i] = i % 3;
  C[0] = 1;
  filter(C, O, A, 1, 100);
  show(C, 1);
}
