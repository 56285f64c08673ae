// One of two numbers is the greater one, and then the other.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, long l, long k, long n) {
  for (long i = 0; i < n; i++) {
    float s = 1;
    if (k != l)
      s = A[i];
    for (long j = 0; j < l; j++)
      s += A[j] * C[i];
    C[i] = s;
  }
}

int main(void) {
  float *A = array(400), *C = array(400);
  product(C, A, 30, 20, 200);
  show(C, 400);
  product(C, A, 30, 40, 200);
  show(C, 400);
}
