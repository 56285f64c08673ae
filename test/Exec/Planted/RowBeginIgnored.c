// Rows that overlap by the elements that a loop begins behind.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *x, long m, long n, long pitch) {
  for (long i = 0; i < m; i++) {
    float *p = x + i * pitch, sum = 0;
    for (long j = 0; j < n; j++)
      sum += p[j];
    for (long j = 0; j < n; j++)
      p[j + 3] -= sum * 0.01f;
  }
}

int main(void) {
  float *x = array(100 * 20 + 23);
  rows(x, 100, 20, 20);
  show(x, 100 * 20 + 23);
}
