// How many elements rows have is errno, which functions of them set.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void powers(float *c, const float *a, const int *n, long m) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < *n; j++)
      sum += expf(a[i * 64 + j]);
    c[i] = sum;
  }
}

int main(void) {
  float *A = array(64 * 64), *C = array(64);
  for (int i = 0; i < 64 * 64; i++)
    A[i] = i == 200 ? 100 : (float)(i % 64) * 0.01f;
  errno = 64;
  powers(C, A, &errno, 64);
  show(C, 64);
}
