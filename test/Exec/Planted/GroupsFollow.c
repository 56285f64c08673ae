// Rows of groups with something between them.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *restrict c, const float *restrict a, long l, long m,
                   long n, long ld) {
  for (long b = 0; b < l; b++)
    for (long i = 0; i < m; i++) {
      float s = 0;
      for (long j = 0; j < n; j++)
        s += a[b * ld + i * n + j];
      c[b * m + i] = s;
    }
}

int main(void) {
  float *A = array(3 * 150), *C = array(3 * 4);
  rows(C, A, 3, 4, 30, 150);
  show(C, 3 * 4);
}
