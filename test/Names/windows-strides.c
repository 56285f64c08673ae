// Convolutions whose strides are arguments, each its own, and contractions that look like them.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
#define FOR(I, E) for (long I = 0; I < E; I++)
#define SIZES long C, long O, long H, long W, long P, long Q, long U, long V, long s, long t

// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: conv2d f32
void plane(const float *x, const float *f, float *y, SIZES) { FOR(p, P) FOR(q, Q) { float a = 0; FOR(u, U) FOR(v, V) a += x[(p * s + u) * W + q * t + v] * f[u * V + v]; y[p * Q + q] = a; } }
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: conv2d f32
void planes(const float *x, const float *f, float *y, SIZES) { FOR(o, O) FOR(p, P) FOR(q, Q) { float a = 0; FOR(c, C) FOR(u, U) FOR(v, V) a += x[(c * H + p * s + u) * W + q * t + v] * f[((o * C + c) * U + u) * V + v]; y[(o * P + p) * Q + q] = a; } }
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: conv2d f32
void channels_last(const float *x, const float *f, float *y, SIZES) { FOR(p, P) FOR(q, Q) FOR(o, O) { float a = 0; FOR(u, U) FOR(v, V) FOR(c, C) a += x[((p * s + u) * W + q * t + v) * C + c] * f[((o * U + u) * V + v) * C + c]; y[(p * Q + q) * O + o] = a; } }
// One stride for both, and strides that are numbers.
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: conv2d f32
void one_stride(const float *x, const float *f, float *y, SIZES) { FOR(o, O) FOR(p, P) FOR(q, Q) { float a = 0; FOR(c, C) FOR(u, U) FOR(v, V) a += x[(c * H + p * s + u) * W + q * s + v] * f[((o * C + c) * U + u) * V + v]; y[(o * P + p) * Q + q] = a; } }
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: conv2d f32
void by_two(const float *x, const float *f, float *y, SIZES) { FOR(p, P) FOR(q, Q) { float a = 0; FOR(u, U) FOR(v, V) a += x[(p * 2 + u) * W + q * 2 + v] * f[u * V + v]; y[p * Q + q] = a; } }
// By pointers that move, and a factor.
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: conv2d f32
void pointers(const float *x, const float *f, float *y, SIZES, float scale) { FOR(p, (H - U) / s + 1) FOR(q, (W - V) / t + 1) { const float *i = x + p * s * W + q * t, *w = f; float a = 0; FOR(u, U) { FOR(v, V) a += i[v] * w[v]; i += W; w += V; } *y++ += scale * a; } }
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: conv3d f32
void volume(const float *x, const float *f, float *y, SIZES, long D, long R, long G, long r) { FOR(d, R) FOR(p, P) FOR(q, Q) { float a = 0; FOR(g, G) FOR(u, U) FOR(v, V) a += x[((d * r + g) * H + p * s + u) * W + q * t + v] * f[(g * U + u) * V + v]; y[(d * P + p) * Q + q] = a; } }
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: conv2d.transposed f32
void scattered(const float *x, const float *f, float *y, SIZES) { FOR(p, P) FOR(q, Q) FOR(u, U) FOR(v, V) y[(p * s + u) * W + q * t + v] += x[p * Q + q] * f[u * V + v]; }
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: conv2d.transposed f32
void scattered_times(const float *x, const float *f, float *y, SIZES, float scale) { long width = (Q - 1) * t + V; FOR(p, P) FOR(q, Q) FOR(u, U) FOR(v, V) y[(p * s + u) * width + q * t + v] += scale * x[p * Q + q] * f[u * V + v]; }

// Rows as long as the axis inside of them: tensors by tensors.
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: matvec f32
void blocks(const float *x, const float *f, float *y, SIZES) { FOR(p, P) FOR(q, Q) { float a = 0; FOR(u, U) FOR(v, V) a += x[((p * U + u) * Q + q) * V + v] * f[u * V + v]; y[p * Q + q] = a; } }
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: matmul.nt f32
void heads(const float *x, const float *f, float *y, SIZES) { FOR(o, O) FOR(p, P) FOR(q, Q) { float a = 0; FOR(u, U) FOR(v, V) a += x[((p * U + u) * Q + q) * V + v] * f[(o * U + u) * V + v]; y[(o * P + p) * Q + q] = a; } }
// One axis of a stride may be a row of a matrix.
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: matvec f32
void rows(const float *x, const float *f, float *y, SIZES) { FOR(p, P) { float a = 0; FOR(u, U) a += x[p * s + u] * f[u]; y[p] = a; } }
// What all of a window is times is no filter.
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: {{reduce|generic}} f32
void weighted_pool(const float *x, const float *f, float *y, SIZES) { FOR(c, C) FOR(p, P) FOR(q, Q) { float a = 0; FOR(u, U) FOR(v, V) a += x[(c * H + p * s + u) * W + q * t + v]; y[(c * P + p) * Q + q] = a * f[c] + y[c]; } }
// What is left of a row behind an element is no window: a triangle times a matrix.
// CHECK-DAG: windows-strides.c:[[#@LINE+1]]:{{.*}} kernel: matmul.nn f32
void triangle(const float *x, const float *z, float *y, SIZES) { FOR(i, P) FOR(j, Q) { float a = 0; for (long k = i; k < U; k++) a += x[i * U + k] * z[k * Q + j]; y[i * Q + j] = a; } }
