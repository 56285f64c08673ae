// A loop that ends at the first of two bounds.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, int n, int K,
                      int most) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float acc = 0;
      for (int k = 0; k < K && k < most; k++)
        acc += A[i * 20 + k] * B[k * 20 + j];
      C[i * 20 + j] = acc;
    }
}

int main(void) {
  float *A = array(400), *B = array(400), *C = array(400);
  product(C, A, B, 9, 9, 7);
  show(C, 400);
}
