// Pointers to nothing, of a product that has no elements.
// RUN: %check
#include "planted.h"

typedef struct {
  signed char *q;
} Tensor;

NOINLINE void product(int *y, const Tensor *x, const Tensor *w, int m, int k) {
  for (int i = 0; i < m; i++) {
    int s = 0;
    for (int l = 0; l < k; l++)
      s += x->q[l] * w->q[i * k + l];
    y[i] = s;
  }
}

int main(void) {
  enum { M = 40, K = 128 };
  float *y = array(M), *a = array(K / 4), *b = array(M * K / 4);
  Tensor x = {(signed char *)a}, w = {(signed char *)b};
  product((int *)y, &x, &w, M, K);
  show(y, M);
  product((int *)y, &x, 0, M, 0);
  show(y, M);
}
