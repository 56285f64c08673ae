// What lies between two loops uses the first and is used by the second.
// RUN: %check
#include "planted.h"

NOINLINE void centre(float *restrict o, float *restrict t, const float *a,
                     long n) {
  for (long i = 0; i < n; i++)
    t[i] = a[i] * 0.5f;
  t[n / 2] = 3;
  for (long i = 0; i < n; i++)
    o[i] = t[i] + 1;
}

int main(void) {
  float *a = array(40), *t = array(40), *o = array(40);
  centre(o, t, a, 40);
  show(o, 40);
}
