// The first of what is no number is taken, and kept.
// RUN: %check
#include "planted.h"

NOINLINE void greatest(float *restrict best, const float *restrict x, int rows,
                       int n) {
  for (int i = 0; i < rows; i++) {
    float most = -__builtin_inff();
    int at = 0;
    for (int j = 0; j < n; j++) {
      float v = x[i * n + j];
      if (v > most || __builtin_isnan(v)) {
        most = v;
        at = j;
      }
    }
    best[i] = at;
  }
}

int main(void) {
  float *x = array(3 * 500), *best = array(3);
  x[170] = __builtin_nanf("");
  greatest(best, x, 3, 500);
  show(best, 3);
}
