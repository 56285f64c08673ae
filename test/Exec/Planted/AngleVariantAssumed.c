// Large angles next to multiples of pi, where the library rounds a multiple that
// vectors do not.
// RUN: %check
#include "planted.h"
#include <math.h>

NOINLINE void sines(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = sinf(x[i]);
}

int main(void) {
  static const float Inputs[] = {0x1.46b80ep+6f,  0x1.b7d314p+6f,  1, 2,
                                 -0x1.46b80ep+6f, -0x1.b7d314p+6f, 3, 4};
  float *x = array(64), *y = array(64);
  for (int i = 0; i < 64; i++)
    x[i] = Inputs[i % 8];
  sines(y, x, 64);
  show(y, 64);
}
