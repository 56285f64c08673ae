// The first row of the weights is that of the first row of the image, even where the
// window begins in front of that.
// RUN: %check
#include "planted.h"

NOINLINE void column(float *restrict y, const float *restrict x,
                     const float *restrict w, long n, long c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < c; j++) {
      const float *k = w;
      float s = 0;
      long first = i - 1 > 0 ? i - 1 : 0, end = i + 2 < n ? i + 2 : n;
      for (long r = first; r < end; r++)
        s += x[r * c + j] * *k++;
      y[i * c + j] = s;
    }
}

int main(void) {
  float *x = array(64 * 9), *w = array(3), *y = array(64 * 9);
  column(y, x, w, 9, 64);
  show(y, 64 * 9);
}
