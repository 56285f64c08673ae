// A transposed operand, for vectors of four parts.
// REQUIRES: avx512
// RUN: %check -- -march=skylake-avx512 -mprefer-vector-width=512
#include "planted.h"

PRODUCT_NT(product)

int main(void) {
  float *A = array(128), *B = array(256), *C = array(128);
  product(C, A, B, 8, 16, 16);
  show(C, 128);
}
