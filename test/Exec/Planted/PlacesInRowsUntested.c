// A label that is a place of another row, which is not made yet.
// RUN: %check -- -fno-math-errno
#include "planted.h"
#include <math.h>

NOINLINE void loss(float *d, float *y, const float *x, const int *label, int m,
                   int n) {
  for (int i = 0; i < m; i++) {
    float max = -INFINITY, sum = 0;
    for (int j = 0; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (int j = 0; j < n; j++) {
      d[i * n + j] = expf(x[i * n + j] - max);
      sum += d[i * n + j];
    }
    y[i] = -logf(d[i * n + label[i]] / sum);
    for (int j = 0; j < n; j++)
      d[i * n + j] /= sum;
  }
}

int main(void) {
  enum { M = 20, N = 30 };
  float *x = array(M * N), *d = array((M + 2) * N), *y = array(M);
  int label[M];
  for (int i = 0; i < M; i++)
    label[i] = i == 4 ? 2 * N + 1 : i;
  loss(d, y, x, label, M, N);
  show(y, M);
}
