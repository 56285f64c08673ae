// Few rounds are none here: a threshold is no clamp.
// RUN: %check
#include "planted.h"

NOINLINE void scale(float *y, const float *x, const float *w, long m,
                    long n) {
  long count = n > 5000 ? n : 0;
  for (long i = 0; i < m; i++)
    for (long left = count, j = 0; left > 0; left--, j++)
      y[i * n + j] = x[i * n + j] * w[j] + 1;
}

int main(void) {
  float *x = array(9 * 400), *w = array(400), *y = array(9 * 400);
  scale(y, x, w, 9, 400);
  show(y, 9 * 400);
}
