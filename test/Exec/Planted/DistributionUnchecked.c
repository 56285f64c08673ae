// Sums that start from what the product of the row before has left.
// RUN: %check
#include "planted.h"

NOINLINE void kernel(const float *A, const float *x, float *q, float *s, long M,
                     long N) {
  for (long i = 0; i < M; i++) {
    q[i] = s[0];
    for (long j = 0; j < N; j++)
      q[i] += A[i * N + j] * x[j];
    for (long j = 0; j < N; j++)
      s[j] += A[i * N + j] * q[i];
  }
}

int main(void) {
  float *A = array(24 * 50), *x = array(50), *q = array(24), *s = array(50);
  kernel(A, x, q, s, 24, 50);
  show(q, 24);
  show(s, 50);
}
