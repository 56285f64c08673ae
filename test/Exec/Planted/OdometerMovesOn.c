// An offset that starts again with the rows and moves in each round, not with these alone.
// RUN: %check
#include "planted.h"

NOINLINE void add(float *y, const float *x, const float *b, int n, int rows, int cols) {
  int u = 0, v = 0, w = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + b[u];
    if (++w == cols) {
      w = 0;
      if (++v == rows)
        u = v = 0;
      else
        u++;
    } else
      u++;
  }
}

int main(void) {
  float *x = array(960), *y = array(960), *b = array(960);
  add(y, x, b, 960, 12, 8);
  show(y, 960);
}
