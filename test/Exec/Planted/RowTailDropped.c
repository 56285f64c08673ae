// One row more than whole tiles.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(9 * 9), *B = array(9 * 16), *C = array(9 * 16);
  product(C, 16, A, 9, B, 16, 9, 16, 9);
  show(C, 9 * 16);
}
