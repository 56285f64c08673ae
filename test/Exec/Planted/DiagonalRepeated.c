// A product with a triangle: rows of several blocks.
// RUN: %check
#include "planted.h"

TRIANGLE_PRODUCT(trmm, 0, i + 1)

int main(void) {
  float *A = array(150 * 150), *B = array(150 * 40), *C = array(150 * 40);
  trmm(C, A, B, 150, 40);
  show(C, 150 * 40);
}
