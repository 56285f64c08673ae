// The root of a negative number that all rounds share, and may be a result, in front of
// powers, one of which overflows in a round that is not the last.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void both(float *w, const float *x, long n, const float *q) {
  for (long i = 0; i < n; i++) {
    float root = sqrtf(q[0]);
    w[2 * i] = root;
    w[2 * i + 1] = powf(x[i], 3);
  }
}

int main(void) {
  enum { N = 64 };
  float *x = array(N), *w = array(2 * N), q = -1;
  for (int i = 0; i < N; i++)
    x[i] = 2;
  x[60] = 1e30f;
  both(w, x, N, &q);
  printf("%d\n", errno);
}
