// Sums of rows that are weighted by their numbers, of which two lanes have some.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *restrict c, const float *restrict a, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j] * (float)i;
    c[i] = s;
  }
}

int main(void) {
  float *A = array(13 * 50), *C = array(13);
  rows(C, A, 13, 50);
  show(C, 13);
}
