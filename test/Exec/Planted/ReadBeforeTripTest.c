// No rows, and no shape to read.
// RUN: %check
#include "planted.h"

struct shape {
  int Columns, Steps;
};

NOINLINE void product(float *C, const float *A, const float *B, int rows,
                      const struct shape *s) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < s->Columns; j++) {
      float acc = 0;
      for (int k = 0; k < s->Steps; k++)
        acc += A[i * 20 + k] * B[k * 20 + j];
      C[i * 20 + j] = acc;
    }
}

int main(void) {
  float *A = array(400), *B = array(400), *C = array(400);
  struct shape s = {9, 9};
  product(C, A, B, 9, &s);
  show(C, 400);
  product(C, A, B, 0, 0);
  show(C, 400);
}
