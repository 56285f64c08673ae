// Exponentials, twice and three times, in place.
// RUN: %check
#include "planted.h"
#include <math.h>

#define MAP(NAME, FACTOR)                                                      \
  NOINLINE void NAME(float *c, const float *a, long n) {                       \
    for (long i = 0; i < n; i++)                                               \
      c[i] = expf(a[i]) * FACTOR;                                              \
  }
MAP(twice, 2)
MAP(thrice, 3)

int main(void) {
  float *A = array(500), *C = array(500);
  twice(A, A, 500);
  thrice(C, C, 500);
  show(A, 500);
  show(C, 500);
}
