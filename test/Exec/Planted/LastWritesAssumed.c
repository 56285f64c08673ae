// Rows that are divided by their sums in place, which are kept, too.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *restrict x, float *restrict sums, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += x[i * n + j];
    sums[i] = s;
    for (long j = 0; j < n; j++)
      x[i * n + j] /= s;
  }
}

int main(void) {
  float *A = array(13 * 50), *C = array(13);
  rows(A, C, 13, 50);
  show(A, 13 * 50);
  show(C, 13);
}
