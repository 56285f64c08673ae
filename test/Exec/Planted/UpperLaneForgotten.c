// The same for seven rows, some of which two lanes have.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void rows(float *restrict c, const float *restrict a, long m) {
  for (long i = 0; i < m; i++) {
    float max = a[i * 16], s = 0;
    for (long j = 1; j < 16; j++)
      max = a[i * 16 + j] > max ? a[i * 16 + j] : max;
    for (long j = 0; j < 16; j++) {
      c[i * 16 + j] = expf(a[i * 16 + j]);
      s += c[i * 16 + j] * max;
    }
    for (long j = 0; j < 16; j++)
      c[i * 16 + j] /= s;
  }
}

int main(void) {
  float *A = array(7 * 16), *C = array(7 * 16);
  rows(C, A, 7);
  show(C, 7 * 16);
}
