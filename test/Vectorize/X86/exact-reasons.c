// Where the order of sums or the functions of the C library keep loops from vectors,
// remarks say so, and what would permit them.
// RUN: %clang_dl -O3 -march=haswell -c -o %t.o %s -Rpass-missed=dl-vectorize 2>&1 | FileCheck %s
// RUN: %clang_dl -O3 -march=haswell -c -o %t.o %s -Rpass=dl-vectorize -DFAST -ffast-math 2>&1 | FileCheck %s --check-prefix=FAST
// FAST: exact-reasons.c:[[#GELU:]]:{{.*}}approximated
#include <math.h>

void gelu(float *restrict y, const float *restrict x, int n) {
  // CHECK: exact-reasons.c:[[#@LINE+1]]:{{.*}} left alone: recognized; exact results are those of the C library's functions, one value at a time (-ffast-math or fp=fast permits others): calls of 'erff'
  for (int i = 0; i < n; i++)
    y[i] = 0.5f * x[i] * (1 + erff(x[i] * 0.70710678f));
}

float dot(const float *x, const float *y, int n) {
  float s = 0;
  // CHECK: exact-reasons.c:[[#@LINE+1]]:{{.*}} left alone: recognized; exact results need sums in the order of the source (-ffast-math or fp=fast permits another)
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

#ifndef FAST
void filter(float *x, float a, int n) {
  // CHECK: exact-reasons.c:[[#@LINE+1]]:{{.*}} left alone: recognized; no loop is known to have independent iterations
  for (int i = 1; i < n; i++)
    x[i] = a * x[i - 1] + x[i];
}
#endif
