// Memory between loops that are joined may be errno, which they set.
// REQUIRES: native-x86
// RUN: %clang_dl -O3 %s -lm -o %t && %t | FileCheck %s
#include <errno.h>
#include <math.h>
#include <stdio.h>

// e is written before the roots are taken.
__attribute__((noinline)) void written(float *restrict y, float *restrict o,
                                       const float *restrict x, int *e,
                                       long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] * 2;
  e[0] = 7;
  for (long i = 0; i < n; i++)
    o[i] = sqrtf(y[i]);
}

// e is read after that.
__attribute__((noinline)) void read(float *restrict y, float *restrict o,
                                    const float *restrict x, const int *e,
                                    long n) {
  for (long i = 0; i < n; i++)
    y[i] = sqrtf(x[i]);
  int v = e[0];
  for (long i = 0; i < n; i++)
    o[i] = y[i] * v;
}

int main(void) {
  float x[40], y[40], o[40];
  for (int i = 0; i < 40; i++)
    x[i] = i == 20 ? -1 : 4;
  written(y, o, x, &errno, 40);
  // CHECK: written 1
  printf("written %d\n", errno == EDOM);
  errno = 0;
  read(y, o, x, &errno, 40);
  // CHECK: read 1
  printf("read %d\n", o[0] == 2 * EDOM);
}
