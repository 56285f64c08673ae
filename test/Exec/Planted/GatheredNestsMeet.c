// Rows go on in the next one, where the elements of another nest are.
// RUN: %check
#include "planted.h"

NOINLINE void transposed(float *restrict y, const float *restrict x,
                         const float *restrict w, int row) {
  for (int c = 0; c < 4; c++)
    for (int i = 0; i < 20; i++)
      for (int j = 0; j < 30; j++)
        for (int k = 0; k < 16; k++)
          for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++)
              y[(k * 50 + 2 * i + p) * row + 2 * j + q] +=
                  x[(c * 20 + i) * 30 + j] * w[((c * 16 + k) * 3 + p) * 3 + q];
}

int main(void) {
  float *x = array(2400), *w = array(576), *y = array(16 * 50 * 40);
  transposed(y, x, w, 40);
  show(y, 16 * 50 * 40);
}
