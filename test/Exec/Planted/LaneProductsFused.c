// A product and a sum beside a function that may be approximated, for any x86-64.
// Not self-checked: the flags allow other last digits.
// RUN: %check -- -O3 -march=x86-64 -fno-math-errno -fapprox-func
#include "planted.h"

float expf(float);

NOINLINE void both(float *restrict e, float *restrict s,
                   const float *restrict x, const float *restrict y, long n) {
  for (long i = 0; i < n; i++) {
    s[i] = x[i] * y[i] + 0.1f;
    e[i] = expf(x[i]);
  }
}

int main(void) {
  float *E = array(500), *S = array(500), *X = array(500), *Y = array(500);
  both(E, S, X, Y, 500);
  show(S, 500);
}
