// The input begins one element behind the output.
// RUN: %check
#include "planted.h"

void relu(float *Y, const float *X, int N) {
  for (int I = 0; I < N; I++)
    Y[I] = X[I] > 0 ? X[I] : 0;
}

int main(void) {
  float *A = array(400);
  relu(A + 1, A, 200);
  show(A, 400);
}
