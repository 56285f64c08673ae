// A root of what all lanes share, where none of them runs.
// RUN: %check
#include "planted.h"
#include <errno.h>
#include <math.h>

NOINLINE void scale(float *a, const float *w, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] = w[i] > 0 ? sqrtf(w[i]) : 0;
}

int main(void) {
  enum { N = 4, M = 40 };
  float *a = array(N * M), *w = array(N);
  for (int i = 0; i < N; i++)
    w[i] = (float)(i - 2);
  errno = 0;
  scale(a, w, N, M);
  printf("%d\n", errno);
  show(a, N * M);
}
