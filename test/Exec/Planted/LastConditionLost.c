// A convolution with borders: what lies in front of the first row, or beyond the last,
// is no part of it.
// RUN: %check
#include "planted.h"

NOINLINE void conv(float *c, const float *a, const float *w, long n, long k,
                   long pad) {
  for (long x = 0; x < n; x++)
    for (long o = 0; o < 8; o++) {
      float s = 0;
      for (long f = 0; f < 5; f++)
        if (x + f >= pad && x + f < n + pad)
          for (long i = 0; i < k; i++)
            s += a[(x + f - pad) * k + i] * w[(o * 5 + f) * k + i];
      c[x * 8 + o] = s;
    }
}

int main(void) {
  float *A = array(12 * 4), *W = array(8 * 5 * 4), *C = array(8 * 8);
  conv(C, A + 2 * 4, W, 8, 4, 2);
  show(C, 64);
}
