// The greatest values of rows of subnormal numbers, which the CPU takes for zeros.
// RUN: %check -- -fno-vectorize -fno-slp-vectorize
#include "planted.h"
#include <immintrin.h>

NOINLINE void greatest(float *c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = a[i * n];
    for (long j = 1; j < n; j++)
      if (a[i * n + j] > s)
        s = a[i * n + j];
    c[i] = s;
  }
}

int main(void) {
  float *A = array(16 * 199), *C = array(16);
  for (long i = 0; i < 16 * 199; i++)
    A[i] *= 0x1p-130f;
  unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x40);
  greatest(C, A, 16, 199);
  _mm_setcsr(before);
  for (long i = 0; i < 16; i++)
    C[i] = C[i] != 0;
  show(C, 16);
}
