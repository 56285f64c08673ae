// A power that overflows, a logarithm of a negative number, and the root of the power:
// the power is called in front of the logarithm, whose error is the last one.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void both(float *restrict y, const float *restrict x, const float *restrict p,
                   long n) {
  for (long i = 0; i < n; i++) {
    float power = powf(x[i], p[i]), logarithm = logf(p[i]);
    y[i] = sqrtf(power) * logarithm;
  }
}

int main(void) {
  enum { N = 64 };
  float *x = array(N), *p = array(N), *y = array(N);
  for (int i = 0; i < N; i++)
    x[i] = p[i] = 2;
  x[33] = 1e-20f;
  p[33] = -3; // ERANGE by the power, EDOM by the logarithm behind it
  both(y, x, p, N);
  printf("%d\n", errno);
}
