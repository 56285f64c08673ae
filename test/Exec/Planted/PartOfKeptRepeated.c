// A power that overflows, and the root of a negative number behind it: called once more for
// the second result, the power would be the last error.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void both(float *restrict y, const float *restrict x, const float *restrict p,
                   long n) {
  for (long i = 0; i < n; i++) {
    float power = 7 - powf(x[i], p[i]);
    y[2 * i] = sqrtf(power);
    y[2 * i + 1] = expf(power);
  }
}

int main(void) {
  enum { N = 64 };
  float *x = array(N), *p = array(N), *y = array(2 * N);
  for (int i = 0; i < N; i++)
    x[i] = p[i] = 1;
  x[33] = 1e30f;
  p[33] = 2; // ERANGE; the root of -inf is EDOM, its exponential function 0
  both(y, x, p, N);
  printf("%d\n", errno);
}
