// The number of an element is errno, which functions of its row set.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void loss(float *c, const float *a, const int *at, long step,
                  long m, long n) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += expf(a[i * n + j]);
    c[i] = sum + a[i * n + at[i * step]];
  }
}

int main(void) {
  float *A = array(512), *C = array(8);
  for (int i = 0; i < 512; i++)
    A[i] = i == 200 ? 100 : (float)i * 0.01f;
  errno = 0;
  loss(C, A, &errno, 0, 8, 64);
  show(C, 8);
}
