// Sums of rows of nine columns: two squares and one.
// RUN: %check
#include "planted.h"

ROW_SUMS(sums)

int main(void) {
  float *A = array(16 * 9), *C = array(16);
  sums(C, A, 16, 9);
  show(C, 16);
}
