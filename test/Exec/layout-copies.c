// Layers that are passed their tensors and sizes, as libraries for small devices have them:
// each is copied for what it is called with. The bits of plain clang.
//
// REQUIRES: native-x86, avx2
// RUN: %clang -O3 -march=haswell -ffp-contract=off %s -o %t.plain && %t.plain > %t.want
// RUN: %clang_dl -O3 -march=haswell -ffp-contract=off -Rpass=dl-layout %s -o %t.dl 2>&1 | FileCheck %s
// RUN: %t.dl | diff %t.want -
// CHECK-DAG: remark: {{a|b}}: 32 channels innermost, 196 elements each
// CHECK-DAG: remark: k1: 32 channels innermost, 9 elements each
// CHECK-DAG: remark: k2: 32 channels innermost, 9 elements each
#include <stdio.h>

#define NOINLINE __attribute__((noinline)) static
static float a[32 * 14 * 14], b[32 * 14 * 14], c[32 * 7 * 7];
static const float w[32 * 3] = {1, 2, 3, -4, 5, 6}, k1[32 * 9] = {1, 2, 3, 4, -5},
                   k2[32 * 9] = {-1, 1, 0, 3, .5f, .25f, 4}, bias[32] = {1, -2};

NOINLINE void pointwise(const float *x, int in, int out, int size, const float *w,
                        float *y) {
  for (int m = 0; m < out; m++)
    for (int p = 0; p < size; p++) {
      float s = 0;
      for (int l = 0; l < in; l++)
        s += x[l * size + p] * w[m * in + l];
      y[m * size + p] = s;
    }
}

NOINLINE void depthwise(const float *x, int ch, int h, int w, const float *k,
                        const float *b, float *y) {
  for (int c = 0; c < ch; c++)
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++) {
        float s = b[c];
        for (int r = -1; r <= 1; r++)
          for (int q = -1; q <= 1; q++)
            if (i + r >= 0 && i + r < h && j + q >= 0 && j + q < w)
              s += x[(c * h + i + r) * w + j + q] * k[c * 9 + (r + 1) * 3 + q + 1];
        y[(c * h + i) * w + j] = s;
      }
}

NOINLINE void pool(const float *x, int ch, int h, int w, float *y) {
  for (int c = 0; c < ch; c++)
    for (int i = 0; i < h / 2; i++)
      for (int j = 0; j < w / 2; j++) {
        float s = x[(c * h + 2 * i) * w + 2 * j];
        for (int r = 0; r < 2; r++)
          for (int q = 0; q < 2; q++) {
            float v = x[(c * h + 2 * i + r) * w + 2 * j + q];
            s = s > v ? s : v;
          }
        y[(c * (h / 2) + i) * (w / 2) + j] = s;
      }
}

__attribute__((noinline)) void net(const float *x, float *y) {
  pointwise(x, 3, 32, 196, w, a);
  depthwise(a, 32, 14, 14, k1, bias, b);
  depthwise(b, 32, 14, 14, k2, bias, a);
  depthwise(a, 32, 14, 14, k2, bias, b);
  pool(b, 32, 14, 14, c);
  depthwise(c, 32, 7, 7, k1, bias, y);
}

static float x[3 * 196], y[32 * 49];
int main(void) {
  for (int i = 0; i < 3 * 196; i++)
    x[i] = (i * 37 % 101) / 50.f - 1;
  for (int r = 0; r < 2; r++) {
    net(x, y);
    double s = 0;
    for (int i = 0; i < 32 * 49; i++)
      s += y[i] * (i % 17 + 1);
    printf("%a\n", s);
    x[5] = 3;
  }
}
