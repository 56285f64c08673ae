// The greatest number of rows is the first zero, of which there is one of each sign.
// RUN: %check -- -fno-vectorize -fno-slp-vectorize
// Not self-checked: which zero fmaxf keeps is left open
#include "planted.h"
#include <math.h>

NOINLINE void greatest(float *c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = -INFINITY;
    for (long j = 0; j < n; j++)
      s = fmaxf(s, a[i * n + j]);
    c[i] = s;
  }
}

int main(void) {
  float *A = array(16 * 199), *C = array(16);
  for (long i = 0; i < 16 * 199; i++)
    A[i] = -1 - A[i] * A[i];
  for (long i = 0; i < 16; i++) {
    A[i * 199 + 2 * i] = i % 2 ? 0.0f : -0.0f;
    A[i * 199 + 198 - i] = i % 2 ? -0.0f : 0.0f;
  }
  greatest(C, A, 16, 199);
  show(C, 16);
}
