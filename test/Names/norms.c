// Normalization of rows, channels and groups, however the statistics are made.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: %dl-kernels %t.kernels | diff %t.kernels -
// REQUIRES: x86-registered-target
float sqrtf(float), fmaxf(float, float), fabsf(float), powf(float, float);
double sqrt(double);
#define FOR(I, E) for (int I = 0; I < E; I++)
#define ARGS int m, int n, const float *restrict a, const float *restrict b, const float *restrict g, const float *restrict h, float *restrict c, float *restrict d
#define KERNEL(NAME, ...) void NAME(ARGS) { FOR(i, m) { __VA_ARGS__ } }
#define A a[i * n + j]
#define B b[i * n + j]
#define C c[i * n + j]
#define MEAN float mean = 0; FOR(j, n) mean += A; mean /= n;
#define VAR float var = 0; FOR(j, n) var += (A - mean) * (A - mean); var /= n;

// CHECK-LABEL: kernel 0 @layernorm  layernorm f32
KERNEL(layernorm, MEAN VAR float r = 1 / sqrtf(var + 1e-5f);
  FOR(j, n) C = (A - mean) * r * g[j] + h[j];)
// CHECK-LABEL: kernel 0 @one_pass  layernorm f32
KERNEL(one_pass, float s = 0, q = 0;
  FOR(j, n) { s += A; q += A * A; }
  s /= n;
  float r = powf(q / n - s * s + 1e-6f, -0.5f);
  FOR(j, n) C = A * r * g[j] + (h[j] - s * r * g[j]);)
// CHECK-LABEL: kernel 0 @double_divided  layernorm f32
KERNEL(double_divided, double s = 0, q = 0;
  FOR(j, n) s += A;
  s *= 1. / n;
  FOR(j, n) q += (A - s) * (A - s);
  FOR(j, n) C = (A - s) / (sqrt(q / n) + 1e-5);)
// CHECK-LABEL: kernel 0 @constant_rows  layernorm f32
void constant_rows(ARGS) {
  FOR(i, m) {
    float s = 0, q = 0;
    FOR(j, 768) s += a[i * 768 + j];
    s *= 1.0f / 768;
    FOR(j, 768) q += (a[i * 768 + j] - s) * (a[i * 768 + j] - s);
    float r = 1 / sqrtf(q / 768.0f + 1e-5f);
    FOR(j, 768) c[i * 768 + j] = g[j] * ((a[i * 768 + j] - s) * r) + h[j];
  }
}
// CHECK-LABEL: kernel 0 @running  layernorm f32
KERNEL(running, float mean = 0, q = 0;
  FOR(j, n) { float x = A - mean; mean += x / (j + 1); q += x * (A - mean); }
  FOR(j, n) C = (A - mean) / sqrtf(q / n + 1e-5f);)
// CHECK-LABEL: kernel 0 @centred  layernorm f32
KERNEL(centred, MEAN FOR(j, n) C = A - mean;
  float q = 0; FOR(j, n) q += C * C;
  FOR(j, n) C *= 1 / sqrtf(q / n + 1e-5f);)
// CHECK-LABEL: kernel 0 @in_place  layernorm f32
KERNEL(in_place, float s = 0, q = 0;
  FOR(j, n) s += C;
  s /= n;
  FOR(j, n) q += (C - s) * (C - s);
  FOR(j, n) C = (C - s) / sqrtf(q / n + 1e-5f) * g[j];)
// The sum of two arrays, stored or not, and statistics beside.
// CHECK-LABEL: kernel 0 @residual  layernorm.residual f32
KERNEL(residual, float s = 0, q = 0;
  FOR(j, n) { c[i * n + j] = A + B; s += C; }
  s /= n;
  FOR(j, n) q += (C - s) * (C - s);
  float r = 1 / sqrtf(q / n + 1e-5f);
  FOR(j, n) d[i * n + j] = (C - s) * r * g[j] + h[j];)
// CHECK-LABEL: kernel 0 @stored  layernorm f32
void stored(ARGS, float *restrict means, float *restrict roots) {
  FOR(i, m) { MEAN VAR
    float r = 1 / sqrtf(var + 1e-5f);
    FOR(j, n) C = (A - mean) * r * g[j] + h[j];
    means[i] = mean;
    roots[i] = r;
  }
}
// CHECK-LABEL: kernel 0 @rmsnorm  rmsnorm f32
KERNEL(rmsnorm, float q = 0;
  FOR(j, n) q += A * A;
  float r = 1 / sqrtf(q / n + 1e-5f);
  FOR(j, n) C = g[j] * (A * r);)
// CHECK-LABEL: kernel 0 @rmsnorm_residual  rmsnorm.residual f32
KERNEL(rmsnorm_residual, float q = 0;
  FOR(j, n) q += (A + B) * (A + B);
  FOR(j, n) C = (A + B) / sqrtf(q / n + 1e-5f) * g[j];)
// CHECK-LABEL: kernel 0 @to_length  l2-normalize f32
KERNEL(to_length, float q = 0;
  FOR(j, n) q += A * A;
  float r = fmaxf(sqrtf(q), 1e-12f);
  FOR(j, n) C = A / r;)
// CHECK-LABEL: kernel 0 @to_sum  l1-normalize f32
KERNEL(to_sum, float q = 0;
  FOR(j, n) q += fabsf(A);
  FOR(j, n) C = A / q;)
// CHECK-LABEL: kernel 0 @to_largest  max-normalize f32
KERNEL(to_largest, float q = 0;
  FOR(j, n) q = fmaxf(q, fabsf(A));
  FOR(j, n) C = A / q;)
// CHECK-LABEL: kernel 0 @sample  standardize f32
KERNEL(sample, MEAN float q = 0;
  FOR(j, n) q += (A - mean) * (A - mean);
  FOR(j, n) C = (A - mean) / sqrtf(q / (n - 1));)

#define X a[(i * n + k) * l + j]
#define Y c[(i * n + k) * l + j]
// m images of n channels of l pixels.
// CHECK-LABEL: kernel 0 @batchnorm  batchnorm f32
void batchnorm(ARGS, int l) {
  FOR(k, n) {
    float s = 0, q = 0;
    FOR(i, m) FOR(j, l) s += X;
    s /= m * l;
    FOR(i, m) FOR(j, l) q += (X - s) * (X - s);
    q /= m * l;
    FOR(i, m) FOR(j, l) Y = (X - s) / sqrtf(q + 1e-5f) * g[k] + h[k];
    d[k] = 0.9f * d[k] + 0.1f * s;
  }
}
// CHECK-LABEL: kernel 0 @inference  batchnorm.inference f32
void inference(ARGS, int l, const float *restrict mean, const float *restrict var) {
  FOR(i, m) FOR(k, n) {
    float r = 1 / sqrtf(var[k] + 1e-5f);
    FOR(j, l) Y = (X - mean[k]) * r * g[k] + h[k];
  }
}
// CHECK-LABEL: kernel 0 @instancenorm  instancenorm f32
void instancenorm(ARGS, int l) {
  FOR(i, m) FOR(k, n) {
    float s = 0, q = 0;
    FOR(j, l) s += X;
    s /= l;
    FOR(j, l) q += (X - s) * (X - s);
    FOR(j, l) Y = (X - s) / sqrtf(q / l + 1e-5f) * g[k] + h[k];
  }
}
// m groups of n channels.
// CHECK-LABEL: kernel 0 @groupnorm  groupnorm f32
void groupnorm(ARGS, int l) {
  FOR(i, m) {
    float s = 0, q = 0;
    FOR(k, n) FOR(j, l) { s += X; q += X * X; }
    s /= n * l;
    q = q / (n * l) - s * s;
    FOR(k, n) FOR(j, l) Y = (X - s) / sqrtf(q + 1e-5f) * g[i * n + k] + h[i * n + k];
  }
}
// A variance is not negative, though it may be computed so.
// CHECK-LABEL: kernel 0 @cut_variance  layernorm f32
KERNEL(cut_variance, MEAN float q = 0;
  FOR(j, n) q += A * A;
  q = fmaxf(q / n - mean * mean, 0);
  FOR(j, n) C = (A - mean) / sqrtf(q + 1e-5f);)
// CHECK-LABEL: kernel 0 @cut_deviation  standard-deviation f32
KERNEL(cut_deviation, float s = 0, q = 0;
  FOR(j, n) { s += A; q += A * A; }
  q -= s * s / n;
  c[i] = sqrtf(q > 0 ? q / n : 0);)
// Other differences may be.
// CHECK-LABEL: kernel 0 @cut_difference  {{generic|reduce}} f32
KERNEL(cut_difference, MEAN float q = 0;
  FOR(j, n) q += A * A;
  q = fmaxf(q / n - 2 * mean * mean, 0);
  FOR(j, n) C = (A - mean) / sqrtf(q + 1e-5f);)
// CHECK-LABEL: kernel 0 @other_cut  {{generic|reduce}} f32
KERNEL(other_cut, MEAN float q = 0;
  FOR(j, n) q += A * A;
  q = fmaxf(mean * mean - q / n, 0);
  FOR(j, n) C = (A - mean) / sqrtf(q + 1e-5f);)
// Statistics of columns.
// CHECK-LABEL: kernel 0 @columns  batchnorm f32
void columns(ARGS) {
  FOR(j, n) {
    float s = 0, q = 0;
    FOR(i, m) s += A;
    s /= m;
    FOR(i, m) q += (A - s) * (A - s);
    FOR(i, m) C = (A - s) / sqrtf(q / m + 1e-5f);
  }
}

// The mean of another row; a wrong power; the variance without the mean; divided
// by another number; scaled before the mean is taken off.
// CHECK-LABEL: kernel 0 @other_row  {{generic|reduce}} f32
KERNEL(other_row, float s = 0, q = 0;
  FOR(j, n) s += a[j];
  s /= n;
  FOR(j, n) q += (A - s) * (A - s);
  FOR(j, n) C = (A - s) / sqrtf(q / n + 1e-5f);)
// CHECK-LABEL: kernel 0 @not_a_root  {{generic|reduce}} f32
KERNEL(not_a_root, MEAN VAR FOR(j, n) C = (A - mean) / (var + 1e-5f);)
// CHECK-LABEL: kernel 0 @mean_and_rms  {{generic|reduce}} f32
KERNEL(mean_and_rms, MEAN float q = 0;
  FOR(j, n) q += A * A;
  FOR(j, n) C = (A - mean) / sqrtf(q / n + 1e-5f);)
// CHECK-LABEL: kernel 0 @other_count  {{generic|reduce}} f32
KERNEL(other_count, MEAN float q = 0;
  FOR(j, n) q += (A - mean) * (A - mean);
  FOR(j, n) C = (A - mean) / sqrtf(q / m + 1e-5f);)
// CHECK-LABEL: kernel 0 @other_array  {{generic|reduce}} f32
KERNEL(other_array, MEAN VAR FOR(j, n) C = (B - mean) / sqrtf(var + 1e-5f);)
// CHECK-LABEL: kernel 0 @without_mean  {{generic|reduce}} f32
KERNEL(without_mean, MEAN VAR FOR(j, n) C = A / sqrtf(var + 1e-5f);)
// Gains around one, and around two.
// CHECK-LABEL: kernel 0 @rms_around_one  rmsnorm f32
KERNEL(rms_around_one, float q = 0;
  FOR(j, n) q += A * A;
  q = 1 / sqrtf(q / n + 1e-6f);
  FOR(j, n) C = A * q * (1 + g[j]);)
// CHECK-LABEL: kernel 0 @rms_around_two  {{generic|reduce}} f32
KERNEL(rms_around_two, float q = 0;
  FOR(j, n) q += A * A;
  q = 1 / sqrtf(q / n + 1e-6f);
  FOR(j, n) C = A * q * (2 + g[j]);)
