// A range with its last element that has none.
// RUN: %check
#include "planted.h"

NOINLINE void scale(float *C, const float *A, long first, long last) {
  _Bool done = 0;
  for (long i = first; !(done || i > last);) {
    C[i] = A[i] * 3;
    _Bool more = i < last;
    done = more ? done : 1;
    i = more ? i + 1 : i;
  }
}

int main(void) {
  float *A = array(400), *C = array(400);
  scale(C, A, 100, 99);
  scale(C, A, 10, 9 + 50);
  scale(C, A, 200, 199);
  show(C, 400);
}
