// Rows of squares that are divided by their sums.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *restrict c, const float *restrict a, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      c[i * n + j] = a[i * n + j] * a[i * n + j];
      s += c[i * n + j];
    }
    for (long j = 0; j < n; j++)
      c[i * n + j] /= s;
  }
}

int main(void) {
  float *A = array(13 * 50), *C = array(13 * 50);
  rows(C, A, 13, 50);
  show(C, 13 * 50);
}
