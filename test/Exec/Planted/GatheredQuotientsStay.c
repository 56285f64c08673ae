// Of an image that is twice as large, where the first row has no sum.
// RUN: %check
#include "planted.h"

NOINLINE void transposed(float *restrict y, const float *restrict x,
                         const float *restrict w) {
  for (int k = 0; k < 16; k++)
    for (int c = 0; c < 8; c++)
      for (int i = 0; i < 12; i++)
        for (int j = 0; j < 20; j++)
          for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) {
              int h = i + p - 1, v = j + q - 1;
              if (h >= 1 && h < 12 && v >= 0 && v < 20)
                y[(k * 12 + h) * 20 + v] += x[(c * 6 + i / 2) * 20 + j] *
                                            w[((k * 8 + c) * 3 + p) * 3 + q];
            }
}

int main(void) {
  float *x = array(960), *w = array(1152), *y = array(16 * 240);
  transposed(y, x, w);
  show(y, 16 * 240);
}
