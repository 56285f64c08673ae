// Rows from a negative one on: their quotients are rounded towards zero.
// RUN: %check
#include "planted.h"

NOINLINE void add(float *C, const float *A, const float *B, long from, long n,
                  long m) {
  for (long i = from; i < m; i++) {
    float s = 0;
    for (long k = 0; k < n; k++)
      s += A[(i + 8) * n + k];
    C[i + 8] = s + B[i / 4 + 2];
  }
}

int main(void) {
  float *A = array(48 * 20), *B = array(12), *C = array(48);
  add(C, A, B, -8, 20, 40);
  show(C, 48);
}
