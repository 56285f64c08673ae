// One function rounds its products, the other does not.
// RUN: %check
#include "planted.h"

PRODUCT(fused)

#pragma STDC FP_CONTRACT OFF
PRODUCT(separate)

int main(void) {
  float *A = array(81), *B = array(81), *C = array(81);
  fused(C, 9, A, 9, B, 9, 9, 9, 9);
  show(C, 81);
  separate(C, 9, A, 9, B, 9, 9, 9, 9);
  show(C, 81);
}
