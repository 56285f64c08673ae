// All spellings of a softmax have its name; what is none has another one.
// DEFINE: %{target} = x86_64-linux-gnu
// DEFINE: %{check} = %clang --target=%{target} -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll && \
// DEFINE:   %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output %t.ll > %t.kernels && \
// DEFINE:   FileCheck %s --input-file=%t.kernels && %dl-kernels %t.kernels | diff %t.kernels -
// RUN: %{check}
// REDEFINE: %{target} = aarch64-linux-gnu
// RUN: %{check}
// REDEFINE: %{target} = nvptx64-nvidia-cuda
// RUN: %{check}
// REQUIRES: x86-registered-target, aarch64-registered-target, nvptx-registered-target
float expf(float), logf(float), fmaxf(float, float), exp2f(float);
double exp(double);
#define INFINITY __builtin_inff()
#define FOR(I, E) for (int I = 0; I < E; I++)
#define ARGS int m, int n, const float *restrict a, const float *restrict b, float *restrict c
#define KERNEL(NAME, ...) void NAME(ARGS) { FOR(i, m) { __VA_ARGS__ } }
#define A a[i * n + j]
#define B b[i * n + j]
#define C c[i * n + j]

// CHECK-LABEL: kernel 0 @ternary  softmax f32
KERNEL(ternary, float max = a[i * n], sum = 0;
  for (int j = 1; j < n; j++) max = A > max ? A : max;
  FOR(j, n) { C = expf(A - max); sum += C; }
  FOR(j, n) C /= sum;)
// CHECK-LABEL: kernel 0 @fmax_inverse  softmax f32
KERNEL(fmax_inverse, float max = -INFINITY, sum = 0;
  FOR(j, n) max = fmaxf(A, max);
  FOR(j, n) { float e = expf(A - max); sum += e; C = e; }
  float inverse = 1 / sum;
  FOR(j, n) C *= inverse;)
// CHECK-LABEL: kernel 0 @branch_double  softmax f32
KERNEL(branch_double, float max = -1e30f; double sum = 0;
  FOR(j, n) if (max < A) max = A;
  FOR(j, n) sum += exp(A - max);
  FOR(j, n) C = exp(A - max) / sum;)
// CHECK-LABEL: kernel 0 @without_max  softmax f32
KERNEL(without_max, float sum = 0;
  FOR(j, n) sum += expf(A);
  FOR(j, n) C = expf(A) / sum;)
// In place.
// CHECK-LABEL: kernel 0 @in_place  softmax f32
KERNEL(in_place, float max = c[i * n], sum = 0;
  FOR(j, n) max = C > max ? C : max;
  FOR(j, n) { C = expf(C - max); sum += C; }
  FOR(j, n) C = C / sum;)
// exp(x - log(sum)), and to the base of 2.
// CHECK-LABEL: kernel 0 @by_logarithm  softmax f32
KERNEL(by_logarithm, float max = -INFINITY, sum = 0;
  FOR(j, n) max = fmaxf(A, max);
  FOR(j, n) sum += expf(A - max);
  float shift = max + logf(sum);
  FOR(j, n) C = expf(A - shift);)
// CHECK-LABEL: kernel 0 @base_2  softmax f32
KERNEL(base_2, float max = -INFINITY, sum = 0;
  FOR(j, n) max = fmaxf(A, max);
  FOR(j, n) sum += exp2f((A - max) * 1.442695f);
  FOR(j, n) C = exp2f((A - max) * 1.442695f) / sum;)
// Scores: scaled, with a bias, masked.
// CHECK-LABEL: kernel 0 @scores  softmax f32
KERNEL(scores, float max = -INFINITY, sum = 0;
  FOR(j, n) max = fmaxf(A * 0.125f + B, max);
  FOR(j, n) sum += expf(A * 0.125f + B - max);
  FOR(j, n) C = expf(A * 0.125f + B - max) / sum;)
// CHECK-LABEL: kernel 0 @masked  softmax f32
KERNEL(masked, float max = -INFINITY, sum = 0;
  FOR(j, n) { float x = B > 0 ? A : -INFINITY; max = fmaxf(x, max); }
  FOR(j, n) { float x = B > 0 ? A : -1e9f; sum += expf(x - max); }
  FOR(j, n) { float x = B > 0 ? A : -1e9f; C = expf(x - max) / sum; })
// CHECK-LABEL: kernel 0 @causal  softmax f32
KERNEL(causal, float max = -INFINITY, sum = 0;
  FOR(j, i + 1) max = fmaxf(A, max);
  FOR(j, i + 1) { C = expf(A - max); sum += C; }
  FOR(j, i + 1) C /= sum;)
// CHECK-LABEL: kernel 0 @causal_filled  softmax f32
KERNEL(causal_filled, float max = -INFINITY, sum = 0;
  FOR(j, i + 1) max = fmaxf(A, max);
  FOR(j, i + 1) { C = expf(A - max); sum += C; }
  FOR(j, n) C = j <= i ? C / sum : 0;)
// Maximum and sum in one loop.
// CHECK-LABEL: kernel 0 @online  softmax f32
KERNEL(online, float max = -INFINITY, sum = 0;
  FOR(j, n) {
    float next = fmaxf(max, A);
    sum = sum * expf(max - next) + expf(A - next);
    max = next;
  }
  FOR(j, n) C = expf(A - max) / sum;)
// Columns, and what is asked for beside.
// CHECK-LABEL: kernel 0 @columns  softmax f32
void columns(ARGS) {
  FOR(j, n) {
    float max = -INFINITY, sum = 0;
    FOR(i, m) max = fmaxf(A, max);
    FOR(i, m) sum += expf(A - max);
    FOR(i, m) C = expf(A - max) / sum;
  }
}
// CHECK-LABEL: kernel 0 @stored  softmax f32
void stored(int m, int n, const float *restrict a, float *restrict c, float *restrict maxima, float *restrict sums) {
  FOR(i, m) {
    float max = -INFINITY, sum = 0;
    FOR(j, n) max = fmaxf(A, max);
    FOR(j, n) sum += expf(A - max);
    maxima[i] = max;
    sums[i] = sum;
    FOR(j, n) C = expf(A - max) / sum;
  }
}
// CHECK-LABEL: kernel 0 @logarithm  log-softmax f32
KERNEL(logarithm, float max = -INFINITY, sum = 0;
  FOR(j, n) max = fmaxf(A, max);
  FOR(j, n) sum += expf(A - max);
  FOR(j, n) C = A - max - logf(sum);)
// CHECK-LABEL: kernel 0 @of_softmax  log-softmax f32
KERNEL(of_softmax, float max = -INFINITY, sum = 0;
  FOR(j, n) max = fmaxf(A, max);
  FOR(j, n) sum += expf(A - max);
  FOR(j, n) C = logf(expf(A - max) / sum);)
// CHECK-LABEL: kernel 0 @of_row  logsumexp f32
KERNEL(of_row, float max = -INFINITY, sum = 0;
  FOR(j, n) max = fmaxf(A, max);
  FOR(j, n) sum += expf(A - max);
  c[i] = logf(sum) + max;)

// Another maximum in front than below.
// CHECK-LABEL: kernel 0 @other_max  {{generic|reduce}} f32
KERNEL(other_max, float max = -INFINITY, other = -INFINITY, sum = 0;
  FOR(j, n) max = fmaxf(A, max);
  FOR(j, n) other = fmaxf(B, other);
  FOR(j, n) sum += expf(A - max);
  FOR(j, n) C = expf(A - other) / sum;)
// The sum of another array, another row, half of a row, or with one term more.
// CHECK-LABEL: kernel 0 @other_array  {{generic|reduce}} f32
KERNEL(other_array, float sum = 0;
  FOR(j, n) sum += expf(B);
  FOR(j, n) C = expf(A) / sum;)
// CHECK-LABEL: kernel 0 @other_row  {{generic|reduce}} f32
KERNEL(other_row, float sum = 0;
  FOR(j, n) sum += expf(a[(i + 1) * n + j]);
  FOR(j, n) C = expf(A) / sum;)
// CHECK-LABEL: kernel 0 @half_a_row  {{generic|reduce}} f32
KERNEL(half_a_row, float sum = 0;
  FOR(j, n / 2) sum += expf(A);
  FOR(j, n) C = expf(A) / sum;)
// CHECK-LABEL: kernel 0 @one_more  {{generic|reduce}} f32
KERNEL(one_more, float sum = 1;
  FOR(j, n) sum += expf(A);
  FOR(j, n) C = expf(A) / sum;)
// The mean in place of the sum; not divided; a mask for the sum only.
// CHECK-LABEL: kernel 0 @by_mean  {{generic|reduce}} f32
KERNEL(by_mean, float sum = 0;
  FOR(j, n) sum += expf(A);
  FOR(j, n) C = expf(A) / (sum / n);)
// CHECK-LABEL: kernel 0 @not_divided  {{generic|reduce}} f32
KERNEL(not_divided, float max = -INFINITY;
  FOR(j, n) max = fmaxf(A, max);
  FOR(j, n) C = expf(A - max);)
// CHECK-LABEL: kernel 0 @masked_sum  {{generic|reduce}} f32
KERNEL(masked_sum, float sum = 0;
  FOR(j, n) sum += B > 0 ? expf(A) : 0;
  FOR(j, n) C = expf(A) / sum;)
// The sum so far.
// CHECK-LABEL: kernel 0 @so_far  {{generic|reduce}} f32
KERNEL(so_far, float sum = 0;
  FOR(j, n) { sum += expf(A); C = expf(A) / sum; })
