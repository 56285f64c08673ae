// A sum of what is stored, and of what was there before.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *restrict c, const float *restrict a, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      float x = a[i * n + j] * 2;
      c[i * (n + 1) + j] = x;
      s += x + c[i * (n + 1) + j + 1];
    }
    for (long j = 0; j < n; j++)
      c[i * (n + 1) + j] -= s;
  }
}

int main(void) {
  float *C = array(20 * 17), *A = array(20 * 16);
  rows(C, A, 20, 16);
  show(C, 20 * 17);
}
