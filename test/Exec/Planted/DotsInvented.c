// Sums along rows, in the order of the loop.
// RUN: %check
#include "planted.h"

MATVEC(product)

int main(void) {
  float *A = array(1200), *x = array(50), *y = array(24);
  product(y, A, x, 24, 50);
  show(y, 24);
}
