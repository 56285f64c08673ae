// Rows of the output are closer than they are long.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(81), *B = array(9 * 40), *C = array(400);
  product(C, 5, A, 9, B, 40, 9, 40, 9);
  show(C, 400);
}
