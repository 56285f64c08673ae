// Rows whose numbers are added up row by row, and used in lanes of rows.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void rows(float *restrict c, const float *restrict a,
                   const int *restrict k, long m) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    int n = 0;
    for (long j = 0; j < 16; j++) {
      c[i * 16 + j] = expf(a[i * 16 + j]);
      n += k[i * 16 + j];
    }
    for (long j = 0; j < 16; j++)
      s += c[i * 16 + j] * n;
    for (long j = 0; j < 16; j++)
      c[i * 16 + j] /= s;
  }
}

int main(void) {
  enum { ROWS = 20 };
  float *A = array(ROWS * 16), *C = array(ROWS * 16);
  static int k[ROWS * 16];
  for (int i = 0; i < ROWS * 16; i++)
    k[i] = i % 7;
  rows(C, A, k, ROWS);
  show(C, ROWS * 16);
}
