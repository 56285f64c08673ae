// The output overlaps one input, then the other.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(81), *B = array(400), *C = array(400);
  product(B + 5, 9, A, 9, B, 9, 9, 9, 9);
  show(B, 400);
  product(C + 5, 9, C, 9, A, 9, 9, 9, 9);
  show(C, 400);
}
