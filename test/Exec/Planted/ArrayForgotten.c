// An array between two loops that the caller reads.
// RUN: %check
#include "planted.h"

NOINLINE void chain(float *restrict o, float *restrict t, const float *a,
                    long n) {
  for (long i = 0; i < n; i++)
    t[i] = a[i] * 0.5f;
  for (long i = 0; i < n; i++)
    o[i] = t[i] + 1;
}

int main(void) {
  float *a = array(40), *t = array(40), *o = array(40);
  chain(o, t, a, 40);
  show(o, 40);
  show(t, 40);
}
