// An exponential moving average whose operations may be reordered.
// RUN: %check -- -fassociative-math -fno-signed-zeros -fno-trapping-math -ffp-contract=fast
// Not self-checked: what is checked is not computed in another way
#include "planted.h"

NOINLINE void average(float *c, const float *a, float p, long n) {
  float h = c[0];
  for (long i = 0; i < n; i++)
    h -= p * (a[i] - h);
  c[0] = h;
}

int main(void) {
  float *A = array(300), *C = array(1);
  for (long i = 0; i < 300; i++)
    A[i] = i % 4;
  C[0] = 0;
  average(C, A, 0.5f, 9);
  C[0] = (int)C[0];
  show(C, 1);
}
