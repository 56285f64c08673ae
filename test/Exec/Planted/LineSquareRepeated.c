// Sums of rows of two lines and a bit: squares of a line are read one by one.
// REQUIRES: avx2
// RUN: %check -- -march=haswell
#include "planted.h"

ROW_SUMS(sums)

int main(void) {
  float *A = array(16 * 37), *C = array(16);
  sums(C, A, 16, 37);
  show(C, 16);
}
