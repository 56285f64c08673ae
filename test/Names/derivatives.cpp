// Gradients and derivatives of activations and losses, as C++ and C spell them.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -x c -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
#ifdef __cplusplus
extern "C" {
#endif
float expf(float), tanhf(float), logf(float), log1pf(float), fabsf(float), fmaxf(float, float),
    erff(float);
#ifdef __cplusplus
}
template <class T> static T sigmoid(T x) { return T(1) / (T(1) + expf(-x)); }
template <class T> static T softplus(T x) { return log1pf(expf(x)); }
#else
static float sigmoid(float x) { float e = expf(x); return e / (e + 1); }
static float softplus(float x) { return logf(expf(x) + 1.0f); }
#endif
#define MAP(NAME, ...) void NAME(int n, const float *__restrict x, const float *__restrict y, float s, float *__restrict o) { for (int i = 0; i < n; ++i) { float v = x[i], d = y[i]; __VA_ARGS__ } }

// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: mish.backward f32
MAP(mish, float t = tanhf(softplus(v)); o[i] = d * (t + v * sigmoid(v) * (1 - t * t));)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: mish.backward f32
MAP(mish_again, float t = tanhf(softplus(v)); o[i] = d * t + d * v * sigmoid(v) - d * v * sigmoid(v) * t * t;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: celu.backward f32
MAP(celu, o[i] = v > 0 ? d : expf(v / s) * d;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: celu.backward f32
MAP(celu_again, o[i] = d; if (v <= 0) o[i] = d * expf(v / s);)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: tanhshrink.backward f32
MAP(tanhshrink, float t = tanhf(v); o[i] = d * t * t;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: tanhshrink.backward f32
MAP(tanhshrink_again, float t = tanhf(v); o[i] = d - d * (1 - t * t);)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: softshrink.backward f32
MAP(softshrink, o[i] = v > s ? d : v < -s ? d : 0;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: gelu.sigmoid.backward f32
MAP(gelu, float g = sigmoid(1.702f * v); o[i] = d * (g + 1.702f * v * g * (1 - g));)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: log-cosh.backward f32
MAP(log_cosh, o[i] = tanhf(v - d) / n;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: log-cosh.backward f32
MAP(log_cosh_again, float e = v - d; o[i] = s * tanhf(e);)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: binary-cross-entropy.logits.backward f32
MAP(logits, o[i] = (sigmoid(v) - d) / n;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: binary-cross-entropy.logits.backward f32
MAP(logits_again, o[i] = s * sigmoid(v) - s * d;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: poisson-nll.backward f32
MAP(poisson, o[i] = (expf(v) - d) * s;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: squared-hinge-loss.backward f32
MAP(hinge, o[i] = -2 * d * fmaxf(1 - v * d, 0);)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: squared-hinge-loss.backward f32
MAP(hinge_again, float r = 1 - d * v; o[i] = r > 0 ? -2 * r * d : 0;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: elu.derivative f32
MAP(elu, o[i] = v > 0 ? 1 : s * expf(v);)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: silu.derivative f32
MAP(silu, float g = sigmoid(v); o[i] = g + v * g * (1 - g);)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: softsign.derivative f32
MAP(softsign, float a = 1 + fabsf(v); o[i] = 1 / (a * a);)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: hard-tanh.derivative f32
MAP(hard_tanh, o[i] = v > -1 && v < 1 ? 1 : 0;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: gelu.derivative f32
MAP(gelu_slope, o[i] = 0.5f * (1 + erff(v * 0.70710678f)) + v * expf(-0.5f * v * v) * 0.39894228f;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: scale f32
MAP(twice, o[i] = v / s / n;)

// One thing is another one.
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: map f32
MAP(no_mish, float t = tanhf(softplus(v)); o[i] = d * (t + v * sigmoid(v) * (1 - t));)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: map f32
MAP(no_celu, o[i] = v > 0 ? d : expf(v * v / s) * d;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: mask f32
MAP(mask, o[i] = v > s ? d : 0;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: map f32
MAP(no_shrink, o[i] = v > s ? d : v < -2 * s ? d : 0;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: map f32
MAP(no_logits, o[i] = (sigmoid(v) + d) / n;)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: map f32
MAP(no_hinge, o[i] = -2 * d * fmaxf(1 + v * d, 0);)
// CHECK-DAG: derivatives.cpp:[[#@LINE+1]]:{{.*}} kernel: map f32
MAP(no_silu, float g = sigmoid(v); o[i] = g + v * g * (1 + g);)
