// A stride that a test in the nest says to be another one.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long M, long N,
                      long K, const long *step) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      if (*step == 1)
        for (long k = 0; k < K; k++)
          acc += A[i * K + k] * B[k * N + j];
      else
        for (long k = 0; k < K; k++)
          acc += A[(i * K + k) * *step] * B[k * N + j];
      C[i * N + j] = acc;
    }
}

int main(void) {
  float *a = array(2 * 16 * 16), *b = array(16 * 16), *c = array(16 * 16);
  long step = 2;
  product(c, a, b, 16, 16, 16, &step);
  show(c, 16 * 16);
}
