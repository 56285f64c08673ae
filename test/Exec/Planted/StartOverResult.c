// A start value that takes statements, and a result that is added to.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, const float *D,
                      long n, int which) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      if (which == 1)
        s = D[i];
      if (which == 2)
        s = D[j];
      if (which == 3)
        s = D[i * n + j];
      for (long k = 0; k < n; k++)
        s += A[i * n + k] * B[k * n + j];
      C[i * n + j] = s - C[i * n + j];
    }
}

int main(void) {
  float *A = array(400), *B = array(400), *D = array(400), *C = array(400);
  product(C, A, B, D, 20, 2);
  show(C, 400);
}
