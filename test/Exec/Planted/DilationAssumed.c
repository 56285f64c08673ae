// Every other row.
// RUN: %check
#include "planted.h"

NOINLINE void sums(float *restrict y, const float *restrict x, long n, long c,
                   long step) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < c; j++) {
      float s = 0;
      long first = i - 2, end = i + 3 < n ? i + 3 : n;
      while (first < 0)
        first += step;
      for (long r = first; r < end; r += step)
        s += x[r * c + j];
      y[i * c + j] = s;
    }
}

int main(void) {
  float *x = array(64 * 9), *y = array(64 * 9);
  sums(y, x, 9, 64, 2);
  show(y, 64 * 9);
}
