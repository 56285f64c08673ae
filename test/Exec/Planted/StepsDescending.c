// Long sums.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(50 * 50), *B = array(50 * 50), *C = array(50 * 50);
  product(C, 50, A, 50, B, 50, 50, 50, 50);
  show(C, 50 * 50);
}
