// A loop has one remark, whatever it is made of: rows of a softmax are loops by blocks of
// rows, whose parts have versions for arrays that are one. Those are analysis remarks. A
// helper that is inlined twice on a line is said to be left alone once. What becomes of
// arrays that overlap is said where a test for that is made, once.
//
// REQUIRES: x86-registered-target
//
// DEFINE: %{run} = %clang_dl --target=x86_64-linux-gnu -march=x86-64-v3 -O3 -c %s -o /dev/null -Rpass=dl- -Rpass-missed=dl-
// RUN: %{run} 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %{run} -Rpass-analysis=dl-vectorize 2>&1 | FileCheck %s --check-prefix=PARTS
#include <math.h>
#include <time.h>

// CHECK: one-verdict.c:[[#@LINE+9]]:44: remark: left alone: {{.*}}; loops inside are kernels
// CHECK: one-verdict.c:[[#@LINE+9]]:5: remark: relu f32, 4096: left alone: recognized; LLVM's own loop vectorizer does the same (in 'relu', {{.*}}
// CHECK: one-verdict.c:[[#@LINE+2]]:3: remark: relu f32, argument 2: left alone
static inline void relu(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] > 0 ? x[i] : 0;
}
static void both(float *x, float *y) { relu(x, 4096), relu(y, 4096); }
void layers(float *x, float *y) {
  for (long run = time(0); run > 0; run -= time(0))
    both(x, y);
}

// CHECK: one-verdict.c:[[#@LINE+5]]:3: remark: softmax f32, {{.*}}: exact, loops by blocks of rows, kernel numbers 1 to {{[1-9][0-9]*}}; where arrays overlap in part, it runs as it was [
// PARTS: one-verdict.c:[[#@LINE+4]]:3: remark: softmax f32, {{.*}}: exact, loops by blocks of rows, kernel numbers 1 to {{[1-9][0-9]*}}; where arrays overlap in part, it runs as it was [
// PARTS: one-verdict.c:[[#@LINE+3]]:3: remark: softmax f32, {{.*}}: exact, where argument 3 is argument 4, {{.*}}, kernel number 2 [-Rpass-analysis=dl-vectorize]
// PARTS: one-verdict.c:[[#@LINE+2]]:3: remark: {{.*}}, kernel number 3 [-Rpass-analysis=dl-vectorize]
void softmax_rows(int rows, int n, const float *x, float *y) {
  for (int r = 0; r < rows; r++) {
    float m = -INFINITY;
    for (int i = 0; i < n; i++)
      m = fmaxf(m, x[r * n + i]);
    float s = 0;
    for (int i = 0; i < n; i++) {
      y[r * n + i] = expf(x[r * n + i] - m);
      s += y[r * n + i];
    }
    for (int i = 0; i < n; i++)
      y[r * n + i] /= s;
  }
}

// CHECK: one-verdict.c:[[#@LINE+5]]:3: remark: add f32, argument 4: exact, {{.*}}, kernel numbers {{[0-9]+}} to {{[0-9]+}}; where arrays overlap in part, it runs as it was [
// PARTS: one-verdict.c:[[#@LINE+4]]:3: remark: add f32, argument 4: exact, {{.*}}, kernel numbers {{[0-9]+}} to {{[0-9]+}}; where arrays overlap in part, it runs as it was [
// PARTS: one-verdict.c:[[#@LINE+3]]:3: remark: add f32, argument 4: exact, where argument 2 is argument 1, {{.*}} [-Rpass-analysis=dl-vectorize]
// PARTS: one-verdict.c:[[#@LINE+2]]:3: remark: add f32, argument 4: exact, where argument 3 is argument 1, {{.*}} [-Rpass-analysis=dl-vectorize]
void add(float *a, float *b, float *c, int n) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + c[i];
}

// CHECK: one-verdict.c:[[#@LINE+2]]:3: remark: transpose f32, {{.*}}, kernel number{{[0-9s to]+}}; where arrays overlap, it runs as it was [
void transpose(int n, const float *x, float *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i * n + j] = x[j * n + i];
}
// CHECK: one-verdict.c:[[#@LINE+2]]:3: remark: transpose f32, {{.*}}, kernel number{{[0-9s to]+}} [
void transpose_apart(int n, const float *restrict x, float *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i * n + j] = x[j * n + i];
}
