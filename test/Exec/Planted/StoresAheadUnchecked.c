// A sum of all, of which a part is stored.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *restrict c, const float *restrict a,
                   const float *restrict b, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      float x = a[i * n + j] * 2;
      if (b[j] > 0)
        c[i * n + j] = x;
      s += x;
    }
    for (long j = 0; j < n; j++)
      c[i * n + j] -= s;
  }
}

int main(void) {
  float *C = array(20 * 16), *A = array(20 * 16), *B = array(16);
  rows(C, A, B, 20, 16);
  show(C, 20 * 16);
}
