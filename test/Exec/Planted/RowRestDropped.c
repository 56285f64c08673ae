// A matrix whose rows fill no vectors of sums, times a vector.
// RUN: %check
#include "planted.h"

MATVEC(product)

int main(void) {
  float *A = array(760), *x = array(40), *y = array(19);
  product(y, A, x, 19, 40);
  show(y, 19);
}
