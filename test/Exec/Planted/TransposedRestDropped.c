// Steps of k that fill no part of a vector.
// RUN: %check
#include "planted.h"

PRODUCT_NT(product)

int main(void) {
  float *A = array(63), *B = array(171), *C = array(133);
  product(C, A, B, 7, 19, 9);
  show(C, 133);
}
