// A second input that is packed, and is no whole panels.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(48 * 64), *B = array(64 * 4096), *C = array(48 * 20);
  product(C, 20, A, 64, B, 4096, 48, 20, 64);
  show(C, 48 * 20);
}
