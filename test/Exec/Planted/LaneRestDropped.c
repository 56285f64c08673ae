// Sums of seventeen rows: sixteen in lanes and one.
// RUN: %check
#include "planted.h"

ROW_SUMS(sums)

int main(void) {
  float *A = array(17 * 8), *C = array(17);
  sums(C, A, 17, 8);
  show(C, 17);
}
