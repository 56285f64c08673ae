// Parameters that say how much is done: whether gradients are clipped, whether a sum is a mean, whether results are
// stored or added. A name is of all that may be done.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
float sqrtf(float), expf(float), logf(float), fminf(float, float), fmaxf(float, float);
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

// Ends that are parameters, one behind the other.
// CHECK-DAG: flags.c:[[#@LINE+1]]:{{.*}} kernel: clamp f32
void clamp(float *restrict y, const float *restrict x, int n, float b) { for (int i = 0; i < n; i++) y[i] = x[i] > b ? b : x[i] < -b ? -b : x[i]; }
// Neither end is behind the other one.
// CHECK-DAG: flags.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void swapped(float *restrict y, const float *restrict x, int n, float b) { for (int i = 0; i < n; i++) y[i] = x[i] > b ? -b : x[i] < -b ? b : x[i]; }

static float clip(float x, float bound) { if (x > bound) return bound; else if (x < -bound) return -bound; else return x; }
// CHECK-DAG: flags.c:[[#@LINE+2]]:{{.*}} kernel: sgd f32
void sgd(float *restrict w, const float *restrict g, int n, float lr, float wd, float r, float c) {
  for (int i = 0; i < n; i++) { float d = r * g[i]; if (c >= 0) d = clip(d, c); w[i] -= lr * (d + wd * w[i]); } }
// CHECK-DAG: flags.c:[[#@LINE+2]]:{{.*}} kernel: sgd f32
void sgd_constant(float *restrict w, const float *restrict g, int n, float lr) {
  for (int i = 0; i < n; i++) { float d = g[i]; if (d > 5) d = 5; if (d < -5) d = -5; w[i] -= lr * d; } }
// Where the gradient is large it is another one, which is no end.
// CHECK-DAG: flags.c:[[#@LINE+2]]:{{.*}} kernel: map f32
void sgd_gap(float *restrict w, const float *restrict g, int n, float lr) {
  for (int i = 0; i < n; i++) { float d = g[i]; if (d > 5) d = 3; w[i] -= lr * d; } }
// New weights elsewhere, moments in place, stored or added.
// CHECK-DAG: flags.c:[[#@LINE+3]]:{{.*}} kernel: sgd.momentum f32
void momentum(float *restrict o, const float *restrict w, float *restrict m, const float *restrict g, int n, float lr, float mu,
              float wd, float r, float c, int how) {
  for (int i = 0; i < n; i++) {
    float d = r * g[i];
    if (c >= 0) d = clip(d, c);
    d += wd * w[i];
    m[i] *= mu; m[i] -= lr * d;
    switch (how) { case 0: break; case 1: case 2: o[i] = w[i] + m[i]; break; case 3: o[i] += w[i] + m[i]; break; }
  } }
// CHECK-DAG: flags.c:[[#@LINE+2]]:{{.*}} kernel: sgd.nesterov f32
void nesterov(float *restrict w, float *restrict m, const float *restrict g, int n, float lr, float mu, float wd) {
  for (int i = 0; i < n; i++) { float d = g[i] + wd * w[i]; m[i] = mu * m[i] - lr * d; w[i] += mu * m[i] - lr * d; } }
// CHECK-DAG: flags.c:[[#@LINE+3]]:{{.*}} kernel: adam f32
void adam(float *restrict o, const float *restrict w, float *restrict m, float *restrict v, const float *restrict g, int n, float lr,
          float b1, float b2, float wd, float eps, float c) {
  for (int i = 0; i < n; i++) {
    float d = g[i];
    if (c >= 0) d = clip(d, c);
    d += wd * w[i];
    m[i] = b1 * m[i] + (1 - b1) * d; v[i] = b2 * v[i] + (1 - b2) * d * d;
    o[i] = w[i] - lr * m[i] / (sqrtf(v[i]) + eps);
  } }
// What is added to a part of the weights is no step from these.
// CHECK-DAG: flags.c:[[#@LINE+2]]:{{.*}} kernel: map f32
void lamb(float *restrict o, const float *restrict w, float *restrict m, float *restrict v, const float *restrict g, int n, float b1, float b2, float wd, float eps) {
  for (int i = 0; i < n; i++) { m[i] = b1 * m[i] + (1 - b1) * g[i]; v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i]; o[i] = m[i] / (sqrtf(v[i]) + eps) + wd * w[i]; } }
// CHECK-DAG: flags.c:[[#@LINE+2]]:{{.*}} kernel: rmsprop f32
void rmsprop(float *restrict w, float *restrict v, const float *restrict g, int n, float lr, float rho, float wd, float eps) {
  for (int i = 0; i < n; i++) { float d = g[i] + wd * w[i]; v[i] = rho * v[i] + (1 - rho) * d * d; w[i] -= lr * d / (sqrtf(v[i]) + eps); } }

// CHECK-DAG: flags.c:[[#@LINE+2]]:{{.*}} kernel: bias.relu f32
void bias(float *x, const float *restrict b, int channels, int n, _Bool biased, _Bool relu) {
  for (int c = 0; c < channels; c++) {
    float at = biased ? b[c] : 0;
    for (int i = 0; i < n; i++) { x[c * n + i] += at; if (relu) x[c * n + i] = x[c * n + i] > 0 ? x[c * n + i] : 0; }
  } }
// Two functions of one element are two formulas.
// CHECK-DAG: flags.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void either(float *restrict y, const float *restrict x, int n, int squares) { for (int i = 0; i < n; i++) y[i] = squares ? x[i] * x[i] : expf(x[i]); }

// A mean of all elements of a window, of those that are there, or their sum.
// CHECK-DAG: flags.c:[[#@LINE+2]]:{{.*}} kernel: mean-pool f32
void pool(const float *restrict x, float *restrict y, int c, int h, int w, int oh, int ow, int kh, int kw, int ph, int pw, int sh, int sw, _Bool mean, _Bool padded) {
  for (int n = 0; n < c; n++)
    for (int i = 0; i < oh; i++)
      for (int j = 0; j < ow; j++) {
        int top = i * sh - ph, left = j * sw - pw, bottom = MIN(top + kh, h + ph), right = MIN(left + kw, w + pw);
        int size = mean ? (bottom - top) * (right - left) : 1;
        top = MAX(top, 0), left = MAX(left, 0), bottom = MIN(bottom, h), right = MIN(right, w);
        if (mean && !padded) size = (bottom - top) * (right - left);
        float s = 0;
        for (int a = top; a < bottom; a++)
          for (int b = left; b < right; b++) s += x[(n * h + a) * w + b] / size;
        y[(n * oh + i) * ow + j] = s;
      } }
// CHECK-DAG: flags.c:[[#@LINE+2]]:{{.*}} kernel: mean-pool.backward f32
void pool_backward(float *restrict dx, const float *restrict dy, int c, int w, int ow, int k, int p, int s) {
  for (int n = 0; n < c; n++)
    for (int j = 0; j < ow; j++) {
      int left = j * s - p, right = MIN(left + k, w + p), size = right - left;
      left = MAX(left, 0), right = MIN(right, w);
      for (int b = left; b < right; b++) dx[n * w + b] += dy[n * ow + j] / size;
    } }

// Arguments that are cut off where exponentials end.
// CHECK-DAG: flags.c:[[#@LINE+1]]:{{.*}} kernel: tanh f32
void tanh_by_exp(float *restrict y, const float *restrict x, int n) { for (int i = 0; i < n; i++) { float t = fmaxf(fminf(x[i], 70.f), -70.f); y[i] = (expf(t) - expf(-t)) / (expf(t) + expf(-t)); } }
// CHECK-DAG: flags.c:[[#@LINE+1]]:{{.*}} kernel: sigmoid f32
void sigmoid(float *restrict y, const float *restrict x, int n) { for (int i = 0; i < n; i++) { float t = -x[i]; if (t > 88.f) t = 88.f; y[i] = 1 / (1 + expf(t)); } }
// This one is cut off where it matters.
// CHECK-DAG: flags.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void exp_until_one(float *restrict y, const float *restrict x, int n) { for (int i = 0; i < n; i++) y[i] = expf(x[i] > 1 ? 1 : x[i]); }
// CHECK-DAG: flags.c:[[#@LINE+1]]:{{.*}} kernel: softplus f32
void softplus(float *restrict y, const float *restrict x, int n, float beta, float t) { for (int i = 0; i < n; i++) y[i] = x[i] * beta > t ? x[i] : logf(1 + expf(x[i] * beta)) / beta; }
// CHECK-DAG: flags.c:[[#@LINE+1]]:{{.*}} kernel: hard-sigmoid f32
void hard_sigmoid(float *restrict y, const float *restrict x, int n, float slope, float at) { for (int i = 0; i < n; i++) { float t = x[i] * slope + at; t = t < 1 ? t : 1; y[i] = t > 0 ? t : 0; } }
// CHECK-DAG: flags.c:[[#@LINE+1]]:{{.*}} kernel: hard-swish f32
void hard_swish(float *restrict y, const float *restrict x, int n, float end, float scale, float at) { for (int i = 0; i < n; i++) y[i] = fminf(fmaxf(0.f, x[i] + at), end) * x[i] / scale; }
// With an end at one and any constants it is none.
// CHECK-DAG: flags.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void ramp(float *restrict y, const float *restrict x, int n) { for (int i = 0; i < n; i++) y[i] = fminf(fmaxf(x[i] * 0.7f + 0.1f, 0), 1); }
