// Arrays whose strides are all arguments, 1 or not, and some of which are 1: the bits of
// plain clang.
//
// REQUIRES: native-x86
// DEFINE: %{flags} = -march=native
// DEFINE: %{check} = \
// DEFINE:   %clang -O3 %{flags} -DKERNEL '-DNAME(x)=plain_##x' -c %s -o %t.plain.o && \
// DEFINE:   %clang_dl -mllvm -dl-%dispatch -O3 %{flags} -DKERNEL '-DNAME(x)=made_##x' -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK && \
// DEFINE:   %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} =
// RUN: %{check}
// REMARK-COUNT-4: where strides are 1
#define ARGUMENTS                                                                        \
  (long m, long n, float *restrict y, long yr, long yc, const float *restrict x, long xr, long xc)
#ifdef KERNEL
#include <math.h>
#define Y(I, J) y[(I) * yr + (J) * yc]
#define X(I, J) x[(I) * xr + (J) * xc]
void NAME(sum) ARGUMENTS {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      Y(i, 0) += X(i, j);
}
void NAME(transpose) ARGUMENTS {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      Y(j, i) = X(i, j);
}
void NAME(norm) ARGUMENTS {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += X(i, j) * X(i, j);
    s = sqrtf(s / n + 1);
    for (long j = 0; j < n; j++)
      Y(i, j) = X(i, j) / s;
  }
}
void NAME(window) ARGUMENTS {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      for (long a = 0; a < 3; a++)
        for (long b = 0; b < 3; b++)
          Y(i, j) += X(i + a, j + b);
}
void NAME(vector) ARGUMENTS {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      y[i * yc] += X(i, j) * x[j * xc];
}
#else
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef void Kernel ARGUMENTS;
enum { SIZE = 40000 };
static float X[SIZE], Y[2][SIZE];
static int runs = 0, bad = 0;
static void compare(Kernel *plain, Kernel *made, long m, long n, long yc, long xc) {
  long row = (m > n ? m : n) + 3;
  for (int i = 0; i < SIZE; i++)
    Y[0][i] = Y[1][i] = (i % 13 - 6) / 3.0f;
  plain(m, n, Y[0], row * yc, yc, X, row * xc, xc);
  made(m, n, Y[1], row * yc, yc, X, row * xc, xc);
  runs++;
  bad += memcmp(Y[0], Y[1], sizeof Y[0]) != 0;
}
#define COMPARE(F)                                                                       \
  Kernel plain_##F, made_##F;                                                            \
  compare(plain_##F, made_##F, Sizes[i], Sizes[j], yc, xc)
int main(void) {
  unsigned s = 1;
  for (int i = 0; i < SIZE; i++)
    X[i] = (int)(s = s * 1664525 + 1013904223) / 1e9f;
  static const long Sizes[] = {0, 1, 5, 16, 33, 64};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      for (long yc = 1; yc < 3; yc++)
        for (long xc = 1; xc < 3; xc++) {
          COMPARE(sum);
          COMPARE(transpose);
          COMPARE(norm);
          COMPARE(window);
          COMPARE(vector);
        }
  // CHECK: 720 runs, 0 different
  printf("%d runs, %d different\n", runs, bad);
}
#endif
