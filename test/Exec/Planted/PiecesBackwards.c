// A product in pieces: a window whose taps lie apart.
// RUN: %check
#include "planted.h"

void window(const float *restrict x, const float *restrict f, float *restrict y,
            long rows, long columns, long far, long near, long taps) {
  for (long i = 0; i < rows; i++)
    for (long p = 0; p < taps; p++)
      for (long q = 0; q < taps; q++)
        for (long l = 0; l < 4; l++)
          for (long n = 0; n < columns; n++)
            y[i * columns + n] += x[i * 4 + p * far + q * near + l] *
                                  f[((p * taps + q) * 4 + l) * columns + n];
}

int main(void) {
  float *x = array(400), *f = array(3 * 3 * 4 * 16), *y = array(9 * 16);
  window(x, f, y, 9, 16, 100, 7, 3);
  show(y, 9 * 16);
}
