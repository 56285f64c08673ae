// A transpose of rows that lie half a page apart: two tiles through buffers.
// RUN: %check
#include "planted.h"

NOINLINE void transpose(float *c, const float *a, long m, long n, long lda) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[j * m + i] = a[i * lda + j];
}

int main(void) {
  float *A = array(64 * 512), *C = array(64 * 128);
  transpose(C, A, 64, 128, 512);
  show(C, 64 * 128);
}
