/* A private tensor of 16 x 8 x 8 between a convolution and what comes behind. */
#include "planted.h"

static float buf[16][8][8];
static const float weights[16][32] = {
    {1, 2, 3, 4}, {5, 6, 7}, {8, 9}, {10, 11, 12, 13, 14}, {15, 16}, {17}};

#define CONVOLVE                                                               \
  for (int c = 0; c < 16; c++)                                                 \
    for (int i = 0; i < 8; i++)                                                \
      for (int j = 0; j < 8; j++) {                                            \
        float s = 0;                                                           \
        for (int l = 0; l < 32; l++)                                           \
          for (int k = 0; k < 3; k++)                                          \
            s += in[(l * 8 + i) * 10 + j + k] * weights[c][l];                 \
        buf[c][i][j] = s;                                                      \
      }
#define POOL                                                                   \
  for (int c = 0; c < 16; c++)                                                 \
    for (int i = 0; i < 4; i++)                                                \
      for (int j = 0; j < 4; j++) {                                            \
        float s = 0;                                                           \
        for (int k = 0; k < 2; k++)                                            \
          for (int l = 0; l < 2; l++)                                          \
            s += buf[c][2 * i + k][2 * j + l];                                 \
        out[(c * 4 + i) * 4 + j] = s;                                          \
      }
#define RUN                                                                    \
  float *in = array(32 * 80), *out = array(2048);                              \
  for (int i = 0; i < 2; i++)                                                  \
    net(in, out);                                                              \
  show(out, 2048)
