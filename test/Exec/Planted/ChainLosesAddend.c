// Several addends a round, which may be added up first.
// RUN: %check -- -fassociative-math -fno-signed-zeros -fno-trapping-math -fno-vectorize -fno-slp-vectorize
// Not self-checked: what is checked is not computed in another way
#include "planted.h"

NOINLINE void add(float *c, const float *a, long n) {
  float s = c[0];
  for (long i = 0; i < n; i++) {
    s += a[i] * 2;
    s += a[i * 2] * a[i];
    s -= a[i * 3];
  }
  c[0] = s;
}

int main(void) {
  float *A = array(300), *C = array(1);
  for (long i = 0; i < 300; i++)
    A[i] = i % 7;
  C[0] = 0;
  add(C, A, 100);
  show(C, 1);
}
