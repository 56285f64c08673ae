// A product of scaled elements.
// RUN: %check
#include "planted.h"

NOINLINE void product(float alpha, const float *A, const float *B, float *C,
                      long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long k = 0; k < K; k++)
      for (long j = 0; j < N; j++)
        C[i * N + j] += alpha * A[i * K + k] * B[k * N + j];
}

int main(void) {
  float *A = array(128), *B = array(256), *C = array(128);
  product(0.75f, A, B, C, 8, 16, 16);
  show(C, 128);
}
