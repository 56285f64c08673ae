// A row of results that is stored backwards.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *C, const float *A, const float *B, long M, long K) {
  for (long i = 0; i < M; i++) {
    float row[16];
    for (long j = 0; j < 16; j++) {
      float s = 0;
      for (long k = 0; k < K; k++)
        s += A[i * K + k] * B[k * 16 + j];
      row[j] = s;
    }
    for (long j = 0; j < 16; j++)
      C[i * 16 + j] = row[15 - j];
  }
}

int main(void) {
  float *a = array(18 * 19), *b = array(19 * 16), *c = array(18 * 16);
  product(c, a, b, 18, 19);
  show(c, 18 * 16);
}
