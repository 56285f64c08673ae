// An array of a row that the caller looks at.
// RUN: %check
#include "planted.h"

NOINLINE void layers(float *restrict o, float *restrict h, const float *x, const float *w,
                     const float *v, long m, long n) {
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < 24; j++) {
      float s = 0;
      for (long k = 0; k < n; k++)
        s += x[i * n + k] * w[k * 24 + j];
      h[j] = s > 0 ? s : 0;
    }
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < 24; k++)
        s += h[k] * v[k * n + j];
      o[i * n + j] = s;
    }
  }
}

int main(void) {
  float *x = array(100 * 20), *w = array(480), *v = array(480);
  float *o = array(100 * 20), *h = array(24);
  layers(o, h, x, w, v, 100, 20);
  show(o, 100 * 20);
  show(h, 24);
}
