// Two conditions that may both be false.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void choose(float *restrict c, const float *restrict a, long n) {
  for (long i = 0; i < n; i++) {
    if (a[i] > 8)
      c[i] = sqrtf(a[i]);
    if (a[i] < 3)
      c[i] = 1;
  }
}

int main(void) {
  float A[64], C[64];
  for (int i = 0; i < 64; i++)
    A[i] = C[i] = i % 13;
  choose(C, A, 64);
  show(C, 64);
}
