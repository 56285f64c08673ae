// Places are beyond 2^32.
// RUN: %check
#include "planted.h"

NOINLINE void places(float *restrict y, long *restrict p,
                     const float *restrict x, long n, long w, long from) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < w; j++) {
      float most = -3e38f;
      long at = -1;
      for (long r = 0; r < 3; r++)
        for (long q = 0; q < 3; q++) {
          long v = 2 * i + r - 1, u = 2 * j + q - 1;
          long place = from + v * 2 * w + u;
          if (v >= 0 && v < 2 * n && u >= 0 && u < 2 * w && x[place] > most)
            most = x[place], at = place;
        }
      y[i * w + j] = most;
      p[i * w + j] = at;
    }
}

int main(void) {
  float *x = array(4 * 9 * 64), *y = array(9 * 64), *z = array(2 * 9 * 64);
  places(y, (long *)z, x - (1l << 32), 9, 64, 1l << 32);
  show(y, 9 * 64);
  show(z, 2 * 9 * 64);
}
