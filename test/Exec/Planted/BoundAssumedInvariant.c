// The number of steps is an element of the output, which becomes 0.
// RUN: %check -- -fno-strict-aliasing
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, const int *K) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      float acc = 0;
      for (int k = 0; k < *K; k++)
        acc += A[i * 8 + k] * B[k * 8 + j];
      C[i * 8 + j] = acc;
    }
}

int main(void) {
  float *A = array(64), *B = array(64), *C = array(64);
  int steps = 8;
  for (int k = 0; k < 8; k++)
    B[k * 8 + 3] = 0;
  memcpy(&C[3], &steps, 4);
  product(C, A, B, (int *)&C[3]);
  show(C, 64);
}
