// Steps that are taken two at a time, and one is left.
// RUN: %check -- -ffp-contract=off
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(60 * 60), *B = array(60 * 60), *C = array(60 * 60);
  product(C, 60, A, 60, B, 60, 50, 50, 51);
  show(C, 60 * 60);
}
