// Images that lie apart: their rows are not rows of one matrix.
// RUN: %check
#include "planted.h"

void product(const float *A, const float *B, float *C, long L, long M, long N, long K, long apart) {
  for (long l = 0; l < L; l++)
    for (long i = 0; i < M; i++)
      for (long j = 0; j < N; j++) {
        float s = 0;
        for (long k = 0; k < K; k++)
          s += A[l * apart + i * K + k] * B[k * N + j];
        C[(l * M + i) * N + j] = s;
      }
}

int main(void) {
  float *A = array(3 * 80), *B = array(9 * 16), *C = array(3 * 7 * 16);
  product(A, B, C, 3, 7, 16, 9, 80);
  show(C, 3 * 7 * 16);
}
