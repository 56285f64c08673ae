// Two sums in memory that are one, through a pointer that is read twice.
// RUN: %check
// Not self-checked: nests that are no kernels are not compared
#include "planted.h"

struct P {
  float *y;
};

NOINLINE void sums(struct P *p, float **z, const float *x, long m, long n) {
  for (long i = 0; i < m; i++) {
    float *a = p->y;
    z[i] = 0;
    float *b = p->y;
    for (long j = 0; j < n; j++) {
      *a += x[j];
      *b += 2 * x[j];
    }
  }
}

int main(void) {
  float *x = array(64), *y = array(1);
  float *z[8];
  struct P p = {y};
  sums(&p, z, x, 4, 64);
  show(y, 1);
}
