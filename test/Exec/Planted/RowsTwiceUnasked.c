// Sums of rows that go on with what is there.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *restrict c, const float *restrict a, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = c[i];
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    c[i] = s;
  }
}

int main(void) {
  float *A = array(13 * 50), *C = array(13);
  rows(C, A, 13, 50);
  show(C, 13);
}
