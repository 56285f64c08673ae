// Inputs whose exact results are as good as in the middle between two floats: the
// library returns the one that is not next to them.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void exps(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}

int main(void) {
  static const float Near[] = {0x1.0247b6p-11f, 0x1.a33d14p-11f, 0x1.43c8cap-10f,
                               0x1.e3d99ep-10f, 0x1.8442a4p-9f,  0x1.2449e4p-8f,
                               0x1.c4507ep-8f,  0x1.6450c2p-7f};
  float *x = array(64), *y = array(64);
  for (int i = 0; i < 64; i++)
    x[i] = Near[i % 8];
  exps(y, x, 64);
  show(y, 64);
}
