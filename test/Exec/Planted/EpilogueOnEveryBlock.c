// A sum that takes several blocks of steps is worked on at its end.
// RUN: %check
#include "planted.h"

NOINLINE void scale(float *C, const float *A, const float *B, float alpha,
                    long n, long k) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float acc = 0;
      for (long l = 0; l < k; l++)
        acc += A[i * k + l] * B[l * n + j];
      C[i * n + j] = alpha * acc;
    }
}

int main(void) {
  float *A = array(40 * 3000), *B = array(40 * 3000), *C = array(1600);
  scale(C, A, B, 0.5f, 40, 3000);
  show(C, 1600);
}
