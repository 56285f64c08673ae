// Powers are what LLVM makes of them, products, which the library rounds otherwise
// for some numbers: means of squares with the bits of plain clang.
//
// REQUIRES: native-x86
// RUN: %clang -O3 -DKERNEL -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -DKERNEL -DNAME=made -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t
// RUN: %t | FileCheck %s
// REMARK: variance f32, {{.*}}: exact, iterations of i
#ifdef KERNEL
#include <math.h>
void NAME(long rows, long n, const float *restrict x,
          const float *restrict mean, float *restrict y) {
  for (long i = 0; i < rows; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += powf(x[i * n + j] - mean[i], 2);
    y[i] = sum * powf(n, -1);
  }
}
#else
#include <math.h>
#include <stdio.h>
#include <string.h>
void plain(long, long, const float *, const float *, float *);
void made(long, long, const float *, const float *, float *);
enum { Rows = 20011, N = 3 };
static float X[Rows * N], Mean[Rows], Y[2][Rows];
int main(void) {
  unsigned s = 1;
  volatile float two = 2;
  int rounded = 0;
  for (int i = 0; i < Rows * N; i++) {
    s = s * 1664525 + 1013904223;
    X[i] = s / 1e9f;
    Mean[i % Rows] = i % 5 ? 0 : X[i];
  }
  X[5] = NAN, X[N + 7] = INFINITY, X[2 * N + 9] = 1e30f, X[3 * N] = -0.0f;
  for (int i = 0; i < Rows * N; i++)
    rounded += powf(X[i], two) != X[i] * X[i] && X[i] == X[i];
  // The library's powers are others.
  // CHECK: rounded 1
  printf("rounded %d\n", rounded != 0);
  int bad = 0;
  for (long n = 0; n <= N; n++) {
    plain(Rows, n, X, Mean, Y[0]);
    made(Rows, n, X, Mean, Y[1]);
    for (long i = 0; i < Rows; i++)
      bad += memcmp(&Y[0][i], &Y[1][i], sizeof(float)) &&
             (Y[0][i] == Y[0][i] || Y[1][i] == Y[1][i]);
  }
  // CHECK: bad 0
  printf("bad %d\n", bad);
}
#endif
