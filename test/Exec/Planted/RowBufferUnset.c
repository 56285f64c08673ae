// What is left of the row before is added.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *restrict c, const float *restrict a, long m, long n) {
  float t[64] = {0};
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      s += t[j];
      t[j] = a[i * n + j] * 2;
    }
    for (long j = 0; j < n; j++)
      c[i * n + j] = t[j] - s;
  }
}

int main(void) {
  float *C = array(20 * 16), *A = array(20 * 16);
  rows(C, A, 20, 16);
  show(C, 20 * 16);
}
