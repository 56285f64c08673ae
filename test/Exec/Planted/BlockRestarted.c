// Few rows, and a second input that is used in blocks.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(4 * 64), *B = array(64 * 4096), *C = array(4 * 16);
  product(C, 16, A, 64, B, 4096, 4, 16, 64);
  show(C, 4 * 16);
}
