// Sums of rows of two lines and a bit: squares of a line are read one by one.
// REQUIRES: avx2
// RUN: %check -- -march=haswell
#include "planted.h"

NOINLINE void sums(float *c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    c[i] = s;
  }
}

int main(void) {
  float *A = array(16 * 37), *C = array(16);
  sums(C, A, 16, 37);
  show(C, 16);
}
