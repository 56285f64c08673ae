// Every second element is summed.
// RUN: %check
#include "planted.h"

NOINLINE void sums(float *y, const float *x, long row, long column, int m,
                   int n) {
  for (int i = 0; i < m; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += x[i * row + j * column];
    y[i] = s;
  }
}

int main(void) {
  float *x = array(2000), *y = array(20);
  sums(y, x, 100, 2, 20, 50);
  show(y, 20);
}
