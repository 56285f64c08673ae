// A transpose in bands whose last columns fill no line.
// REQUIRES: avx512
// RUN: %check -- -march=skylake-avx512
#include "planted.h"

NOINLINE void transpose(float *c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[j * m + i] = a[i * n + j];
}

int main(void) {
  float *A = array(70 * 67), *C = array(67 * 70);
  transpose(C, A, 70, 67);
  show(C, 67 * 70);
}
