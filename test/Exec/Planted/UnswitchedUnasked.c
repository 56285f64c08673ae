// A bias that there may be.
// RUN: %check
#include "planted.h"

NOINLINE void windows(float *restrict y, const float *restrict x,
                      const float *restrict k, const float *restrict bias,
                      int filters, int channels, int h, int w) {
  for (int o = 0; o < filters; o++)
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++) {
        float s = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++)
              if (i + r >= 1 && i + r <= h && j + q >= 1 && j + q <= w)
                s += x[(c * h + i + r - 1) * w + j + q - 1] *
                     k[((o * channels + c) * 3 + r) * 3 + q];
        if (bias)
          s += bias[o];
        y[(o * h + i) * w + j] = s;
      }
}

int main(void) {
  enum { FILTERS = 16, CHANNELS = 4, H = 10, W = 13 };
  float *x = array(CHANNELS * H * W), *k = array(FILTERS * CHANNELS * 9),
        *y = array(FILTERS * H * W), *bias = array(FILTERS);
  windows(y, x, k, bias, FILTERS, CHANNELS, H, W);
  show(y, FILTERS * H * W);
  windows(y, x, k, 0, FILTERS, CHANNELS, H, W);
  show(y, FILTERS * H * W);
}
