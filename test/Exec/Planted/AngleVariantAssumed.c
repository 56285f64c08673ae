// Large angles next to multiples of pi, without fused operations: the library fuses
// where the machine can.
// RUN: %check -- -march=x86-64 -O1
#include "planted.h"
#include <math.h>

NOINLINE void sines(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = sinf(x[i]);
}

int main(void) {
  static const float Inputs[] = {0x1.ab6152p+5f, 0x1.46b80ep+6f, 0x1.46ba88p+6f,
                                 0x1.9eb0a8p+6f, 0x1.d0f4aap+6f, -0x1.ab6152p+5f,
                                 -0x1.46b80ep+6f, 1};
  float *x = array(64), *y = array(64);
  for (int i = 0; i < 64; i++)
    x[i] = Inputs[i % 8];
  sines(y, x, 64);
  show(y, 64);
}
