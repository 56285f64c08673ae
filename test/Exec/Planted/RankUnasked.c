// Three dimensions, for which the copy for four is no copy.
// RUN: %check
#include "planted.h"

NOINLINE void permute(int n, const float *x, const int *from, const int *to, int rank,
                      float *y) {
  for (int i = 0; i < n; i++) {
    int o = 0, r = i;
    for (int k = 0; k < rank; k++) {
      o += r / to[k] * from[k];
      r %= to[k];
    }
    y[i] = x[o];
  }
}

int main(void) {
  int from[] = {1, 60, 6, 7}, to[] = {60, 10, 2, 1};
  float *x = array(1000), *y = array(600);
  permute(600, x, from, to, 3, y);
  show(y, 600);
}
