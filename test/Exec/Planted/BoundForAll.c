// All elements are set, of which some get a sum.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long M, long N,
                      long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < 32; j++) {
      C[i * 32 + j] = 0;
      for (long k = 0; k < K; k++)
        if (j < N)
          C[i * 32 + j] += A[i * K + k] * B[k * 32 + j];
    }
}

int main(void) {
  float *a = array(18 * 19), *b = array(19 * 32), *c = array(18 * 32);
  product(c, a, b, 18, 20, 19);
  show(c, 18 * 32);
}
