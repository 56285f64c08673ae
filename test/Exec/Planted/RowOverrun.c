// The last element of each row is the first one of the next.
// RUN: %check
// Not self-checked: tensors stay as they are then
#include "layout.h"

NOINLINE void net(const float *restrict in, float *restrict out) {
  CONVOLVE
  for (int c = 0; c < 15; c++)
    for (int k = 0; k < 8; k++) {
      const float *r = buf[c][k];
      float s = 0;
      for (int p = 0; p < 9; p++)
        s += r[p];
      out[k * 16 + c] = s;
    }
}

int main(void) { RUN; }
