// Gradients whose sums over rows have been computed before, and elements that several rounds share.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
// Of the variance (dv) and of the mean (dm), as normalizations were first derived.
// CHECK-DAG: parts.c:[[#@LINE+2]]:{{.*}} kernel: batchnorm.backward f32
void batchnorm(float *restrict dx, const float *restrict dy, const float *restrict x, const float *restrict g, const float *restrict r, const float *restrict mean, const float *restrict dv, const float *restrict dm, int n, int c, float one) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < c; k++) dx[i * c + k] += dy[i * c + k] * g[k] * r[k] + dv[k] * 2 * (x[i * c + k] - mean[k]) * one + dm[k] * one; }
// CHECK-DAG: parts.c:[[#@LINE+2]]:{{.*}} kernel: layernorm.backward f32
void layernorm(float *restrict dx, const float *restrict dy, const float *restrict x, const float *restrict g, const float *restrict r, const float *restrict mean, const float *restrict dv, const float *restrict dm, int n, int c) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < c; k++) { float d = dy[i * c + k] * g[k]; dx[i * c + k] = d * r[i] + 2 * dv[i] * (x[i * c + k] - mean[i]) / c + dm[i] / c; } }
// CHECK-DAG: parts.c:[[#@LINE+2]]:{{.*}} kernel: rmsnorm.backward f32
void rmsnorm(float *restrict dx, const float *restrict dy, const float *restrict x, const float *restrict g, const float *restrict r, const float *restrict dr, int n, int c, float one) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < c; k++) dx[i * c + k] += dy[i * c + k] * g[k] * r[i] + dr[i] * 2 * x[i * c + k] * one; }
// The derivative of a square is none of a cube.
// CHECK-DAG: parts.c:[[#@LINE+2]]:{{.*}} kernel: map f32
void cubes(float *restrict dx, const float *restrict dy, const float *restrict x, const float *restrict g, const float *restrict r, const float *restrict dr, int n, int c, float one) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < c; k++) dx[i * c + k] += dy[i * c + k] * g[k] * r[i] + dr[i] * 3 * x[i * c + k] * one; }
// CHECK-DAG: parts.c:[[#@LINE+1]]:{{.*}} kernel: clamp.backward f32
void clipped(float *restrict dx, const float *restrict dy, const float *restrict y, int n, float end) { for (int i = 0; i < n; i++) if (y[i] > 0 && y[i] < end) dx[i] += dy[i]; }
// CHECK-DAG: parts.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void outside(float *restrict dx, const float *restrict dy, const float *restrict y, int n, float end) { for (int i = 0; i < n; i++) if (y[i] < 0 || y[i] > end) dx[i] += dy[i]; }
// Of rows and of columns.
// CHECK-DAG: parts.c:[[#@LINE+1]]:{{.*}} kernel: scale f32
void scale(float *restrict y, const float *restrict x, const float *restrict r, const float *restrict g, int n, int c) { for (int i = 0; i < n; i++) for (int k = 0; k < c; k++) y[i * c + k] = x[i * c + k] * r[i] * g[k]; }
// A sum of products is no product, where indices begin anew.
// CHECK-DAG: parts.c:[[#@LINE+1]]:{{.*}} kernel: dot f32
void shared(float *restrict d, const float *restrict a, const float *restrict b, unsigned n, unsigned s) { for (unsigned i = 0; i < n; i++) d[i % s] += a[i] * b[i]; }
// CHECK-DAG: parts.c:[[#@LINE+1]]:{{.*}} kernel: multiply-add f32
void own(float *restrict d, const float *restrict a, const float *restrict b, unsigned n, unsigned s) { for (unsigned i = 0; i < n; i++) d[i] += a[i % s] * b[i]; }
