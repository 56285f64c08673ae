// The second input starts inside the output.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(81), *C = array(400);
  product(C, 9, A, 9, C + 5, 9, 9, 9, 9);
  show(C, 400);
}
