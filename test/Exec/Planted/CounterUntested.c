// Windows behind the input have nothing to average: nothing is written from there on.
// RUN: %check
#include "planted.h"

NOINLINE void average(float *C, const float *A, int m, int h, int channels) {
  for (int i = 0; i < m; i++)
    for (int c = 0; c < channels; c++) {
      int count = 0;
      float s = 0;
      for (int r = i < 1 ? 1 - i : 0; r < (h + 1 - i < 3 ? h + 1 - i : 3); r++) {
        s += A[(i + r - 1) * channels + c];
        count++;
      }
      if (count == 0)
        return;
      C[i * channels + c] = s / count;
    }
}

int main(void) {
  float *A = array(32 * 32), *C = array(32 * 32);
  average(C, A, 24, 20, 32);
  show(C, 32 * 32);
}
