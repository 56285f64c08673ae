// A batch of products.
// RUN: %check
#include "planted.h"

void product(const float *A, const float *B, float *C, long L, long M, long N, long K) {
  for (long l = 0; l < L; l++)
    for (long i = 0; i < M; i++)
      for (long j = 0; j < N; j++) {
        float s = 0;
        for (long k = 0; k < K; k++)
          s += A[(l * M + i) * K + k] * B[(l * K + k) * N + j];
        C[(l * M + i) * N + j] = s;
      }
}

int main(void) {
  float *A = array(3 * 7 * 9), *B = array(3 * 9 * 16), *C = array(3 * 7 * 16);
  product(A, B, C, 3, 7, 16, 9);
  show(C, 3 * 7 * 16);
}
