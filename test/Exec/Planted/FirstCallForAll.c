// A function that is passed two arrays uses the elements of both.
// RUN: env DLOPT_OPTIONS=disable=schedules %check
// Not self-checked: tensors stay as they are then
#include "layout.h"

static float other[16][8][8];

// What calls it is not copied.
NOINLINE __attribute__((noduplicate)) static void once(void) {
  __asm__ volatile("");
}

NOINLINE static void pool(float x[16][8][8], float *restrict out) {
  once();
  for (int c = 0; c < 16; c++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        float s = 0;
        for (int k = 0; k < 2; k++)
          for (int l = 0; l < 2; l++)
            s += x[c][2 * i + k][2 * j + l];
        out[(c * 4 + i) * 4 + j] = s;
      }
}

NOINLINE void net(const float *restrict in, float *restrict out) {
  CONVOLVE
  memcpy(other, in, sizeof other);
  pool(other, out + 1024);
  pool(buf, out);
}

int main(void) { RUN; }
