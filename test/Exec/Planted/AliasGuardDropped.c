// The output lies inside the first input.
// RUN: %check
#include "planted.h"

PRODUCT(product)

int main(void) {
  float *A = array(400), *B = array(81);
  product(A + 20, 9, A, 9, B, 9, 9, 9, 9);
  show(A, 400);
}
