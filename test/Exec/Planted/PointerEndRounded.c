// An end between two elements: something else ends the loop.
// RUN: %check
#include "planted.h"

NOINLINE void scale(float *C, const float *A, const float *end,
                    const float *stop) {
  for (; A != end; A++, C++) {
    if (A >= stop)
      return;
    *C = *A * 3;
  }
}

int main(void) {
  float *A = array(400), *C = array(400);
  scale(C, A, (const float *)((const char *)(A + 101) + 2), A + 200);
  show(C, 400);
}
