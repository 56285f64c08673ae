// Less than no groups of less than no rows, and nothing to read them from.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *c, float *const *from, long l, long m, long n) {
  for (long b = 0; b < l; b++) {
    const float *a = *from;
    for (long i = 0; i < m; i++) {
      float s = 0;
      for (long j = 0; j < n; j++)
        s += a[(b * m + i) * n + j];
      c[b * m + i] = s;
    }
  }
}

int main(void) {
  float *A = array(12 * 300), *C = array(12);
  rows(C, &A, 3, 4, 300);
  show(C, 12);
  rows(C, 0, -3, -4, 300);
  show(C, 12);
}
