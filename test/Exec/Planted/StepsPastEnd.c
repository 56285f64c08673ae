// Steps of three that go past zero go on round all numbers of a byte.
// RUN: %check
#include "planted.h"

NOINLINE void columns(float *C, const float *A, const float *B, int m, int n, unsigned char k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      const float *x = A + i * 256, *w = B + j;
      unsigned char left = k;
      float s = 0;
      do {
        s += *x++ * *w;
        w += n;
        left -= 3;
      } while (left != 0);
      C[i * n + j] = s;
    }
}

int main(void) {
  float *A = array(20 * 256), *B = array(32 * 256), *C = array(20 * 32);
  columns(C, A, B, 20, 32, 64);
  show(C, 20 * 32);
}
