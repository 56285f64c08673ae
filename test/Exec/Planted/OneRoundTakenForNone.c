// A row of one more element than the sums are of: that is the other array's first.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *c, const float *a, const float *b, long m, long n,
                   long k) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    for (long j = 0; j < k; j++)
      s += b[j];
    c[i] = s;
  }
}

int main(void) {
  enum { M = 24, N = 20 };
  float *a = array(M * N), *c = array(M);
  rows(c, a, c, M, N, 1);
  show(c, M);
}
