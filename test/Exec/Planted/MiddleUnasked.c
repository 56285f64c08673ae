// A pointer that lies nowhere, which no round of the loops reads.
// RUN: %check
#include "planted.h"

struct image {
  int n;
  float *data;
};

NOINLINE void shifted(float *y, const struct image *x, int n, int m, int from) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < m; k++)
      if (i + k >= from)
        sum += x->data[i + k];
    y[i] = sum;
  }
}

int main(void) {
  float *y = array(64);
  shifted(y, (const struct image *)16, 64, 9, 100);
  show(y, 64);
}
