// An end that steps of two floats miss: something else ends the loop.
// RUN: %check
#include "planted.h"

NOINLINE void scale(float *C, const float *A, const float *end,
                    const float *stop) {
  for (; A != end; A += 2, C += 2) {
    if (A == stop)
      return;
    C[0] = A[1] * 3;
    C[1] = A[0] * 3;
  }
}

int main(void) {
  float *A = array(400), *C = array(400);
  scale(C, A, A + 101, A + 200);
  show(C, 400);
}
