// A strict triangle, whose first row has no product.
// RUN: %check
#include "planted.h"

NOINLINE void trmm(float *restrict c, const float *restrict a,
                   const float *restrict b, long m, long n) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 1;
      for (long k = 0; k < i; k++)
        s += a[i * m + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}

int main(void) {
  float *A = array(150 * 150), *B = array(150 * 40), *C = array(150 * 40);
  trmm(C, A, B, 150, 40);
  show(C, 150 * 40);
}
