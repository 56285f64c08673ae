// States of a step that are made of those before and of the first one of their own.
// RUN: %check
#include "planted.h"

NOINLINE void states(float *h, const float *u, long t, long n) {
  for (long i = 1; i < t; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k <= n; k++)
        s += u[j * (n + 1) + k] * h[(i - 1) * n + k];
      h[i * n + j] = s * 0.125f;
    }
}

int main(void) {
  float *h = array(6 * 24), *u = array(24 * 25);
  states(h, u, 6, 24);
  show(h, 6 * 24);
}
