// Elements are added up in the order of the source, though that steps over channels.
// RUN: env DLOPT_OPTIONS=disable=dl-vectorize %check
// Not self-checked: tensors stay as they are then
#include "planted.h"

static float buf[32][5][5];
static const float weights[32][32] = {{1, 2, 3, 4}, {5, 6, 7}, {8, 9}, {10}};

NOINLINE void net(const float *restrict in, float *restrict out) {
  for (int c = 0; c < 32; c++)
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < 5; j++) {
        float s = in[i * 6 + j];
        for (int l = 0; l < 32; l++)
          s += in[(l * 6 + i) * 6 + j] * weights[c][l];
        buf[c][i][j] = s;
      }
  float s = 0;
  for (int c = 0; c < 32; c++)
    for (int p = 0; p < 24; p++)
      s += buf[c][0][p];
  *out = s;
}

int main(void) {
  float *in = array(32 * 36), *out = array(1);
  net(in, out);
  show(out, 1);
}
