// The library rounds products and sums apart: inputs for which that makes a difference.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void tanhs(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = tanhf(x[i]);
}

int main(void) {
  static const float Inputs[] = {0x1.44d252p-6f, 0x1.b037a2p-6f, 0x1.1d852cp-5f,
                                 0x1.797a6cp-5f, 0x1.7f60c6p-5f, 0x1.895dd2p-5f,
                                 0x1.8d2bacp-5f, 0x1.9199aap-5f};
  float *x = array(64), *y = array(64);
  for (int i = 0; i < 64; i++)
    x[i] = Inputs[i % 8];
  tanhs(y, x, 64);
  show(y, 64);
}
