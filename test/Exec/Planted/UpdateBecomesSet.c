// Sums that go on in memory.
// RUN: %check
#include "planted.h"

UPDATE(update)

int main(void) {
  float *A = array(81), *B = array(81), *C = array(81);
  update(C, 9, A, 9, B, 9, 9, 9, 9);
  show(C, 81);
}
