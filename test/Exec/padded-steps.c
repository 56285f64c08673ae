// Padded windows whose distance is an argument, 1 and more: the bits of plain clang.
//
// REQUIRES: native-x86, avx512
// RUN: %clang -O3 -march=native -DKERNEL -DNAME(x)=plain_##x -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -march=native -DKERNEL -DNAME(x)=made_##x -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t
// RUN: %t | FileCheck %s
// REMARK-COUNT-2: conv2d f32, {{.*}}: exact, by the script tiles
#define ARGS(P)                                                                \
  int o, int c, int h, int w, int oh, int ow, int k, int step, int pad,        \
      const float *P x, const float *P f, float *P y
#ifdef KERNEL
void NAME(conv)(ARGS(restrict)) {
  for (int m = 0; m < o; m++)
    for (int i = 0; i < oh; i++)
      for (int j = 0; j < ow; j++) {
        float s = 0;
        for (int l = 0; l < c; l++)
          for (int a = 0; a < k; a++)
            for (int b = 0; b < k; b++) {
              int r = i * step + a - pad, q = j * step + b - pad;
              if (r >= 0 && r < h && q >= 0 && q < w)
                s += x[(l * h + r) * w + q] * f[((m * c + l) * k + a) * k + b];
            }
        y[(m * oh + i) * ow + j] = s;
      }
}
// Sums in memory.
void NAME(depthwise)(ARGS(restrict)) {
  for (int m = 0; m < o; m++)
    for (int i = 0; i < oh; i++)
      for (int j = 0; j < ow; j++) {
        y[(m * oh + i) * ow + j] = c;
        for (int a = 0; a < k; a++)
          for (int b = 0; b < k; b++) {
            int r = i * step + a - pad, q = j * step + b - pad;
            if (r >= 0 && r < h && q >= 0 && q < w)
              y[(m * oh + i) * ow + j] +=
                  x[(m * h + r) * w + q] * f[(m * k + a) * k + b];
          }
      }
}
#else
#include <math.h>
#include <stdio.h>
#include <string.h>
void plain_conv(ARGS()), made_conv(ARGS());
void plain_depthwise(ARGS()), made_depthwise(ARGS());
enum { Size = 1 << 15 };
static float X[Size], F[Size], Y[2][Size];
static int differ(void) {
  int bad = 0;
  for (int i = 0; i < Size; i++)
    bad += memcmp(&Y[0][i], &Y[1][i], sizeof(float)) &&
           (Y[0][i] == Y[0][i] || Y[1][i] == Y[1][i]);
  return bad;
}
int main(void) {
  unsigned s = 1;
  for (int i = 0; i < Size; i++) {
    X[i] = (int)(s = s * 1664525 + 1013904223) / 1e9f;
    F[i] = (int)(s = s * 1664525 + 1013904223) / 1e9f;
  }
  X[3] = NAN, X[50] = INFINITY, X[100] = -0.0f, F[7] = INFINITY;
  int bad = 0;
  for (int step = 1; step <= 3; step++)
    for (int pad = 0; pad <= 2; pad++)
      for (int ow = 0; ow <= 40; ow += 5) {
        int o = 3, c = 4, h = 9, w = ow * step, oh = 7, k = 3;
        plain_conv(o, c, h, w, oh, ow, k, step, pad, X, F, Y[0]);
        made_conv(o, c, h, w, oh, ow, k, step, pad, X, F, Y[1]);
        bad += differ();
        plain_depthwise(o, c, h, w, oh, ow, k, step, pad, X, F, Y[0]);
        made_depthwise(o, c, h, w, oh, ow, k, step, pad, X, F, Y[1]);
        bad += differ();
      }
  // CHECK: bad 0
  printf("bad %d\n", bad);
}
#endif
