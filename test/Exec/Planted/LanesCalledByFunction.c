// A negative number's logarithm in an earlier round than a power that overflows: all lanes
// call one function, then the other one, but errno is that of the last round.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void both(float *restrict y, const float *restrict x, const float *restrict p,
                   long n) {
  for (long i = 0; i < n; i++)
    y[i] = powf(x[i], p[i]) + logf(p[i]);
}

int main(void) {
  enum { N = 64 };
  float *x = array(N), *p = array(N), *y = array(N);
  for (int i = 0; i < N; i++)
    x[i] = p[i] = 2;
  p[33] = -1; // EDOM by the logarithm
  x[35] = 3e38f; // ERANGE by the power, behind it
  both(y, x, p, N);
  printf("%d\n", errno == ERANGE);
}
