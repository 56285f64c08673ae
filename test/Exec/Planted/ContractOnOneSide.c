// A sum that may be fused, of a product that may not.
// RUN: %check
// Not self-checked: it is no kernel, and what is checked is not computed in another way
#include "planted.h"

static inline float multiply(float a, float b) {
#pragma STDC FP_CONTRACT OFF
  return a * b;
}

NOINLINE void add(float *c, const float *a, const float *b, long n) {
#pragma clang fp contract(fast)
  float s = c[0];
  for (long i = 0; i < n; i++)
    s += multiply(a[i * 3], b[i * 2]);
  c[0] = s;
}

int main(void) {
  float *A = array(300), *B = array(200), *C = array(1);
  add(C, A, B, 100);
  show(C, 1);
}
