// The output starts amid the second input.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(81), *B = array(400);
  product(B + 40, 9, A, 9, B, 9, 9, 9, 9);
  show(B, 400);
}
