// The second loop reads what the next iteration of the first one writes.
// RUN: %check
#include "planted.h"

NOINLINE void smooth(float *restrict o, float *restrict t, const float *a,
                     long n) {
  for (long i = 0; i < n; i++)
    t[i] = a[i] * 0.5f;
  for (long i = 0; i < n; i++)
    o[i] = t[i] + t[n - 1 - i];
}

int main(void) {
  float *a = array(40), *t = array(40), *o = array(40);
  smooth(o, t, a, 40);
  show(o, 40);
}
