// The last factors are extended, too.
// RUN: %check
#include "planted.h"

NOINLINE void multiply(float *C, const float *A, const float *B, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double acc = 0;
      for (long k = 0; k < n; k++)
        acc += (double)A[i * n + k] * B[k * n + j];
      C[i * n + j] = (float)acc;
    }
}

int main(void) {
  float *A = array(361), *B = array(361), *C = array(361);
  multiply(C, A, B, 19);
  show(C, 361);
}
