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
  for (long i = 0; i < n; i++)
    c[i] += multiply(a[i], b[i]);
}

int main(void) {
  float *A = array(100), *B = array(100), *C = array(100);
  add(C, A, B, 100);
  show(C, 100);
}
