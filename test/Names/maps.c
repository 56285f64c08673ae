// Activations, steps of optimizers and single operations.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: %dl-kernels %t.kernels | diff %t.kernels -
// REQUIRES: x86-registered-target
float sqrtf(float), fmaxf(float, float), fminf(float, float), fabsf(float), expf(float), logf(float), log1pf(float), tanhf(float), erff(float), powf(float, float), sinf(float), cosf(float), expm1f(float);
#define MAP(NAME, ...) void NAME(int n, const float *restrict a, const float *restrict b, float *restrict c, float s, float t) { for (int i = 0; i < n; i++) { float x = a[i]; __VA_ARGS__ } }

// CHECK-LABEL: kernel 0 @relu  relu f32
MAP(relu, c[i] = x > 0 ? x : 0;)
// CHECK-LABEL: kernel 0 @relu_fmax  relu f32
MAP(relu_fmax, c[i] = fmaxf(0, x);)
// CHECK-LABEL: kernel 0 @relu_branch  relu f32
MAP(relu_branch, if (c[i] < 0) c[i] = 0;)
// CHECK-LABEL: kernel 0 @relu_product  relu f32
MAP(relu_product, c[i] = x * (x > 0);)
// CHECK-LABEL: kernel 0 @relu_absolute  relu f32
MAP(relu_absolute, c[i] = 0.5f * (x + fabsf(x));)
// CHECK-LABEL: kernel 0 @relu_6  relu6 f32
MAP(relu_6, c[i] = fminf(fmaxf(x, 0), 6);)
// CHECK-LABEL: kernel 0 @relu_6_cases  relu6 f32
MAP(relu_6_cases, c[i] = x < 0 ? 0 : x > 6 ? 6 : x;)
// CHECK-LABEL: kernel 0 @leaky  leaky-relu f32
MAP(leaky, c[i] = x > 0 ? x : 0.01f * x;)
// CHECK-LABEL: kernel 0 @leaky_fmax  leaky-relu f32
MAP(leaky_fmax, c[i] = fmaxf(x, 0.01f * x);)
// CHECK-LABEL: kernel 0 @leaky_sum  leaky-relu f32
MAP(leaky_sum, c[i] = fmaxf(x, 0) + s * fminf(x, 0);)
// CHECK-LABEL: kernel 0 @sigmoid  sigmoid f32
MAP(sigmoid, c[i] = 1 / (1 + expf(-x));)
// CHECK-LABEL: kernel 0 @sigmoid_up  sigmoid f32
MAP(sigmoid_up, c[i] = expf(x) / (expf(x) + 1);)
// CHECK-LABEL: kernel 0 @sigmoid_tanh  sigmoid f32
MAP(sigmoid_tanh, c[i] = 0.5f * tanhf(0.5f * x) + 0.5f;)
// CHECK-LABEL: kernel 0 @sigmoid_cases  sigmoid f32
MAP(sigmoid_cases, float e = expf(-fabsf(x)); c[i] = x < 0 ? e / (1 + e) : 1 / (1 + e);)
// CHECK-LABEL: kernel 0 @tangent  tanh f32
MAP(tangent, c[i] = tanhf(x);)
// CHECK-LABEL: kernel 0 @tangent_exp  tanh f32
MAP(tangent_exp, float e = expf(2 * x); c[i] = (e - 1) / (e + 1);)
// CHECK-LABEL: kernel 0 @tangent_two  tanh f32
MAP(tangent_two, c[i] = (expf(x) - expf(-x)) / (expf(x) + expf(-x));)
// CHECK-LABEL: kernel 0 @hard_sigmoid  hard-sigmoid f32
MAP(hard_sigmoid, c[i] = fmaxf(fminf(0.2f * x + 0.5f, 1), 0);)
// CHECK-LABEL: kernel 0 @hard_swish  hard-swish f32
MAP(hard_swish, c[i] = x * fminf(fmaxf(x + 3, 0), 6) / 6;)
// CHECK-LABEL: kernel 0 @hard_swish_cases  hard-swish f32
MAP(hard_swish_cases, c[i] = x <= -3 ? 0 : x >= 3 ? x : x * (x + 3) / 6;)
// CHECK-LABEL: kernel 0 @silu  silu f32
MAP(silu, c[i] = x / (1 + expf(-x));)
// CHECK-LABEL: kernel 0 @gelu  gelu f32
MAP(gelu, c[i] = x * 0.5f * (1 + erff(x * 0.70710678f));)
// CHECK-LABEL: kernel 0 @gelu_tanh  gelu.tanh f32
MAP(gelu_tanh, c[i] = 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));)
// CHECK-LABEL: kernel 0 @gelu_powf  gelu.tanh f32
MAP(gelu_powf, c[i] = 0.5 * x * (1 + tanhf(0.7978845608 * x * (1 + 0.044715 * powf(x, 2))));)
// CHECK-LABEL: kernel 0 @gelu_exp  gelu.tanh f32
MAP(gelu_exp, c[i] = x / (1 + expf(-1.5957691f * (x + 0.044715f * x * x * x)));)
// CHECK-LABEL: kernel 0 @gelu_quick  gelu.sigmoid f32
MAP(gelu_quick, c[i] = x / (1 + expf(-1.702f * x));)
// CHECK-LABEL: kernel 0 @elu  elu f32
MAP(elu, c[i] = x > 0 ? x : s * expm1f(x);)
// CHECK-LABEL: kernel 0 @elu_sum  elu f32
MAP(elu_sum, c[i] = fmaxf(x, 0) + fminf(expf(x) - 1, 0);)
// CHECK-LABEL: kernel 0 @selu  selu f32
MAP(selu, c[i] = 1.0507009873554805f * (x >= 0 ? x : 1.6732632423543772f * (expf(x) - 1));)
// CHECK-LABEL: kernel 0 @softplus  softplus f32
MAP(softplus, c[i] = log1pf(expf(x));)
// CHECK-LABEL: kernel 0 @softplus_safe  softplus f32
MAP(softplus_safe, c[i] = fmaxf(x, 0) + log1pf(expf(-fabsf(x)));)
// CHECK-LABEL: kernel 0 @log_sigmoid  log-sigmoid f32
MAP(log_sigmoid, c[i] = -logf(1 + expf(-x));)
// CHECK-LABEL: kernel 0 @mish  mish f32
MAP(mish, c[i] = x * tanhf(logf(1 + expf(x)));)
// CHECK-LABEL: kernel 0 @mish_exp  mish f32
MAP(mish_exp, float e = expf(x); c[i] = x * (e * e + 2 * e) / (e * e + 2 * e + 2);)
// CHECK-LABEL: kernel 0 @softsign  softsign f32
MAP(softsign, c[i] = x / (1 + fabsf(x));)
// CHECK-LABEL: kernel 0 @clamp  clamp f32
MAP(clamp, c[i] = x < -2 ? -2 : x > 5 ? 5 : x;)
// CHECK-LABEL: kernel 0 @gated  swiglu f32
MAP(gated, c[i] = x * (1 / (1 + expf(-x))) * b[i];)
// CHECK-LABEL: kernel 0 @descent  sgd f32
MAP(descent, c[i] -= s * b[i];)
// CHECK-LABEL: kernel 0 @momentum  sgd.momentum f32
void momentum(int n, float *restrict w, float *restrict v, const float *restrict g, float rate, float mu) {
  for (int i = 0; i < n; i++) {
    v[i] = mu * v[i] + g[i];
    w[i] -= rate * v[i];
  }
}
// CHECK-LABEL: kernel 0 @adam  adam f32
void adam(int n, float *restrict w, float *restrict p, float *restrict q, const float *restrict g, float rate) {
  for (int i = 0; i < n; i++) {
    p[i] = 0.9f * p[i] + 0.1f * g[i];
    q[i] = 0.999f * q[i] + (1 - 0.999f) * g[i] * g[i];
    w[i] -= rate * p[i] / (sqrtf(q[i]) + 1e-8f);
  }
}
// CHECK-LABEL: kernel 0 @sum  add f32
MAP(sum, c[i] = b[i] + x;)
// CHECK-LABEL: kernel 0 @update  axpy f32
MAP(update, c[i] += s * x;)
// CHECK-LABEL: kernel 0 @same  copy f32
MAP(same, c[i] = x;)
// CHECK-LABEL: kernel 0 @backwards  reverse f32
MAP(backwards, c[n - 1 - i] = x;)
// Each element twice.
// CHECK-LABEL: kernel 0 @twice  upsample.nearest f32
MAP(twice, c[i] = a[i / 2];)
// CHECK-LABEL: kernel 0 @sum_relu  add.relu f32
MAP(sum_relu, float y = x + b[i]; c[i] = y > 0 ? y : 0;)
// CHECK-LABEL: kernel 0 @geglu  geglu f32
MAP(geglu, c[i] = 0.5f * x * (1 + erff(x * 0.70710678f)) * b[i];)
// CHECK-LABEL: kernel 0 @hard_tangent  hard-tanh f32
MAP(hard_tangent, c[i] = x < -1 ? -1 : x > 1 ? 1 : x;)
// CHECK-LABEL: kernel 0 @magnitude  abs f32
MAP(magnitude, c[i] = sqrtf(x * x);)
// CHECK-LABEL: kernel 0 @difference  subtract f32
MAP(difference, c[i] = b[i] - x;)
// CHECK-LABEL: kernel 0 @product  multiply f32
MAP(product, c[i] = b[i] * x;)
// CHECK-LABEL: kernel 0 @quotient  divide f32
MAP(quotient, c[i] = b[i] / x;)
// CHECK-LABEL: kernel 0 @inverse  reciprocal f32
MAP(inverse, c[i] = 1 / x;)
// CHECK-LABEL: kernel 0 @minus  negate f32
MAP(minus, c[i] = -x;)
// CHECK-LABEL: kernel 0 @scaled  scale f32
MAP(scaled, c[i] = x / s;)
// CHECK-LABEL: kernel 0 @squared  square f32
MAP(squared, c[i] = powf(x, 2);)
// CHECK-LABEL: kernel 0 @root  sqrt f32
MAP(root, c[i] = sqrtf(x);)
// CHECK-LABEL: kernel 0 @inverse_root  rsqrt f32
MAP(inverse_root, c[i] = 1 / sqrtf(x);)
// CHECK-LABEL: kernel 0 @power  exp f32
MAP(power, c[i] = expf(x);)
// CHECK-LABEL: kernel 0 @logarithm  log f32
MAP(logarithm, c[i] = logf(x);)
// CHECK-LABEL: kernel 0 @error  erf f32
MAP(error, c[i] = erff(x);)
// CHECK-LABEL: kernel 0 @sine  sin f32
MAP(sine, c[i] = sinf(x);)
// CHECK-LABEL: kernel 0 @cosine  cos f32
MAP(cosine, c[i] = cosf(-x);)
// Slopes, biases of columns, and another order of three axes.
#define ROWS(NAME, ...) void NAME(int m, int n, const float *restrict a, const float *restrict b, float *restrict c) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { float x = a[i * n + j]; __VA_ARGS__ } }
// CHECK-LABEL: kernel 0 @slopes  prelu f32
ROWS(slopes, c[i * n + j] = x > 0 ? x : b[j] * x;)
// CHECK-LABEL: kernel 0 @biases  bias f32
ROWS(biases, c[i * n + j] = x + b[j];)
// CHECK-LABEL: kernel 0 @biases_relu  bias.relu f32
ROWS(biases_relu, x += b[j]; c[i * n + j] = x < 0 ? 0 : x;)
// CHECK-LABEL: kernel 0 @given  normalize f32
ROWS(given, c[i * n + j] = (x - b[i]) * b[i + m];)
// CHECK-LABEL: kernel 0 @permuted  permute f32
void permuted(int l, int m, int n, const float *restrict a, float *restrict c) {
  for (int i = 0; i < l; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < n; k++)
        c[(k * l + i) * m + j] = a[(i * m + j) * n + k];
}
// CHECK-LABEL: kernel 0 @transposed  transpose f32
void transposed(int m, int n, const float *restrict a, float *restrict c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      c[j * m + i] = a[i * n + j];
}
// CHECK-LABEL: kernel 0 @rows  gather f32
void rows(int m, int n, const int *restrict t, const float *restrict a, float *restrict c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      c[i * n + j] = a[t[i] * n + j];
}

// Another slope, bound, constant, sign; what is stored beside has no name.
// CHECK-LABEL: kernel 0 @negative_part  map f32
MAP(negative_part, c[i] = x > 0 ? 0 : x * x;)
// CHECK-LABEL: kernel 0 @shifted  map f32
MAP(shifted, c[i] = x > 1 ? x : 0;)
// CHECK-LABEL: kernel 0 @not_gelu  {{generic|map}} f32
MAP(not_gelu, c[i] = 0.5f * x * (1 + erff(x));)
// CHECK-LABEL: kernel 0 @not_sigmoid  {{generic|map}} f32
MAP(not_sigmoid, c[i] = 1 / (2 + expf(-x));)
// CHECK-LABEL: kernel 0 @beside  map f32
void beside(int n, const float *restrict a, float *restrict c, float *restrict d) {
  for (int i = 0; i < n; i++) {
    c[i] = a[i];
    d[i] = a[i] * a[i] + 3 * a[i] + 1;
  }
}
// What the round in front of it has stored.
// CHECK-LABEL: kernel 0 @sums_so_far  cumsum f32
void sums_so_far(int n, float *c) {
  for (int i = 1; i < n; i++)
    c[i] = c[i - 1] + c[i];
}
// CHECK-LABEL: kernel 0 @moved  fill f32
void moved(int n, float *c) {
  for (int i = 1; i < n; i++)
    c[i] = c[i - 1];
}
// CHECK-LABEL: kernel 0 @first_moment  generic f32
void first_moment(int n, float *restrict w, float *restrict v, const float *restrict g, float rate, float mu) {
  for (int i = 0; i < n; i++) {
    v[i] = mu * v[0] + g[i];
    w[i] -= rate * v[i];
  }
}
// Ends that are tested one behind the other, in place.
// CHECK-LABEL: kernel 0 @cut_in_place  clamp f32
void cut_in_place(float *c, long n, float s, float t) {
  for (long i = 0; i < n; i++) {
    if (c[i] < s)
      c[i] = s;
    else if (c[i] > t)
      c[i] = t;
  }
}
// The greater end where the lesser one is passed is no clamp.
// CHECK-LABEL: kernel 0 @other_end  map f32
void other_end(float *c, long n, float s, float t) {
  for (long i = 0; i < n; i++) {
    if (c[i] < s)
      c[i] = t;
    else if (c[i] > t)
      c[i] = s;
  }
}
// Numbers that are computed of numbers.
// CHECK-LABEL: kernel 0 @shares  fill f32
void shares(float *c, int n) { for (int i = 0; i < n; i++) c[i] = 1.0f / n; }
// CHECK-LABEL: kernel 0 @masked  fill f32
void masked(float *c, int n, int m) { for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) c[i * m + j] = -__builtin_inff(); }
// Not of another element for each.
// CHECK-LABEL: kernel 0 @no_shares  map f32
void no_shares(float *restrict c, const float *restrict a, int n) { for (int i = 0; i < n; i++) c[i] = 1.0f / (n + i); }
