// Sums of sixteen rows, no two alike.
// RUN: %check
#include "planted.h"

ROW_SUMS(sums)

int main(void) {
  float *A = array(16 * 8), *C = array(16);
  sums(C, A, 16, 8);
  show(C, 16);
}
