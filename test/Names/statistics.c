// Losses and statistics of rows.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: %dl-kernels %t.kernels | diff %t.kernels -
// REQUIRES: x86-registered-target
float sqrtf(float), fmaxf(float, float), fminf(float, float), fabsf(float), expf(float), logf(float), log1pf(float), powf(float, float);
#define INFINITY __builtin_inff()
#define FOR(I, E) for (int I = 0; I < E; I++)
#define ARGS int m, int n, const float *restrict a, const float *restrict b, const int *restrict t, float *restrict c, int *restrict d
#define KERNEL(NAME, ...) void NAME(ARGS) { FOR(i, m) { __VA_ARGS__ } }
#define A a[i * n + j]
#define B b[i * n + j]
#define LOGSUM float max = -INFINITY, sum = 0; FOR(j, n) max = fmaxf(max, A); FOR(j, n) sum += expf(A - max);

// CHECK-LABEL: kernel 0 @cross_entropy  cross-entropy f32
KERNEL(cross_entropy, LOGSUM c[i] = logf(sum) + max - a[i * n + t[i]];)
// CHECK-LABEL: kernel 0 @of_all  cross-entropy f32
void of_all(ARGS) {
  float loss = 0;
  FOR(i, m) { LOGSUM loss -= a[i * n + t[i]] - max - logf(sum); }
  c[0] = loss / m;
}
// CHECK-LABEL: kernel 0 @soft_labels  cross-entropy f32
KERNEL(soft_labels, LOGSUM float s = 0;
  FOR(j, n) s -= B * (A - max - logf(sum));
  c[i] = s;)
// The row of another sample.
// CHECK-LABEL: kernel 0 @other_label  {{generic|reduce}} f32
KERNEL(other_label, LOGSUM c[i] = logf(sum) + max - b[i * n + t[i]];)
// CHECK-LABEL: kernel 0 @squares  mse f32
KERNEL(squares, float s = 0;
  FOR(j, n) { float e = A - B; s += e * e; }
  c[i] = s / n;)
// CHECK-LABEL: kernel 0 @absolute  mae f32
KERNEL(absolute, float s = 0;
  FOR(j, n) s += fabsf(A - B);
  c[i] = s * (1.0f / n);)
// CHECK-LABEL: kernel 0 @binary  binary-cross-entropy f32
KERNEL(binary, float s = 0;
  FOR(j, n) s -= B * logf(A) + (1 - B) * logf(1 - A);
  c[i] = s / n;)
// CHECK-LABEL: kernel 0 @logits  binary-cross-entropy.logits f32
KERNEL(logits, float s = 0;
  FOR(j, n) s += fmaxf(A, 0) - A * B + log1pf(expf(-fabsf(A)));
  c[i] = s / n;)
// CHECK-LABEL: kernel 0 @divergence  kl-divergence f32
KERNEL(divergence, float s = 0;
  FOR(j, n) s += B * logf(B / A);
  c[i] = s;)
// CHECK-LABEL: kernel 0 @cosine  cosine-similarity f32
KERNEL(cosine, float s = 0, p = 0, q = 0;
  FOR(j, n) { s += A * B; p += A * A; q += B * B; }
  c[i] = s / (sqrtf(p) * sqrtf(q));)

// CHECK-LABEL: kernel 0 @variance  variance f32
KERNEL(variance, float s = 0, q = 0;
  FOR(j, n) s += A;
  s /= n;
  FOR(j, n) q += (A - s) * (A - s);
  c[i] = q / n;)
// CHECK-LABEL: kernel 0 @deviation  standard-deviation f32
KERNEL(deviation, float s = 0, q = 0;
  FOR(j, n) { s += A; q += A * A; }
  c[i] = sqrtf((q - s * s / n) / (n - 1));)
// CHECK-LABEL: kernel 0 @mean  mean f32
KERNEL(mean, float s = 0; FOR(j, n) s += A; c[i] = s / n;)
// CHECK-LABEL: kernel 0 @sum  sum f32
KERNEL(sum, FOR(j, n) c[i] += A;)
// CHECK-LABEL: kernel 0 @columns  fill f32
void columns(ARGS) { FOR(j, n) c[j] = 0; FOR(i, m) FOR(j, n) c[j] += A; }
// CHECK: kernel 1 @columns  sum f32
// CHECK-LABEL: kernel 0 @product  product f32
KERNEL(product, float s = 1; FOR(j, n) s *= A; c[i] = s;)
// CHECK-LABEL: kernel 0 @largest  max f32
KERNEL(largest, float s = a[i * n]; for (int j = 1; j < n; j++) if (A > s) s = A; c[i] = s;)
// CHECK-LABEL: kernel 0 @smallest  min f32
KERNEL(smallest, float s = INFINITY; FOR(j, n) s = fminf(A, s); c[i] = s;)
// CHECK-LABEL: kernel 0 @at_largest  argmax i32
KERNEL(at_largest, int at = 0; float s = -INFINITY;
  FOR(j, n) if (A > s) { s = A; at = j; }
  d[i] = at;)
// CHECK-LABEL: kernel 0 @at_smallest  argmin i32
KERNEL(at_smallest, int at = 0; float s = a[i * n];
  for (int j = 1; j < n; j++) if (A < s) { s = A; at = j; }
  d[i] = at;)
// CHECK-LABEL: kernel 0 @largest_integer  max i32
KERNEL(largest_integer, int s = t[i * n]; for (int j = 1; j < n; j++) if (t[i * n + j] > s) s = t[i * n + j]; d[i] = s;)
// CHECK-LABEL: kernel 0 @smallest_unsigned  min i32
KERNEL(smallest_unsigned, const unsigned *u = (const unsigned *)t; unsigned s = u[i * n];
  for (int j = 1; j < n; j++) if (u[i * n + j] < s) s = u[i * n + j]; d[i] = s;)
// CHECK-LABEL: kernel 0 @at_largest_integer  argmax i32
KERNEL(at_largest_integer, int at = 0; int s = t[i * n];
  for (int j = 1; j < n; j++) if (t[i * n + j] > s) { s = t[i * n + j]; at = j; }
  d[i] = at;)
// CHECK-LABEL: kernel 0 @length  l2-norm f32
KERNEL(length, float s = 0; FOR(j, n) s += A * A; c[i] = sqrtf(s);)
// CHECK-LABEL: kernel 0 @average_of_squares  rms f32
KERNEL(average_of_squares, float s = 0; FOR(j, n) s += A * A; c[i] = sqrtf(s / n);)
// CHECK-LABEL: kernel 0 @magnitude  l1-norm f32
KERNEL(magnitude, float s = 0; FOR(j, n) s += A < 0 ? -A : A; c[i] = s;)
// CHECK-LABEL: kernel 0 @distance  distance f32
KERNEL(distance, float s = 0; FOR(j, n) s += (A - B) * (A - B); c[i] = sqrtf(s);)
// CHECK-LABEL: kernel 0 @pool  max-pool f32
void pool(ARGS) {
  FOR(i, m) FOR(j, n) {
    float s = -INFINITY;
    FOR(k, 2) FOR(l, 2) s = fmaxf(s, a[(2 * i + k) * 2 * n + 2 * j + l]);
    c[i * n + j] = s;
  }
}
// CHECK-LABEL: kernel 0 @pool_mean  mean-pool f32
void pool_mean(ARGS) {
  FOR(i, m) FOR(j, n) {
    float s = 0;
    FOR(k, 2) FOR(l, 2) s += a[(2 * i + k) * 2 * n + 2 * j + l];
    c[i * n + j] = s * 0.25f;
  }
}
// CHECK-LABEL: kernel 0 @filter  conv2d f32
void filter(ARGS) {
  FOR(i, m) FOR(j, n) {
    float s = 0;
    FOR(k, 3) FOR(l, 3) s += a[(i + k) * (n + 2) + j + l] * b[k * 3 + l];
    c[i * n + j] = s;
  }
}
// CHECK-LABEL: kernel 0 @squares_of  sum-of-squares f32
KERNEL(squares_of, double s = 0; FOR(j, n) s += (double)(A * A); c[i] = s;)
// CHECK-LABEL: kernel 0 @exponentials  sum-of-exponentials f32
KERNEL(exponentials, float s = 0; FOR(j, n) s += expf(A - 2); c[i] = s;)
// Powers are exponentials of logarithms.
// CHECK-LABEL: kernel 0 @powers  {{generic|reduce}} f32
KERNEL(powers, float s = 0; FOR(j, n) s += powf(A, B); c[i] = s;)
// CHECK-LABEL: kernel 0 @largest_magnitude  max-norm f32
KERNEL(largest_magnitude, float s = 0; FOR(j, n) s = fmaxf(s, fabsf(A)); c[i] = s;)
// CHECK-LABEL: kernel 0 @squared_distance  squared-distance f32
KERNEL(squared_distance, float s = 0; FOR(j, n) s += (A - B) * (A - B); c[i] = s;)
// CHECK-LABEL: kernel 0 @absolute_distance  l1-distance f32
KERNEL(absolute_distance, float s = 0; FOR(j, n) s += A < B ? B - A : A - B; c[i] = s;)
// CHECK-LABEL: kernel 0 @every_other  {{generic|reduce}}
KERNEL(every_other, float s = 0, p = 0;
  FOR(j, n / 2) { s += a[i * n + 2 * j] * b[2 * j]; p += a[i * n + 2 * j + 1]; }
  c[i] = s;
  d[i] = p;)
// A maximum of sums, every second element, sums of what the loop has so far.
// CHECK-LABEL: kernel 0 @sums_so_far  {{generic|reduce}} f32
KERNEL(sums_so_far, float s = 0, p = 0; FOR(j, n) { s += A; p += s; } c[i] = p;)
// CHECK-LABEL: kernel 0 @clipped  {{generic|reduce}} f32
KERNEL(clipped, float s = 0; FOR(j, n) s = fmaxf(s + A, 0); c[i] = s;)
// The last of equal ones; another first index, the first element of another row.
// CHECK-LABEL: kernel 0 @at_last_largest  argmax i32
KERNEL(at_last_largest, int at = 0; float s = -INFINITY;
  FOR(j, n) if (A >= s) { s = A; at = j; }
  d[i] = at;)
// CHECK-LABEL: kernel 0 @at_last_smallest  argmin i32
KERNEL(at_last_smallest, int at = 0; float s = INFINITY;
  FOR(j, n) { at = s < A ? at : j; s = fminf(s, A); }
  d[i] = at;)
// CHECK-LABEL: kernel 0 @not_below  argmax i32
KERNEL(not_below, int at = 0; float s = -INFINITY;
  FOR(j, n) { at = A <= s ? at : j; s = fmaxf(s, A); }
  d[i] = at;)
// CHECK-LABEL: kernel 0 @from_one  {{generic|reduce}} i32
KERNEL(from_one, int at = 1; float s = a[i * n];
  FOR(j, n) if (A > s) { s = A; at = j; }
  d[i] = at;)
// CHECK-LABEL: kernel 0 @above_another  {{generic|reduce}} i32
KERNEL(above_another, int at = 0; float s = a[0];
  FOR(j, n) if (A > s) { s = A; at = j; }
  d[i] = at;)
