// Backward forms.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: %dl-kernels %t.kernels | diff %t.kernels -
// REQUIRES: x86-registered-target
float sqrtf(float), fmaxf(float, float), expf(float), tanhf(float), erff(float);
#define INFINITY __builtin_inff()
#define FOR(I, E) for (int I = 0; I < E; I++)
#define ARGS int m, int n, const float *restrict x, const float *restrict dy, const float *restrict g, const float *restrict mean, const float *restrict root, const int *restrict t, float *restrict dx
#define KERNEL(NAME, ...) void NAME(ARGS) { FOR(i, m) { __VA_ARGS__ } }
#define MAP(NAME, ...) void NAME(ARGS) { FOR(i, m) { float y = x[i]; __VA_ARGS__ } }
#define X x[i * n + j]
#define DY dy[i * n + j]
#define DX dx[i * n + j]

// CHECK-LABEL: kernel 0 @softmax  softmax.backward f32
KERNEL(softmax, float s = 0;
  FOR(j, n) s += X * DY;
  FOR(j, n) DX += X * (DY - s);)
// CHECK-LABEL: kernel 0 @log_softmax  log-softmax.backward f32
KERNEL(log_softmax, float s = 0;
  FOR(j, n) s += DY;
  FOR(j, n) DX = DY - expf(X) * s;)
// CHECK-LABEL: kernel 0 @cross_entropy  cross-entropy.backward f32
KERNEL(cross_entropy, float max = -INFINITY, s = 0;
  FOR(j, n) max = fmaxf(max, X);
  FOR(j, n) s += expf(X - max);
  FOR(j, n) DX = (expf(X - max) / s - (j == t[i])) / m;)
// CHECK-LABEL: kernel 0 @probabilities  cross-entropy.backward f32
KERNEL(probabilities, FOR(j, n) DX += (X - (j == t[i] ? 1.0f : 0.0f)) * dy[i];)
// CHECK-LABEL: kernel 0 @layernorm  layernorm.backward f32
KERNEL(layernorm, float s = 0, p = 0;
  FOR(j, n) { float d = g[j] * DY; s += d; p += d * (X - mean[i]) * root[i]; }
  s /= n; p /= n;
  FOR(j, n) DX += (g[j] * DY - s - (X - mean[i]) * root[i] * p) * root[i];)
// CHECK-LABEL: kernel 0 @layernorm_again  layernorm.backward f32
KERNEL(layernorm_again, float u = 0, v = 0, s = 0, p = 0;
  FOR(j, n) u += X;
  u /= n;
  FOR(j, n) v += (X - u) * (X - u);
  float r = 1 / sqrtf(v / n + 1e-5f);
  FOR(j, n) { float d = g[j] * DY; s += d; p += d * (X - u) * r; }
  FOR(j, n) DX = r / n * (n * g[j] * DY - s - (X - u) * r * p);)
// CHECK-LABEL: kernel 0 @rmsnorm  rmsnorm.backward f32
KERNEL(rmsnorm, float q = 0, p = 0;
  FOR(j, n) { q += X * X; p += X * DY * g[j]; }
  float r = 1 / sqrtf(q / n + 1e-6f);
  FOR(j, n) DX = r * (g[j] * DY - X * p * r * r / n);)
// CHECK-LABEL: kernel 0 @batchnorm  batchnorm.backward f32
void batchnorm(ARGS, int l) {
#define AT [(i * n + k) * l + j]
  FOR(k, n) {
    float s = 0, p = 0;
    FOR(i, m) FOR(j, l) { s += dy AT; p += dy AT * (x AT - mean[k]) * root[k]; }
    FOR(i, m) FOR(j, l) dx AT = g[k] * root[k] * (dy AT - (s + (x AT - mean[k]) * root[k] * p) / (m * l));
  }
}
// CHECK-LABEL: kernel 0 @relu  relu.backward f32
MAP(relu, dx[i] = y > 0 ? dy[i] : 0;)
// CHECK-LABEL: kernel 0 @leaky  leaky-relu.backward f32
MAP(leaky, dx[i] = dy[i] * (y > 0 ? 1 : 0.01f);)
// CHECK-LABEL: kernel 0 @sigmoid  sigmoid.backward f32
MAP(sigmoid, dx[i] = dy[i] * y * (1 - y);)
// CHECK-LABEL: kernel 0 @sigmoid_again  sigmoid.backward f32
MAP(sigmoid_again, float s = 1 / (1 + expf(-y)); dx[i] = dy[i] * (s - s * s);)
// CHECK-LABEL: kernel 0 @tangent  tanh.backward f32
MAP(tangent, dx[i] = dy[i] * (1 - y * y);)
// CHECK-LABEL: kernel 0 @silu  silu.backward f32
MAP(silu, float s = 1 / (1 + expf(-y)); dx[i] = dy[i] * (s + y * s * (1 - s));)
// CHECK-LABEL: kernel 0 @gelu  gelu.backward f32
MAP(gelu, dx[i] = dy[i] * (0.5f + 0.5f * erff(y * 0.70710678f) + y * 0.39894228f * expf(-0.5f * y * y));)
// llm.c's gelu_backward
// CHECK-LABEL: kernel 0 @gelu_tanh  gelu.tanh.backward f32
MAP(gelu_tanh, float cube = 0.044715f * y * y * y;
  float of = 0.79788456f * (y + cube), out = tanhf(of);
  float sech = 1 - out * out;
  dx[i] += (0.5f * (1 + out) + y * 0.5f * sech * 0.79788456f * (1 + 3 * 0.044715f * y * y)) * dy[i];)

// The product with another array; a missing square; the gradient of another row.
// CHECK-LABEL: kernel 0 @not_softmax  {{generic|reduce}} f32
KERNEL(not_softmax, float s = 0;
  FOR(j, n) s += X * X;
  FOR(j, n) DX = X * (DY - s);)
// CHECK-LABEL: kernel 0 @not_rmsnorm  {{generic|reduce}} f32
KERNEL(not_rmsnorm, float q = 0, p = 0;
  FOR(j, n) { q += X * X; p += X * DY * g[j]; }
  float r = 1 / sqrtf(q / n + 1e-6f);
  FOR(j, n) DX = r * (g[j] * DY - X * p * r / n);)
// CHECK-LABEL: kernel 0 @other_row  {{generic|reduce}} f32
KERNEL(other_row, float s = 0;
  FOR(j, n) s += X * dy[j];
  FOR(j, n) DX = X * (DY - s);)
