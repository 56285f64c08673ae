// Inputs whose exact exponential functions are as good as in the middle between two floats:
// the library's inner function returns the one that is not next to them.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void cosines(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = coshf(x[i]);
}

int main(void) {
  static const float Near[] = {0x1.8014aep-2f, 0x1.e02d7cp-2f, 0x1.404538p-1f,
                               0x1.a08afp-1f,  0x1.00c11ep+0f, 0x1.60cc44p+0f,
                               0x1.c17b98p+0f, 0x1.217c46p+1f};
  float *x = array(64), *y = array(64);
  for (int i = 0; i < 64; i++)
    x[i] = Near[i % 8];
  cosines(y, x, 64);
  show(y, 64);
}
