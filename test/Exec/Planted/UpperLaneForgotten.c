// The same for seven rows, some of which two lanes have.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void rows(float *restrict c, float *restrict r,
                   const float *restrict a, const int *restrict k, long m) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    int n = 0;
    for (long j = 0; j < 16; j++) {
      c[i * 16 + j] = expf(a[i * 16 + j]);
      n += k[i * 16 + j];
    }
    for (long j = 0; j < 16; j++)
      s += c[i * 16 + j] * n;
    r[i] = s;
  }
}

int main(void) {
  enum { ROWS = 7 };
  float *A = array(ROWS * 16), *C = array(ROWS * 16), *R = array(ROWS);
  static int k[ROWS * 16];
  for (int i = 0; i < ROWS * 16; i++)
    k[i] = i % 7;
  rows(C, R, A, k, ROWS);
  show(R, ROWS);
}
