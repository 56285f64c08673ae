// Activations, their gradients and their derivatives.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
float sqrtf(float), expf(float), fmaxf(float, float), fminf(float, float), fabsf(float), logf(float), log1pf(float), tanhf(float), erff(float);
double exp(double);

// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: relu f32
void relu(float *x, int n) { for (int i = 0; i < n; i++) if (x[i] < 0) x[i] = 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: relu f32
void relu2(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: relu6 f32
void relu6(const float *x, float *y, int n) { for (int i = 0; i < n; i++) { float v = x[i]; if (v < 0) v = 0; if (v > 6) v = 6; y[i] = v; } }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: leaky-relu f32
void leaky(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] >= 0 ? x[i] : 0.1f * x[i]; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: leaky-relu f32
void leaky2(float *x, int n, float a) { for (int i = 0; i < n; i++) { if (x[i] < 0) x[i] *= a; } }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: prelu f32
void prelu(const float *x, const float *a, float *y, int c, int hw) { for (int k = 0; k < c; k++) for (int i = 0; i < hw; i++) { float v = x[k * hw + i]; y[k * hw + i] = v >= 0 ? v : a[k] * v; } }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: prelu f32
void prelu1(const float *x, const float *a, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : a[i] * x[i]; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: elu f32
void elu(const float *x, float *y, int n, float a) { for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : a * (expf(x[i]) - 1); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: selu f32
void selu(const float *x, float *y, int n) { const float a = 1.67326324f, s = 1.05070098f; for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? s * x[i] : s * a * (expf(x[i]) - 1.f); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: celu f32
void celu(const float *x, float *y, int n, float a) { for (int i = 0; i < n; i++) y[i] = fmaxf(0, x[i]) + fminf(0, a * (expf(x[i] / a) - 1)); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: sigmoid f32
void sigmoid(float *x, int n) { for (int i = 0; i < n; i++) x[i] = 1.0f / (1.0f + expf(-x[i])); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: sigmoid f64
void sigmoidd(double *x, int n) { for (int i = 0; i < n; i++) x[i] = 1.0 / (1.0 + exp(-x[i])); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: hard-sigmoid f32
void hsig(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = fmaxf(0, fminf(1, (x[i] + 3) / 6)); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: hard-swish f32
void hswish(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * fminf(fmaxf(x[i] + 3, 0), 6) / 6; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: hard-tanh f32
void htanh(const float *x, float *y, int n) { for (int i = 0; i < n; i++) { float v = x[i]; y[i] = v < -1 ? -1 : (v > 1 ? 1 : v); } }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: tanh f32
void tanhl_(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = tanhf(x[i]); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: silu f32
void silu(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * (1.f / (1.f + expf(-x[i]))); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: swish f32
void swish(const float *x, float *y, int n, float beta) { for (int i = 0; i < n; i++) y[i] = x[i] / (1.f + expf(-beta * x[i])); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: gelu f32
void gelu(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = 0.5f * x[i] * (1.f + erff(x[i] / sqrtf(2.f))); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: gelu.tanh f32
void gelut(const float *x, float *y, int n) { for (int i = 0; i < n; i++) { float v = x[i]; y[i] = 0.5f * v * (1.0f + tanhf(sqrtf(2.0f / 3.14159265f) * (v + 0.044715f * v * v * v))); } }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: gelu.sigmoid f32
void geluq(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * (1.0f / (1.0f + expf(-1.702f * x[i]))); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: softplus f32
void softplus(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = logf(1 + expf(x[i])); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: softplus f32
void softplusb(const float *x, float *y, int n, float b) { for (int i = 0; i < n; i++) y[i] = logf(1 + expf(b * x[i])) / b; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: softsign f32
void softsign(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] / (1 + fabsf(x[i])); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: mish f32
void mish(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * tanhf(log1pf(expf(x[i]))); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: softshrink f32
void softshrink(const float *x, float *y, int n, float l) { for (int i = 0; i < n; i++) y[i] = x[i] > l ? x[i] - l : x[i] < -l ? x[i] + l : 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: hardshrink f32
void hardshrink(const float *x, float *y, int n, float l) { for (int i = 0; i < n; i++) y[i] = (x[i] > l || x[i] < -l) ? x[i] : 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: tanhshrink f32
void tanhshrink(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] - tanhf(x[i]); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: threshold f32
void threl(const float *x, float *y, int n, float t) { for (int i = 0; i < n; i++) y[i] = x[i] > t ? x[i] : 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: log-sigmoid f32
void logsig(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = logf(1.0f / (1.0f + expf(-x[i]))); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: glu f32
void glu(const float *a, const float *b, float *y, int n) { for (int i = 0; i < n; i++) y[i] = a[i] * (1 / (1 + expf(-b[i]))); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: glu f32
void glu2(const float *x, float *y, int m, int n) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) y[i * n + j] = x[i * 2 * n + j] / (1 + expf(-x[i * 2 * n + n + j])); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: swiglu f32
void swiglu(float *a, const float *b, int n) { for (int i = 0; i < n; i++) { float v = a[i]; v *= 1.0f / (1.0f + expf(-v)); v *= b[i]; a[i] = v; } }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: reglu f32
void reglu(const float *a, const float *b, float *y, int n) { for (int i = 0; i < n; i++) y[i] = fmaxf(a[i], 0) * b[i]; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: geglu f32
void geglu(const float *a, const float *b, float *y, int n) { for (int i = 0; i < n; i++) y[i] = 0.5f * a[i] * (1 + erff(a[i] * 0.70710678f)) * b[i]; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: step f32
void heaviside(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? 1 : 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: sign f32
void sign(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = (x[i] > 0) - (x[i] < 0); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: relu.backward f32
void drelu(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = x[i] > 0 ? dy[i] : 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: relu.backward f32
void drelu2(const float *x, float *d, int n) { for (int i = 0; i < n; i++) d[i] *= (x[i] > 0); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: relu.backward f32
void drelu3(const float *x, float *d, int n) { for (int i = 0; i < n; i++) if (x[i] <= 0) d[i] = 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: relu6.backward f32
void drelu6(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = x[i] > 0 && x[i] < 6 ? dy[i] : 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: leaky-relu.backward f32
void dleaky(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = dy[i] * (x[i] > 0 ? 1.f : 0.1f); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: elu.backward f32
void delu(const float *x, const float *dy, float *dx, int n, float a) { for (int i = 0; i < n; i++) dx[i] = x[i] > 0 ? dy[i] : dy[i] * a * expf(x[i]); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: elu.backward f32
void delu2(const float *y, const float *dy, float *dx, int n, float a) { for (int i = 0; i < n; i++) dx[i] = y[i] > 0 ? dy[i] : dy[i] * (y[i] + a); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: selu.backward f32
void dselu(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = dy[i] * 1.05070098f * (x[i] > 0 ? 1 : 1.67326324f * expf(x[i])); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: sigmoid.backward f32
void dsig(const float *y, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = dy[i] * y[i] * (1 - y[i]); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: tanh.backward f32
void dtanh(const float *y, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] += dy[i] * (1 - y[i] * y[i]); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: silu.backward f32
void dsilu(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) { float s = 1 / (1 + expf(-x[i])); dx[i] = dy[i] * (s + x[i] * s * (1 - s)); } }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: gelu.backward f32
void dgelu(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) { float v = x[i]; float c = 0.5f * (1 + erff(v * 0.70710678f)); float p = expf(-0.5f * v * v) * 0.39894228f; dx[i] = dy[i] * (c + v * p); } }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: glu f32
void dsoftplus(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = dy[i] / (1 + expf(-x[i])); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: softsign.backward f32
void dsoftsign(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) { float d = 1 + fabsf(x[i]); dx[i] = dy[i] / (d * d); } }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: hard-sigmoid.backward f32
void dhsig(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = x[i] > -3 && x[i] < 3 ? dy[i] / 6 : 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: hard-tanh.backward f32
void dhtanh(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = x[i] > -1 && x[i] < 1 ? dy[i] : 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: abs.backward f32
void dabs(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = x[i] > 0 ? dy[i] : -dy[i]; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: square.backward f32
void dsq(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = 2 * x[i] * dy[i]; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: sigmoid.derivative f32
void gsig(const float *y, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = y[i] * (1 - y[i]); }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: tanh.derivative f32
void gtanh(const float *y, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = 1 - y[i] * y[i]; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: clamp.backward f32
void dclamp(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = x[i] > -3 && x[i] < 5 ? dy[i] : 0; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: hard-swish.backward f32
void dhswish(const float *x, const float *dy, float *dx, int n) { for (int i = 0; i < n; i++) dx[i] = x[i] <= -3 ? 0 : x[i] >= 3 ? dy[i] : dy[i] * (2 * x[i] + 3) / 6; }
// CHECK-DAG: activations.c:[[#@LINE+1]]:{{.*}} kernel: leaky-relu.derivative f32
void gleaky(const float *x, float *g, int n) { for (int i = 0; i < n; i++) g[i] = x[i] > 0 ? 1 : 0.1f; }
