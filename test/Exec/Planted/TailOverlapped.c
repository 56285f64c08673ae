// An update whose columns are no whole vectors.
// RUN: %check
#include "planted.h"

UPDATE(update)

int main(void) {
  float *A = array(8 * 9), *B = array(9 * 19), *C = array(8 * 19);
  update(C, 19, A, 9, B, 19, 8, 19, 9);
  show(C, 8 * 19);
}
