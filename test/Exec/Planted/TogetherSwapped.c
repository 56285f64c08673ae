// Rows of eight numbers a group: two of them are one instruction.
// RUN: %check
#include "planted.h"

NOINLINE void groups(float *restrict y, const short *restrict x, const short *restrict w,
                     const float *restrict scale, int m, int n) {
  for (int i = 0; i < m; i++) {
    float v = 0;
    for (int g = 0; g < n; g++) {
      int s = 0;
      for (int l = 0; l < 8; l++)
        s += x[8 * g + l] * w[(i * n + g) * 8 + l];
      v += (float)s * scale[g];
    }
    y[i] = v;
  }
}

int main(void) {
  enum { M = 40, N = 9 };
  float *y = array(M), *x = array(4 * N), *w = array(M * N * 4), *scale = array(N);
  groups(y, (short *)x, (short *)w, scale, M, N);
  show(y, M);
}
