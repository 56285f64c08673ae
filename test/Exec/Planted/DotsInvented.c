// Sums along rows, in the order of the loop.
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
  float *A = array(1200), *x = array(50), *y = array(24);
  product(A, x, y, 24, 50);
  show(y, 24);
}
