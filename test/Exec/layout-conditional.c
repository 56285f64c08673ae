// Private tensors that are read under conditions, as padding and gates are written: the
// values go on into blocks that nothing leads to once the loops are replaced.
//
// REQUIRES: native-x86, avx2
// RUN: %clang -O2 -march=haswell -ffp-contract=off %s -o %t.plain && %t.plain > %t.want
// RUN: %clang_dl -O2 -march=haswell -ffp-contract=off -Rpass=dl-layout %s -o %t.dl 2>&1 | FileCheck %s
// RUN: %t.dl | diff %t.want -
// RUN: %clang_dl -O3 -march=haswell -ffp-contract=off -DGATE %s -o %t.dl
// RUN: %clang -O2 -march=haswell -ffp-contract=off -DGATE %s -o %t.plain && %t.plain > %t.want
// RUN: %t.dl | diff %t.want -
// CHECK-DAG: remark: t: 32 channels innermost
// CHECK-DAG: remark: u: 32 channels innermost
#include <stdio.h>

enum { C = 32, N = 14 };
static float t[C][N][N], u[C][N][N];
static const float w[C][3][3] = {{{1, 2, 3}, {4, 5, 6}}, {{-1, 1, 1}}, {{2}}},
                   d[C][3][3] = {{{1, -2, 3}, {4, 5, 6}}, {{7, 8, 9}}};

__attribute__((noinline)) static void net(const float *restrict x,
                                          float *restrict y) {
  for (int m = 0; m < C; m++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        float s = 0;
        for (int r = -1; r <= 1; r++)
          for (int q = -1; q <= 1; q++)
            if (i + r >= 0 && i + r < N && j + q >= 0 && j + q < N)
              s += x[(i + r) * N + j + q] * w[m][r + 1][q + 1];
        t[m][i][j] = s;
      }
  for (int m = 0; m < C; m++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        float s = 0;
        for (int r = -1; r <= 1; r++)
          for (int q = -1; q <= 1; q++) {
            float e = i + r >= 0 && i + r < N && j + q >= 0 && j + q < N
                          ? t[m][i + r][j + q]
                          : 0.0f;
            s += e * d[m][r + 1][q + 1];
          }
        u[m][i][j] = s;
      }
#ifdef GATE
  for (int k = 0; k < C * N * N; k++)
    (&u[0][0][0])[k] = x[k % (N * N)] > 0 ? (&u[0][0][0])[k] : 0;
#endif
  for (int m = 0; m < C; m++)
    for (int i = 0; i < N / 2; i++)
      for (int j = 0; j < N / 2; j++) {
        float a = 0;
        for (int r = 0; r < 2; r++)
          for (int q = 0; q < 2; q++)
            a = a > u[m][2 * i + r][2 * j + q] ? a : u[m][2 * i + r][2 * j + q];
        y[(m * 7 + i) * 7 + j] = a;
      }
}

int main(void) {
  static float x[N * N], y[C * 49];
  for (int i = 0; i < N * N; i++)
    x[i] = i % 11 * 0.37f - 1.5f;
  net(x, y);
  for (int i = 0; i < C * 49; i++)
    printf("%a\n", y[i]);
}
