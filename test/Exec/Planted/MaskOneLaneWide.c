// The second input ends where memory does.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(8 * 9), *B = array(9 * 17), *C = array(8 * 17);
  product(C, 17, A, 9, B, 17, 8, 17, 9);
  show(C, 8 * 17);
}
