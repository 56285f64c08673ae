// Rows that are divided by their sums.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    for (long j = 0; j < n; j++)
      c[i * n + j] = a[i * n + j] / s;
  }
}

int main(void) {
  float *A = array(20 * 16), *C = array(20 * 16);
  rows(C, A, 20, 16);
  show(C, 20 * 16);
}
