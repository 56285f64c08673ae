// Loops over one row that use what the ones before have found out become one kernel.
// Before LLVM 22 modules do not say which type errno has, which roots set: pointers of
// rows are not joined with them then.
// REQUIRES: llvm-22
// RUN: %emit %s | %opt -passes='dl-prepare<all>,dl-fuse<prepared>,verify,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -passes='dl-prepare<all>,dl-fuse<prepared>,verify,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s
// What is left alone is straight code again.
// RUN: %emit -gline-tables-only %s | %opt -passes='dl-prepare<all>,dl-fuse<prepared>,verify' -S | FileCheck %s --check-prefix=ROUND
// RUN: %emit -gline-tables-only %s | %opt -passes='dl-prepare<all>,dl-fuse<prepared>,dl-vectorize<prepared>,verify' -S | FileCheck %s --check-prefix=STRAIGHT
// ROUND-COUNT-7: br i1 %{{.*}}, label %dl.run
// ROUND: !"dl.round"
// STRAIGHT-NOT: label %dl.run
// STRAIGHT-NOT: !"dl.round"
float expf(float);
float sqrtf(float);
float logf(float);
void use(float);

// llama2.c
// CHECK-LABEL: @softmax softmax f32
// CHECK: max_val = %x[0]
// CHECK-NEXT: red
// CHECK: @expf
// CHECK: par
// CHECK: fdiv
// CHECK-NOT: kernel 1
void softmax(float *x, int size) {
  float max_val = x[0];
  for (int i = 1; i < size; i++)
    if (x[i] > max_val)
      max_val = x[i];
  float sum = 0.0f;
  for (int i = 0; i < size; i++) {
    x[i] = expf(x[i] - max_val);
    sum += x[i];
  }
  for (int i = 0; i < size; i++)
    x[i] /= sum;
}
// CHECK-LABEL: @rmsnorm rmsnorm f32
// CHECK: red
// CHECK: @sqrtf
// CHECK: par
// CHECK-NOT: kernel 1
void rmsnorm(float *o, float *x, float *weight, int size) {
  float ss = 0.0f;
  for (int j = 0; j < size; j++)
    ss += x[j] * x[j];
  ss /= size;
  ss += 1e-5f;
  ss = 1.0f / sqrtf(ss);
  for (int j = 0; j < size; j++)
    o[j] = weight[j] * (ss * x[j]);
}
// CHECK-LABEL: @layernorm layernorm f32
// CHECK-COUNT-2: red
// CHECK: par
// CHECK-NOT: kernel 1
void layernorm(float *y, const float *x, const float *g, const float *b,
               long n) {
  float mean = 0, var = 0;
  for (long j = 0; j < n; j++)
    mean += x[j];
  mean /= n;
  for (long j = 0; j < n; j++)
    var += (x[j] - mean) * (x[j] - mean);
  float rstd = 1 / sqrtf(var / n + 1e-5f);
  for (long j = 0; j < n; j++)
    y[j] = (x[j] - mean) * rstd * g[j] + b[j];
}
// The result is used behind the loops.
// CHECK-LABEL: @log_sum
// CHECK: red
// CHECK: @expf
// CHECK-NOT: kernel 1
float log_sum(const float *x, long n) {
  float max = -1e38f, sum = 0;
  for (long j = 0; j < n; j++)
    max = x[j] > max ? x[j] : max;
  for (long j = 0; j < n; j++)
    sum += expf(x[j] - max);
  return logf(sum) + max;
}
// Each of many rows, in a loop that is no kernel.
// CHECK-LABEL: @rows l2-normalize f32
// CHECK-NOT: kernel 1
void rows(float **y, float **x, long m, long n) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += x[i][j] * x[i][j];
    s = 1 / sqrtf(s);
    for (long j = 0; j < n; j++)
      y[i][j] = x[i][j] * s;
    use(s);
  }
}
// Two rows.
// CHECK-LABEL: kernel 0 @two
// CHECK: kernel 1 @two
// CHECK-NOT: kernel 2
void two(float *x, float *y, long n) {
  float s = 0, t = 0;
  for (long j = 0; j < n; j++)
    s += x[j] * x[j];
  for (long j = 0; j < n; j++)
    x[j] /= s;
  for (long j = 0; j < n; j++)
    t += y[j] * y[j];
  for (long j = 0; j < n; j++)
    y[j] /= t;
}
// Somebody may look at the row between its loops.
// CHECK-LABEL: kernel 0 @looked_at
// CHECK: kernel 1 @looked_at
void looked_at(float *x, long n) {
  float s = 0;
  for (long j = 0; j < n; j++)
    s += x[j];
  use(s);
  for (long j = 0; j < n; j++)
    x[j] -= s;
}
// Other memory.
// CHECK-LABEL: kernel 0 @other
// CHECK: kernel 1 @other
void other(float *x, float *y, long n) {
  float s = 0;
  for (long j = 0; j < n; j++)
    s += x[j];
  for (long j = 0; j < n; j++)
    y[j] -= s;
}
// A product is one by itself.
// CHECK-LABEL: kernel 0 @scores
// CHECK: kernel 1 @scores
void scores(float *restrict y, const float *x, const float *a, long n) {
  float s = 0;
  for (long j = 0; j < n; j++)
    s += x[j];
  for (long i = 0; i < n; i++) {
    float t = 0;
    for (long j = 0; j < n; j++)
      t += a[i * n + j] * x[j];
    y[i] = t * s;
  }
}
