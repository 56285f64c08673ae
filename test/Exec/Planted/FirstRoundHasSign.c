// Rounds of a window are counted without a sign, and the pointer beside them begins at
// the same bits with one: in front of the array's middle from 2^15 on.
// RUN: %check
#include "planted.h"
#include <stdint.h>

NOINLINE void rows(float *restrict y, const float *restrict x, uint16_t lo,
                   uint16_t hi, uint16_t n, uint16_t length, long columns) {
  for (uint16_t i = 0; i < n; i++) {
    uint16_t from = i << 8, to = from + length;
    uint16_t first = from > lo ? from : lo, end = to < hi ? to : hi;
    for (long c = 0; c < columns; c++) {
      const float *p = x + (int16_t)first + c;
      float s = 0;
      for (uint16_t v = first; v < end; v++)
        s += *p++;
      y[i * columns + c] = s;
    }
  }
}

int main(void) {
  float *x = array(1 << 17), *y = array(200 * 64);
  rows(y, x + (1 << 16), 5, 65535, 200, 30, 64);
  show(y, 200 * 64);
}
