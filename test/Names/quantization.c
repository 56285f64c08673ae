// Integers for real numbers, and back.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
float fabsf(float), roundf(float);
typedef unsigned char uint8_t;
typedef signed char int8_t;
typedef int int32_t;
typedef long long int64_t;

// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: quantize i8
void q8(const float *x, int8_t *q, int n, float s) { for (int i = 0; i < n; i++) { int v = (int)roundf(x[i] / s); v = v > 127 ? 127 : v < -128 ? -128 : v; q[i] = v; } }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: quantize i8
void qsym(const float *x, int8_t *q, float *sc, int n, int gs) { for (int g = 0; g < n / gs; g++) { float m = 0; for (int i = 0; i < gs; i++) { float v = fabsf(x[g * gs + i]); if (v > m) m = v; } float s = m / 127.f; sc[g] = s; for (int i = 0; i < gs; i++) q[g * gs + i] = (int8_t)roundf(x[g * gs + i] / s); } }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: dequantize f32
void dq(const int8_t *q, float *x, int n, float s) { for (int i = 0; i < n; i++) x[i] = q[i] * s; }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: dequantize f32
void dqz(const uint8_t *q, float *x, int n, float s, int z) { for (int i = 0; i < n; i++) x[i] = s * (q[i] - z); }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: dequantize f32
void dqc(const int8_t *q, const float *s, float *x, int m, int n) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) x[i * n + j] = q[i * n + j] * s[i]; }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: dequantize f32
void dqg(const int8_t *q, const float *s, float *x, int n) { for (int i = 0; i < n; i++) x[i] = q[i] * s[i / 32]; }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: requantize i8
void rqs(const int32_t *a, int8_t *q, int n, int mul, int sh) { for (int i = 0; i < n; i++) { int32_t v = ((int64_t)a[i] * mul + (1ll << (sh - 1))) >> sh; if (v > 127) v = 127; if (v < -128) v = -128; q[i] = (int8_t)v; } }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: lookup i8
void lut(const uint8_t *x, const uint8_t *t, uint8_t *y, int n) { for (int i = 0; i < n; i++) y[i] = t[x[i]]; }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: matmul i32
void mm8(const int8_t *a, const int8_t *b, int32_t *c, int m, int n, int k) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { int32_t s = 0; for (int p = 0; p < k; p++) s += a[i * k + p] * b[p * n + j]; c[i * n + j] = s; } }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: matmul i32
void mm8z(const uint8_t *a, const uint8_t *b, int32_t *c, int m, int n, int k, int za, int zb) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { int32_t s = 0; for (int p = 0; p < k; p++) s += ((int)a[i * k + p] - za) * ((int)b[j * k + p] - zb); c[i * n + j] = s; } }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: convert f64
void cast(const float *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: convert f32
void casti(const int *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = (float)x[i]; }
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: round f32
void whole(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = roundf(x[i]); }
// By two scales, one of them for each column, and a bias.
// CHECK-DAG: quantization.c:[[#@LINE+1]]:{{.*}} kernel: dequantize f32
void dequantize_product(const int *q, float s, const float *t, const float *b, float *y, int m, int n) { float r = 1 / s; for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) y[i * n + j] = q[i * n + j] * r / t[j] + b[j]; }
