// Losses and their gradients, with what is divided behind the loop.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
float fminf(float, float), sqrtf(float), expf(float), fmaxf(float, float), fabsf(float), logf(float), log1pf(float), coshf(float);

// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: mse f32
float mse(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) { float d = p[i] - t[i]; s += d * d; } return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: squared-distance f32
float sse(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) s += 0.5f * (p[i] - t[i]) * (p[i] - t[i]); return s; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: squared-error f32
void sqe(const float *p, const float *t, float *l, int n) { for (int i = 0; i < n; i++) { float d = p[i] - t[i]; l[i] = d * d; } }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: mae f32
float mae(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) s += fabsf(p[i] - t[i]); return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: huber f32
float huber(const float *p, const float *t, int n, float d) { float s = 0; for (int i = 0; i < n; i++) { float e = fabsf(p[i] - t[i]); if (e <= d) s += 0.5f * e * e; else s += d * (e - 0.5f * d); } return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: smooth-l1 f32
float smoothl1(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) { float e = p[i] - t[i]; float a = fabsf(e); s += a < 1 ? 0.5f * e * e : a - 0.5f; } return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: log-cosh f32
float logcosh_(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) s += logf(coshf(p[i] - t[i])); return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: binary-cross-entropy f32
float bce(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) s -= t[i] * logf(p[i]) + (1 - t[i]) * logf(1 - p[i]); return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: binary-cross-entropy f32
float bcee(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) s += -(t[i] * logf(p[i] + 1e-7f) + (1 - t[i]) * logf(1 - p[i] + 1e-7f)); return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: binary-cross-entropy.logits f32
float bcel(const float *x, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) s += fmaxf(x[i], 0) - x[i] * t[i] + log1pf(expf(-fabsf(x[i]))); return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: cross-entropy f32
float ce(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) s -= t[i] * logf(p[i]); return s; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: cross-entropy f32
float cee(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) s += t[i] * logf(p[i] + 1e-9f); return -s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: nll f32
float nllm(const float *lp, const int *t, int b, int v) { float s = 0; for (int i = 0; i < b; i++) s -= lp[i * v + t[i]]; return s / b; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: cross-entropy f32
float softmaxce(const float *x, int t, int n) { float m = x[0]; for (int i = 1; i < n; i++) if (x[i] > m) m = x[i]; float s = 0; for (int i = 0; i < n; i++) s += expf(x[i] - m); return logf(s) + m - x[t]; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: kl-divergence f32
float kl(const float *p, const float *q, int n) { float s = 0; for (int i = 0; i < n; i++) s += p[i] * logf(p[i] / q[i]); return s; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: hinge-loss f32
float hinge(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) { float m = 1 - t[i] * p[i]; s += m > 0 ? m : 0; } return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: squared-hinge-loss f32
float hinge2(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) { float m = fmaxf(0, 1 - t[i] * p[i]); s += m * m; } return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: margin-loss f32
void triplet(const float *ap, const float *an, float *l, int n, float m) { for (int i = 0; i < n; i++) l[i] = fmaxf(ap[i] - an[i] + m, 0); }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: poisson-nll f32
float poisson(const float *x, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) s += expf(x[i]) - t[i] * x[i]; return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: poisson-nll f32
float poisson2(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) s += p[i] - t[i] * logf(p[i]); return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: gaussian-nll f32
float gnll(const float *m, const float *t, const float *v, int n) { float s = 0; for (int i = 0; i < n; i++) { float d = t[i] - m[i]; s += 0.5f * (logf(v[i]) + d * d / v[i]); } return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: cosine-similarity f32
float cosine(const float *a, const float *b, int n) { float ab = 0, aa = 0, bb = 0; for (int i = 0; i < n; i++) { ab += a[i] * b[i]; aa += a[i] * a[i]; bb += b[i] * b[i]; } return ab / (sqrtf(aa) * sqrtf(bb)); }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: focal-loss f32
float focal(const float *p, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) { float q = 1 - p[i]; s -= t[i] * q * q * logf(p[i]) + (1 - t[i]) * p[i] * p[i] * logf(1 - p[i]); } return s / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: dice-loss f32
float dice(const float *p, const float *t, int n) { float i2 = 0, a = 0, b = 0; for (int i = 0; i < n; i++) { i2 += p[i] * t[i]; a += p[i]; b += t[i]; } return 1 - 2 * i2 / (a + b); }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: mse.backward f32
void dmse(const float *p, const float *t, float *g, int n) { for (int i = 0; i < n; i++) g[i] = 2 * (p[i] - t[i]) / n; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: mse.backward f32
void dmse2(const float *p, const float *t, float *g, int n, float s) { for (int i = 0; i < n; i++) g[i] = 2.f * (p[i] - t[i]); }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: mae.backward f32
void dmae(const float *p, const float *t, float *g, int n) { for (int i = 0; i < n; i++) g[i] = p[i] > t[i] ? 1.f : -1.f; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: binary-cross-entropy.backward f32
void dbce(const float *p, const float *t, float *g, int n) { for (int i = 0; i < n; i++) g[i] = (p[i] - t[i]) / (p[i] * (1 - p[i])); }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: binary-cross-entropy.backward f32
void dbce2(const float *p, const float *t, float *g, int n) { for (int i = 0; i < n; i++) g[i] = -t[i] / p[i] + (1 - t[i]) / (1 - p[i]); }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: cross-entropy.backward f32
void dce(const float *p, const float *t, float *g, int n) { for (int i = 0; i < n; i++) g[i] = -t[i] / p[i]; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: cross-entropy.backward f32
void dceidx(const float *p, const int *t, float *g, int b, int v) { for (int i = 0; i < b; i++) for (int j = 0; j < v; j++) g[i * v + j] += p[i * v + j] - (j == t[i] ? 1.f : 0.f); }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: hinge-loss.backward f32
void dhinge(const float *p, const float *t, float *g, int n) { for (int i = 0; i < n; i++) g[i] = 1 - t[i] * p[i] > 0 ? -t[i] : 0; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: cross-entropy.backward f32
void dkl(const float *p, const float *q, float *g, int n) { for (int i = 0; i < n; i++) g[i] = -p[i] / q[i]; }
// CHECK-DAG: losses.c:[[#@LINE+1]]:{{.*}} kernel: huber.backward f32
void dhub(const float *p, const float *t, float *g, int n) { for (int i = 0; i < n; i++) g[i] = fminf(fmaxf(p[i] - t[i], -1), 1); }
