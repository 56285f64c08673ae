// A row that begins with what the one before it has left.
// RUN: %check
#include "planted.h"

NOINLINE void cell(float *restrict o, const float *restrict x,
                   const float *restrict w, const float *restrict v, long m,
                   long n) {
  float h[24];
  for (long j = 0; j < 24; j++)
    h[j] = 1;
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < 24; j++) {
      float s = h[j];
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
  float *o = array(100 * 20);
  cell(o, x, w, v, 100, 20);
  show(o, 100 * 20);
}
