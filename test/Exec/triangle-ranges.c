// Triangles directly beside what they are computed of, and over its ends: the bits of plain
// clang.
//
// REQUIRES: native-x86
// RUN: %clang -O3 -march=native -DKERNEL '-DNAME(x)=plain_##x' -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -march=native -DKERNEL '-DNAME(x)=made_##x' -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// REMARK-COUNT-2: matmul.{{.*}} triangle
#ifdef KERNEL
void NAME(upper)(float *c, const float *a, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = i; j < n; j++) {
      c[i * n + j] = 0;
      for (long k = 0; k < m; k++)
        c[i * n + j] += a[k * n + i] * a[k * n + j];
      c[i * n + j] *= 0.5f;
      c[j * n + i] = c[i * n + j];
    }
}
void NAME(above)(float *c, const float *a, long n, long m) {
  for (long i = 0; i < n - 1; i++) {
    c[i * n + i] = 1;
    for (long j = i + 1; j < n; j++) {
      c[i * n + j] = 0;
      for (long k = 0; k < m; k++)
        c[i * n + j] += a[k * n + i] * a[k * n + j];
      c[j * n + i] = c[i * n + j];
    }
  }
}
#else
#include <stdio.h>
#include <string.h>
typedef void Kernel(float *c, const float *a, long n, long m);
Kernel plain_upper, made_upper, plain_above, made_above;
enum { SIZE = 8000 };
static float X[2][SIZE];
static int runs = 0, bad = 0;
static void compare(Kernel *plain, Kernel *made, long c, long a, long n, long m) {
  unsigned s = 1;
  for (int i = 0; i < SIZE; i++)
    X[0][i] = X[1][i] = (int)(s = s * 1664525 + 1013904223) / 1e9f;
  plain(X[0] + c, X[0] + a, n, m);
  made(X[1] + c, X[1] + a, n, m);
  runs++;
  bad += memcmp(X[0], X[1], sizeof X[0]) != 0;
}
int main(void) {
  for (long n = 15; n < 40; n += 8)
    for (long m = 16; m < 40; m += 11)
      for (long gap = -3; gap < 4; gap++) {
        compare(plain_upper, made_upper, 100, 100 + n * n + gap, n, m);
        compare(plain_upper, made_upper, 100 + n * m + gap, 100, n, m);
        compare(plain_above, made_above, 100, 100 + n * n + gap, n, m);
        compare(plain_above, made_above, 100 + n * m + gap, 100, n, m);
      }
  // CHECK: 336 runs, 0 different
  printf("%d runs, %d different\n", runs, bad);
}
#endif
