// An element that a condition may leave as it is, before loops go on with it.
// RUN: %check
#include "planted.h"

NOINLINE void greatest(float *restrict y, const float *restrict x, long n, long m) {
  for (long i = 0; i < n; i++) {
    if (x[i] > 4)
      y[i] = x[i];
    for (long j = 1; j < m; j++)
      if (y[i] < x[j * n + i])
        y[i] = x[j * n + i];
  }
}

int main(void) {
  float X[320], Y[64];
  for (int i = 0; i < 320; i++)
    X[i] = i * 7 % 11;
  for (int i = 0; i < 64; i++)
    Y[i] = 20 - i % 3;
  greatest(Y, X, 64, 5);
  show(Y, 64);
}
