// Square roots of sums of rows: errno is what the loop leaves, whichever row it
// comes from.
// RUN: %clang_dl -O3 -march=x86-64 -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize %s -lm -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %t | FileCheck %s
// REQUIRES: native-x86
// REMARK: reduce f32, {{.*}}: exact, iterations of i
// CHECK: 0 failures
#include <errno.h>
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static void rows(float *restrict y,
                                           const float *restrict x, int m,
                                           int n) {
  for (int i = 0; i < m; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += x[i * n + j];
    y[i] = sqrtf(s);
  }
}

// What is read may be errno, so that it is as after the roots so far.
__attribute__((noinline)) static void
watched(float *restrict y, const float *restrict x, int m, int n, int *e) {
  *e = 0;
  for (int i = 0; i < m; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += x[i * n + j];
    y[i] = sqrtf(s) + *e;
  }
}

int main(void) {
  enum { M = 70, N = 8 };
  static float x[M * N], y[M];
  int failures = 0;
  for (int negative = -1; negative < M; negative++) {
    for (int i = 0; i < M * N; i++)
      x[i] = i / N == negative ? -1 : 2;
    errno = 0;
    rows(y, x, M, N);
    failures += errno != (negative < 0 ? 0 : EDOM);
    for (int i = 0; i < M; i++)
      failures += i == negative ? !isnan(y[i]) : y[i] != 4;
  }
  for (int i = 0; i < M * N; i++)
    x[i] = i / N == 20 ? -1 : 2;
  watched(y, x, M, N, &errno);
  for (int i = 0; i < M; i++)
    failures += i != 20 && y[i] != (i < 20 ? 4 : 4 + EDOM);
  printf("%d failures\n", failures);
  return failures != 0;
}
