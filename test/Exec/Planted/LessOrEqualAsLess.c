// Loops to the last index.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, int m, int n,
                      int l) {
  for (int i = 0; i <= m; i++)
    for (int j = 0; j <= n; j++) {
      float acc = 0;
      for (int k = 0; k <= l; k++)
        acc += A[i * 20 + k] * B[k * 20 + j];
      C[i * 20 + j] = acc;
    }
}

int main(void) {
  float *A = array(400), *B = array(400), *C = array(400);
  product(C, A, B, 8, 8, 8);
  show(C, 400);
}
