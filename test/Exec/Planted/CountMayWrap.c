// The last of all numbers, of which there is no next one.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *y, const float *x, const float *w, unsigned last,
                   unsigned m, unsigned n, unsigned k) {
  unsigned more = last + 1;
  for (unsigned i = 0; i < m; i++)
    for (unsigned j = 0; j < n; j++) {
      float s = 0;
      for (unsigned p = 0; p < k; p++)
        if (p > last)
          s += x[i * k + p] * w[p * n + j];
      y[i * n + j + i * more] = s;
    }
}

int main(void) {
  float *x = array(30 * 20), *w = array(20 * 40), *y = array(30 * 40);
  rows(y, x, w, ~0u, 30, 40, 20);
  show(y, 30 * 40);
}
