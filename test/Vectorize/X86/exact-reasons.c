// Where the order of sums or the functions of the C library keep loops from vectors,
// remarks say so, and what would permit them.
// RUN: %clang_dl -O3 -march=haswell -c -o %t.o %s -Rpass-missed=dl-vectorize 2>&1 | FileCheck %s
// RUN: %clang_dl -O3 -march=haswell -c -o %t.o %s -Rpass=dl-vectorize -DFAST -ffast-math 2>&1 | FileCheck %s --check-prefix=FAST
// FAST: exact-reasons.c:[[#GELU:]]:{{.*}}approximated
#include <math.h>

void gelu(float *restrict y, const float *restrict x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 0.5f * x[i] * (1 + tanhf(x[i] * 0.79788456f));
}

void angles(float *restrict y, const float *restrict x, int n) {
  // CHECK-DAG: exact-reasons.c:[[#@LINE+1]]:{{.*}} left alone: recognized; exact results are those of the C library's functions, one value at a time (-ffast-math or fp=fast permits others): calls of 'atanhf'
  for (int i = 0; i < n; i++)
    y[i] = atanhf(x[i]) * 2;
}

float dot(const float *x, const float *y, int n) {
  float s = 0;
  // CHECK-DAG: exact-reasons.c:[[#@LINE+1]]:{{.*}} left alone: recognized; exact results need reductions in the order of the source (-ffast-math or fp=fast permits another)
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

#ifndef FAST
// One sum of a row, and what is made of it: each loop has one verdict, the last one.
// CHECK-DAG: exact-reasons.c:[[#@LINE+3]]:{{.*}} left alone: recognized; exact results need reductions
void rmsnorm(float *restrict y, const float *restrict x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  s = 1 / sqrtf(s / n + 1e-5f);
  for (int i = 0; i < n; i++)
    y[i] = s * x[i];
}

// Rows that are written are read by the rows behind.
void in_place(float *a, int n) {
  // CHECK-DAG: exact-reasons.c:[[#@LINE+1]]:{{.*}} left alone: recognized; no loop is known to have independent iterations
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * a[k * n + j];
      a[i * n + j] = s;
    }
}

// Nothing is known of how many windows there are, but LLVM unrolls them.
void pool(float *restrict y, const float *restrict x, int m, int n) {
  // CHECK-DAG: exact-reasons.c:[[#@LINE+1]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float most = -INFINITY;
      for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
          most = fmaxf(most, x[(2 * i + a) * 2 * n + 2 * j + b]);
      y[i * n + j] = most;
    }
}

void filter(float *x, float a, int n) {
  // CHECK-DAG: exact-reasons.c:[[#@LINE+1]]:{{.*}} left alone: recognized; no loop is known to have independent iterations
  for (int i = 1; i < n; i++)
    x[i] = a * x[i - 1] + x[i];
}
#endif
