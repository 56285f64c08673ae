// Each row is made from the one before, which is summed first.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *c, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += c[i * n + j];
    for (long j = 0; j < n; j++)
      c[(i + 1) * n + j] -= s;
  }
}

int main(void) {
  float *C = array(21 * 16);
  rows(C, 20, 16);
  show(C, 21 * 16);
}
