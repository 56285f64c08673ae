// The last row ends where the array does.
// RUN: %check
#include "planted.h"

NOINLINE void sums(float *restrict y, const float *restrict x, unsigned long rows,
                   unsigned long n, unsigned long t) {
  for (unsigned long i = 0; i < rows; i++) {
    unsigned long start = i * n, left = t - start, end = n < left ? n : left;
    float s = 0;
    for (unsigned long j = 0; j < end; j++)
      s += x[start + j];
    y[i] = s;
  }
}

int main(void) {
  float *x = array(4096), *y = array(64);
  sums(y, x, 64, 64, 4095);
  show(y, 64);
}
