// The first element of the output is the last one of an input.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(64), *B = array(400);
  product(B + 63, 8, A, 8, B, 8, 8, 8, 8);
  show(B, 400);
}
