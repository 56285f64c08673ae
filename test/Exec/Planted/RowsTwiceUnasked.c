// Sums of columns that go on with what is there.
// RUN: %check
#include "planted.h"

NOINLINE void columns(float *restrict c, const float *restrict a, long m,
                      long n) {
  for (long j = 0; j < n; j++) {
    float s = c[j];
    for (long i = 0; i < m; i++)
      s += a[i * n + j];
    c[j] = s;
  }
}

int main(void) {
  float *A = array(50 * 13), *C = array(13);
  columns(C, A, 50, 13);
  show(C, 13);
}
