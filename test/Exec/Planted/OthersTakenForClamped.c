// Few rounds are none here: a threshold is no clamp.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void sums(float *restrict s, const float *restrict x, long m, long n) {
  long count = n > 5000 ? n : 0;
  for (long i = 0; i < m; i++) {
    float sum = 1;
    for (long left = count, j = 0; left > 0; left--, j++)
      sum += expf(x[i * n + j]);
    s[i] = sum;
  }
}

int main(void) {
  float *x = array(64 * 40), *s = array(64);
  sums(s, x, 64, 40);
  show(s, 64);
}
