// Loops over a batch of one, over windows of one element, and padding that is found
// by unsigned arithmetic on a counter that begins below zero, as code generators
// write them: the bits of plain clang.
//
// REQUIRES: native-x86
// RUN: %clang -O3 -march=native -DKERNEL -DNAME(x)=plain_##x -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -march=native -DKERNEL -DNAME(x)=made_##x -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t
// RUN: %t | FileCheck %s
// REMARK: matmul.nn f32, 20 x 323 x 40: exact
enum { H = 17, W = 19, C = 5, D = 40, M = 20 };
#ifdef KERNEL
void NAME(padded)(const float x[1][C][H][W], const float w[M][C][3][3],
                  const float bias[M], float y[1][M][H][W]) {
  for (unsigned b = 0; b < 1; b++)
    for (unsigned m = 0; m < M; m++)
      for (int o0 = 0, i0 = -1; o0 < H; o0++, i0 += 1)
        for (int o1 = 0, i1 = -1; o1 < W; o1++, i1 += 1) {
          y[b][m][o0][o1] = bias[m];
          for (int c = 0; c < C; c++)
            for (unsigned k0 = 0; k0 < 3; k0++)
              for (unsigned k1 = 0; k1 < 3; k1++) {
                int ii0 = i0 + k0 * 1, ii1 = i1 + k1 * 1;
                if (ii0 >= 0 && ii0 < H && ii1 >= 0 && ii1 < W)
                  y[b][m][o0][o1] += x[b][c][ii0][ii1] * w[m][c][k0][k1];
              }
        }
}
void NAME(pointwise)(const float x[1][D][H][W], const float w[M][D][1][1],
                     const float bias[M], float y[1][M][H][W]) {
  for (unsigned b = 0; b < 1; b++)
    for (unsigned m = 0; m < M; m++)
      for (int o0 = 0, i0 = 0; o0 < H; o0++, i0 += 1)
        for (int o1 = 0, i1 = 0; o1 < W; o1++, i1 += 1) {
          y[b][m][o0][o1] = bias[m];
          for (int c = 0; c < D; c++)
            for (unsigned k0 = 0; k0 < 1; k0++)
              for (unsigned k1 = 0; k1 < 1; k1++) {
                int ii0 = i0 + k0 * 1, ii1 = i1 + k1 * 1;
                y[b][m][o0][o1] += x[b][c][ii0][ii1] * w[m][c][k0][k1];
              }
        }
}
// Counters are used behind the loop, and one end of it is another one.
long NAME(behind)(long n, int stop, const float *restrict x,
                  float *restrict y) {
  long b = 5, runs = 0;
  for (; b < 6; b += 2, runs++) {
    for (long i = 0; i < n; i++) {
      float s = 0;
      for (long j = 0; j < 40; j++)
        s += x[i * 40 + j] * b;
      y[i] = s;
    }
    if (stop)
      break;
  }
  return 10 * b + runs;
}
#else
#include <math.h>
#include <stdio.h>
#include <string.h>
#define BOTH(R, F, ...) R plain_##F(__VA_ARGS__), made_##F(__VA_ARGS__)
BOTH(void, padded, const float *, const float *, const float *, float *);
BOTH(void, pointwise, const float *, const float *, const float *, float *);
BOTH(long, behind, long, int, const float *, float *);
static float X[D * H * W], Weights[M * D + M * C * 9], Y[2][M * H * W];
static int differ(void) {
  int bad = 0;
  for (int i = 0; i < M * H * W; i++)
    bad += memcmp(&Y[0][i], &Y[1][i], sizeof(float)) &&
           (Y[0][i] == Y[0][i] || Y[1][i] == Y[1][i]);
  return bad;
}
int main(void) {
  unsigned s = 1;
  for (unsigned i = 0; i < sizeof X / sizeof *X; i++)
    X[i] = (int)(s = s * 1664525 + 1013904223) / 1e9f;
  for (unsigned i = 0; i < sizeof Weights / sizeof *Weights; i++)
    Weights[i] = (int)(s = s * 1664525 + 1013904223) / 1e9f;
  X[3] = NAN, X[50] = INFINITY, X[100] = -0.0f, Weights[7] = INFINITY;
  plain_padded(X, Weights, X + 900, Y[0]);
  made_padded(X, Weights, X + 900, Y[1]);
  // CHECK: padded 0
  printf("padded %d\n", differ());
  plain_pointwise(X, Weights, X + 900, Y[0]);
  made_pointwise(X, Weights, X + 900, Y[1]);
  // CHECK: pointwise 0
  printf("pointwise %d\n", differ());
  for (int stop = 0; stop < 2; stop++)
    // CHECK: behind 1 0
    // CHECK: behind 1 0
    printf("behind %d %d\n",
           plain_behind(100, stop, X, Y[0]) == made_behind(100, stop, X, Y[1]),
           differ());
}
#endif
