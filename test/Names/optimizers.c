// Steps of optimizers.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
float sqrtf(float), fmaxf(float, float), fabsf(float), powf(float, float);

// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: sgd f32
void sgd(float *w, const float *g, int n, float lr) { for (int i = 0; i < n; i++) w[i] -= lr * g[i]; }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: sgd f32
void sgdwd(float *w, const float *g, int n, float lr, float wd) { for (int i = 0; i < n; i++) w[i] -= lr * (g[i] + wd * w[i]); }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: sgd.momentum f32
void mom(float *w, float *v, const float *g, int n, float lr, float mu) { for (int i = 0; i < n; i++) { v[i] = mu * v[i] - lr * g[i]; w[i] += v[i]; } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: sgd.momentum f32
void mom2(float *w, float *v, const float *g, int n, float lr, float mu) { for (int i = 0; i < n; i++) { v[i] = mu * v[i] + g[i]; w[i] -= lr * v[i]; } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: sgd.nesterov f32
void nag(float *w, float *v, const float *g, int n, float lr, float mu) { for (int i = 0; i < n; i++) { v[i] = mu * v[i] + g[i]; w[i] -= lr * (g[i] + mu * v[i]); } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: sgd.nesterov f32
void nag2(float *w, float *v, const float *g, int n, float lr, float mu) { for (int i = 0; i < n; i++) { float p = v[i]; v[i] = mu * v[i] - lr * g[i]; w[i] += -mu * p + (1 + mu) * v[i]; } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: adagrad f32
void adagrad(float *w, float *h, const float *g, int n, float lr) { for (int i = 0; i < n; i++) { h[i] += g[i] * g[i]; w[i] -= lr * g[i] / (sqrtf(h[i]) + 1e-7f); } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: adadelta f32
void adadelta(float *w, float *eg, float *ed, const float *g, int n, float rho, float eps) { for (int i = 0; i < n; i++) { eg[i] = rho * eg[i] + (1 - rho) * g[i] * g[i]; float d = -sqrtf(ed[i] + eps) / sqrtf(eg[i] + eps) * g[i]; ed[i] = rho * ed[i] + (1 - rho) * d * d; w[i] += d; } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: rmsprop f32
void rmsprop(float *w, float *v, const float *g, int n, float lr, float rho) { for (int i = 0; i < n; i++) { v[i] = rho * v[i] + (1 - rho) * g[i] * g[i]; w[i] -= lr * g[i] / (sqrtf(v[i]) + 1e-8f); } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: rmsprop f32
void rmsprop2(float *w, float *v, const float *g, int n, float lr, float eps) { for (int i = 0; i < n; i++) { v[i] = 0.9f * v[i] + 0.1f * g[i] * g[i]; w[i] -= lr * g[i] / sqrtf(v[i] + eps); } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: adam f32
void adam(float *w, float *m, float *v, const float *g, int n, float lr, float b1, float b2, int t) { float c1 = 1 - powf(b1, t), c2 = 1 - powf(b2, t); for (int i = 0; i < n; i++) { m[i] = b1 * m[i] + (1 - b1) * g[i]; v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i]; float mh = m[i] / c1, vh = v[i] / c2; w[i] -= lr * mh / (sqrtf(vh) + 1e-8f); } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: adam f32
void adam2(float *w, float *m, float *v, const float *g, int n, float lr) { for (int i = 0; i < n; i++) { m[i] += 0.1f * (g[i] - m[i]); v[i] += 0.001f * (g[i] * g[i] - v[i]); w[i] -= lr * m[i] / (sqrtf(v[i]) + 1e-8f); } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: adamw f32
void adamw(float *w, float *m, float *v, const float *g, int n, float lr, float b1, float b2, float eps, float wd, int t) { for (int i = 0; i < n; i++) { float mm = b1 * m[i] + (1 - b1) * g[i]; float vv = b2 * v[i] + (1 - b2) * g[i] * g[i]; float mh = mm / (1 - powf(b1, t)), vh = vv / (1 - powf(b2, t)); m[i] = mm; v[i] = vv; w[i] -= lr * (mh / (sqrtf(vh) + eps) + wd * w[i]); } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: adamax f32
void adamax(float *w, float *m, float *u, const float *g, int n, float lr, float b1, float b2) { for (int i = 0; i < n; i++) { m[i] = b1 * m[i] + (1 - b1) * g[i]; u[i] = fmaxf(b2 * u[i], fabsf(g[i])); w[i] -= lr * m[i] / (u[i] + 1e-8f); } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: lion f32
void lion(float *w, float *m, const float *g, int n, float lr, float b1, float b2, float wd) { for (int i = 0; i < n; i++) { float c = b1 * m[i] + (1 - b1) * g[i]; w[i] -= lr * ((c > 0 ? 1.f : c < 0 ? -1.f : 0.f) + wd * w[i]); m[i] = b2 * m[i] + (1 - b2) * g[i]; } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: sign-sgd f32
void signsgd(float *w, const float *g, int n, float lr) { for (int i = 0; i < n; i++) w[i] -= lr * (g[i] > 0 ? 1.f : -1.f); }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: clip-by-norm f32
void clipn(float *g, int n, float mx) { float s = 0; for (int i = 0; i < n; i++) s += g[i] * g[i]; s = sqrtf(s); if (s > mx) for (int i = 0; i < n; i++) g[i] *= mx / s; }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: clamp f32
void clipv(float *g, int n, float mx) { for (int i = 0; i < n; i++) { if (g[i] > mx) g[i] = mx; if (g[i] < -mx) g[i] = -mx; } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: dropout f32
void dropout(const float *x, const unsigned char *m, float *y, int n, float p) { for (int i = 0; i < n; i++) y[i] = m[i] ? x[i] / (1 - p) : 0; }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: dropout f32
void dropout2(float *x, const float *r, int n, float p, float s) { for (int i = 0; i < n; i++) { if (r[i] < p) x[i] = 0; else x[i] *= s; } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: ema f32
void ema(float *a, const float *x, int n, float d) { for (int i = 0; i < n; i++) a[i] = d * a[i] + (1 - d) * x[i]; }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: lerp f32
void lerp(const float *a, const float *b, float *o, int n, float t) { for (int i = 0; i < n; i++) o[i] = a[i] + t * (b[i] - a[i]); }
// Parts of complex numbers are no momentum
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void caxpy(float *restrict y, const float *restrict x, int n, float r, float s) { for (int i = 0; i < n; i++) { float a = x[2 * i], b = x[2 * i + 1]; y[2 * i] += r * a - s * b; y[2 * i + 1] += r * b + s * a; } }

// Rates are members of an object, or one number behind a pointer, which stores might change.
struct rates { float lr, b1, b2, eps; };
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: adam f32
void adam_of(const struct rates *o, float *w, float *m, float *v, const float *g, int n) { for (int i = 0; i < n; i++) { m[i] = o->b1 * m[i] + (1 - o->b1) * g[i]; v[i] = o->b2 * v[i] + (1 - o->b2) * g[i] * g[i]; w[i] -= o->lr * m[i] / (sqrtf(v[i]) + o->eps); } }
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: sgd f32
void sgd_of(float *w, const float *g, const float *lr, int n) { for (int i = 0; i < n; i++) w[i] -= *lr * g[i]; }
// What the steps change is none.
// CHECK-DAG: optimizers.c:[[#@LINE+1]]:{{.*}} kernel: generic f32
void rate_decays(float *w, const float *g, float *restrict lr, int n) { for (int i = 0; i < n; i++) { w[i] -= *lr * g[i]; *lr *= 0.99f; } }
