// Inputs whose rows are not equally far apart.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(9 * 20), *B = array(9 * 20), *C = array(81);
  product(C, 9, A, 20, B, 11, 9, 9, 9);
  show(C, 81);
}
