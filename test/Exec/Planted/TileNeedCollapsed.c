// A loop over tiles that is left by the numbers of a tile and of a row in it.
// RUN: %check
#include "planted.h"

NOINLINE int product(const float *A, const float *B, float *C, long tiles, long N, long K) {
  for (long o = 0; o < tiles; o++)
    for (long i = 0; i < 8; i++)
      for (long j = 0; j < N; j++) {
        if (o - i > 5)
          return 1;
        float s = 0;
        for (long k = 0; k < K; k++)
          s += A[(o * 8 + i) * K + k] * B[k * N + j];
        C[(o * 8 + i) * N + j] = s;
      }
  return 0;
}

int main(void) {
  float *A = array(80 * 16), *B = array(16 * 16), *C = array(80 * 16);
  printf("%d\n", product(A, B, C, 10, 16, 16));
  show(C, 80 * 16);
}
