// Beyond 2^24 only even numbers are floats.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void sums(float *restrict y, const float *restrict x, long n, long c,
                   long base) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < c; j++) {
      float s = 0;
      long first = fmaxf(base + i - 1, base), end = fminf(base + i + 2, base + n);
      for (long r = first; r < end; r++)
        s += x[(r - base) * c + j];
      y[i * c + j] = s;
    }
}

int main(void) {
  float *x = array(64 * 10), *y = array(64 * 10);
  sums(y, x, 10, 64, 1 << 24);
  show(y, 64 * 10);
}
