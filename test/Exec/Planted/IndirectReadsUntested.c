// What is read at loaded indices was written a round before.
// RUN: %check -- -ffast-math
#include "planted.h"

NOINLINE void gather(float *y, const float *x, const int *at, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[at[i]] + __builtin_expf(x[i]);
}

int main(void) {
  enum { N = 64 };
  float *x = array(2 * N);
  int at[N];
  for (int i = 0; i < N; i++) {
    x[i] = 0;
    at[i] = N + i - 1;
  }
  gather(x + N, x, at, N);
  show(x + N, N);
}
