// What is nearly a kernel with a name, but for one thing, has not that name.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
float sqrtf(float), expf(float), logf(float), fabsf(float), fmaxf(float, float), fminf(float, float), roundf(float), tanhf(float), cosf(float), sinf(float), powf(float, float);
#define FOR(I, E) for (long I = 0; I < E; I++)
#define ARGS long n, const float *restrict a, const float *restrict b, float *restrict c, float s, float t

// A softmax whose sum lacks a term; by the sum of what is not in the numerator.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: sum-of-exponentials f32, argument
void one_less(ARGS) { float q = 0; for (long i = 1; i < n; i++) q += expf(a[i]); FOR(i, n) c[i] = expf(a[i]) / q; }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: sum-of-exponentials f32, argument
void other_sum(ARGS) { float q = 0; FOR(i, n) q += expf(b[i]); FOR(i, n) c[i] = expf(a[i]) / q; }
// A layernorm by the wrong divisor: the last loop has the name of no norm.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: mean f32, argument
void other_divisor(ARGS) { float m = 0, v = 0; FOR(i, n) m += a[i]; m /= n; FOR(i, n) v += (a[i] - m) * (a[i] - m); v = 1 / sqrtf(v / (n + 1) + s); FOR(i, n) c[i] = (a[i] - m) * v * b[i]; }
// An rmsnorm by the mean of another array.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: sum-of-squares f32, argument
void other_mean(ARGS) { float q = 0; FOR(i, n) q += b[i] * b[i]; q = 1 / sqrtf(q / n + s); FOR(i, n) c[i] = a[i] * q; }
// Two loops that have nothing to do with each other.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: mean f32, argument 1, tier
float apart(ARGS) { FOR(i, n) c[i] = a[i] * s; float q = 0; FOR(i, n) q += b[i]; return q / n; }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: squared-distance f32, argument 1, tier
float not_by_n(ARGS) { float q = 0; FOR(i, n) q += (a[i] - b[i]) * (a[i] - b[i]); return q / (n - 1); }

// An Adam without a root; an Adagrad that forgets is an RMSprop.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void no_root(long n, float *restrict w, float *restrict m, float *restrict v, const float *restrict g, float r) { FOR(i, n) { m[i] = 0.9f * m[i] + 0.1f * g[i]; v[i] = 0.99f * v[i] + 0.01f * g[i]; w[i] -= r * m[i] / (v[i] + 1e-8f); } }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void no_mean(long n, float *restrict w, float *restrict m, float *restrict v, const float *restrict g, float r) { FOR(i, n) { m[i] = 0.9f * m[i] + 0.1f * g[i]; v[i] = 0.999f + v[i] + 0.001f * g[i] * g[i]; w[i] -= r * m[i] / (sqrtf(v[i]) + 1e-8f); } }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void minus_square(long n, float *restrict w, float *restrict m, float *restrict v, const float *restrict g, float r) { FOR(i, n) { m[i] = 0.9f * m[i] + 0.1f * g[i]; v[i] = 0.999f * v[i] - 0.001f * g[i] * g[i]; w[i] -= r * m[i] / (sqrtf(v[i]) + 1e-8f); } }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: rmsprop f32
void forgets(long n, float *restrict w, float *restrict h, const float *restrict g, float r) { FOR(i, n) { h[i] = 0.9f * h[i] + g[i] * g[i]; w[i] -= r * g[i] / (sqrtf(h[i]) + 1e-7f); } }

// Rows, which are no windows; windows of each channel by itself.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: {{matvec|vecmat|dot}}{{.*}} f32
void no_window(long m, ARGS) { FOR(i, m) { float q = 0; FOR(j, 3) q += a[3 * i + j] * b[j]; c[i] = q; } }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: conv2d.depthwise f32
void by_channel(long m, long k, ARGS) { FOR(o, k) FOR(i, m) FOR(j, n) { float q = 0; FOR(u, 3) FOR(v, 3) q += a[(o * (m + 2) + i + u) * (n + 2) + j + v] * b[o * 9 + u * 3 + v]; c[(o * m + i) * n + j] = q; } }

// Other limits, other slopes, the other side.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: clamp f32
void relu_7(ARGS) { FOR(i, n) c[i] = fminf(fmaxf(a[i], 0), 7); }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void shrink_once(ARGS) { FOR(i, n) c[i] = a[i] > s ? a[i] - s : a[i] < -s ? a[i] - s : 0; }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void elu_twice(ARGS) { FOR(i, n) c[i] = a[i] > 0 ? a[i] : s * (expf(a[i]) - 2); }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void tanh_half(ARGS) { FOR(i, n) c[i] = b[i] * (1 - 0.5f * a[i] * a[i]); }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void hinge_two(ARGS) { FOR(i, n) c[i] = fmaxf(2 - a[i] * b[i], 0); }

// Not rounded, and rounded of reals.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: scale f32
void not_integers(ARGS) { FOR(i, n) c[i] = a[i] * s; }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void stays_real(ARGS) { FOR(i, n) c[i] = fminf(fmaxf(roundf(a[i] * s), -128), 127); }

// A rotation of parts of different arrays, and by two angles.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void two_angles(long n, float *restrict x) { FOR(i, n) { float p = x[2 * i], q = x[2 * i + 1]; x[2 * i] = p * cosf(i) - q * sinf(i + 1); x[2 * i + 1] = p * sinf(i) + q * cosf(i + 2); } }
// Nor is one that turns only one of two.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void half_turned(long n, float *restrict x, const float *restrict a, const float *restrict b) { FOR(i, n) { float p = x[2 * i], q = x[2 * i + 1]; x[2 * i] = p * a[i] - q * b[i]; x[2 * i + 1] = p * b[i]; } }
// A dropout is one by another array, and scales what is left.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: mask f32
void unscaled(ARGS) { FOR(i, n) c[i] = a[i] > 1 ? b[i] : 0; }
// What is stored where windows overlap is not added, nor are elements of no window.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: generic f32
void last_counts(ARGS) { FOR(i, n) FOR(j, 3) c[i + j] = a[i] * b[j]; }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: generic f32
void repeated(ARGS) { FOR(i, n) FOR(j, 3) c[i + j] += a[i]; }
// A mask of what is past, and one by what is there, are no causal ones.
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: mask f32
void past(long n, float *restrict x) { FOR(i, n) FOR(j, n) if (j < i) x[i * n + j] = -1e9f; }
// CHECK-DAG: counter-examples.c:[[#@LINE+1]]:{{.*}} kernel: mask f32
void no_order(long n, float *restrict x, const float *restrict y) { FOR(i, n) FOR(j, n) if (y[i * n + j] > 3) x[i * n + j] = -1e9f; }

// A small factor is no zero.
// CHECK-DAG: counter-examples.c:[[#@LINE+2]]:{{.*}} kernel: scale f32
void scaled_down(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] * 1e-31f;
}
