// A matrix whose rows fill no vectors of sums, times a vector.
// RUN: %check
#include "planted.h"

void product(const float *A, const float *x, float *y, long M, long K) {
  for (long i = 0; i < M; i++) {
    float s = 0;
    for (long k = 0; k < K; k++)
      s += A[i * K + k] * x[k];
    y[i] = s;
  }
}

int main(void) {
  float *A = array(760), *x = array(40), *y = array(19);
  product(A, x, y, 19, 40);
  show(y, 19);
}
