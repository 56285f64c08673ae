// Loops behind each other that go over the same memory become one.
// RUN: %emit %s | %opt -passes='dl-fuse,verify,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s --check-prefixes=CHECK,HEAP
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -passes='dl-fuse,verify,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s --check-prefixes=CHECK,HEAP
// RUN: %emit --target=nvptx64-nvidia-cuda %s | %opt -passes='dl-fuse,verify,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s
// RUN: %emit -gline-tables-only %s | %opt -passes='dl-fuse,verify' -pass-remarks=dl-fuse -disable-output 2>&1 | FileCheck %s --check-prefix=REMARK

void *malloc(unsigned long);
void free(void *);

// REMARK-DAG: chains.c:[[#@LINE+7]]:{{.*}} map f32, %n: 2 loops joined with others
// CHECK-LABEL: @chain map f32
// CHECK: par i[%n]
// CHECK-DAG: [[T:t[.0-9]*]] = select(
// CHECK-DAG: %o[i] = fmul([[T]], 3.0)
// CHECK: %t[i] = [[T]]
void chain(long n, float *o, const float *a, float *t) {
  for (long i = 0; i < n; i++)
    t[i] = a[i] + 1.0f;
  for (long i = 0; i < n; i++)
    t[i] = t[i] > 0 ? t[i] : 0;
  for (long i = 0; i < n; i++)
    o[i] = t[i] * 3.0f;
}

// Arrays that nobody else reads are not written.
// CHECK-LABEL: @temporaries map f32
// CHECK-NEXT: params
// CHECK-NEXT: buffers  %o:f32 %a:f32{{$}}
// CHECK: %o[i] = fmul(fadd(%a[i], 1.0), 3.0)
// HEAP-LABEL: @on_heap map f32
// HEAP-NEXT: params
// HEAP-NEXT: buffers  %o:f32 %a:f32{{$}}
void temporaries(long n, float *o, const float *a) {
  float t[1024];
  for (long i = 0; i < n; i++)
    t[i] = a[i] + 1.0f;
  for (long i = 0; i < n; i++)
    o[i] = t[i] * 3.0f;
}
void on_heap(long n, float *o, const float *a) {
  float *t = malloc(n * sizeof(float));
  for (long i = 0; i < n; i++)
    t[i] = a[i] + 1.0f;
  for (long i = 0; i < n; i++)
    o[i] = t[i] * 3.0f;
  free(t);
}

// The stages of a normalization over one row.
// CHECK-LABEL: @layernorm
// CHECK: par i[%n]
// CHECK: red j[%m]
// CHECK: [[M:t[.0-9]*]] = fdiv(
// CHECK: red j.1[%m]
// CHECK: par j.2[%m]
// CHECK: %y[i,j.2] = {{.*}}[[M]]
// CHECK: %mean[i] = [[M]]
// CHECK-NOT: par
// CHECK-LABEL: @bias_relu matmul.nn f32
// CHECK: red k[%k]
// CHECK: select
void layernorm(long n, long m, float *y, float *mean, float *rstd,
               const float *x) {
  for (long i = 0; i < n; i++) {
    float s = 0;
    for (long j = 0; j < m; j++)
      s += x[i * m + j];
    mean[i] = s / m;
  }
  for (long i = 0; i < n; i++) {
    float s = 0;
    for (long j = 0; j < m; j++)
      s += (x[i * m + j] - mean[i]) * (x[i * m + j] - mean[i]);
    rstd[i] = 1.0f / (s / m + 1e-5f);
  }
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      y[i * m + j] = (x[i * m + j] - mean[i]) * rstd[i];
}

// A product and what is done to its results.
void bias_relu(long m, long n, long k, float *c, const float *a, const float *b,
               const float *bias) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long x = 0; x < k; x++)
        s += a[i * k + x] * b[x * n + j];
      c[i * n + j] = s;
    }
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[i * n + j] += bias[j];
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[i * n + j] = c[i * n + j] > 0 ? c[i * n + j] : 0;
}

// Two sums that go on in their order, both wanted afterwards.
// CHECK-LABEL: @two_sums
// CHECK: red i[%n]
// CHECK-NOT: red
// CHECK-LABEL: {{^}}kernel
float two_sums(long n, const float *x, const float *y) {
  float s = 0, d = 0;
  for (long i = 0; i < n; i++)
    s += x[i];
  for (long i = 0; i < n; i++)
    d += x[i] * y[i];
  return s * d;
}

// In one nest.
// CHECK-SAME: @inside
// CHECK: par i[%n] par j[%m]
// CHECK-NOT: par
void inside(long n, long m, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      y[i * m + j] = x[i * m + j] * 2.0f;
    for (long j = 0; j < m; j++)
      y[i * m + j] += x[j];
  }
}

// Of three the last may run as often as the first say, so that two are joined.
// REMARK-DAG: chains.c:[[#@LINE+6]]:{{.*}} map i64, %n: 1 loops joined with others
// CHECK-LABEL: @counts map i64
// CHECK: par i[%n]
// CHECK-NOT: par
// CHECK: @counts
void counts(long n, float *restrict y, float *x, long *k) {
  for (long i = 0; i < n; i++)
    k[i] = x[i] * 2;
  for (long i = 0; i < n; i++)
    x[i] += k[i];
  for (long i = 0; i < k[0]; i++)
    y[i] = x[i] + 1;
}

// In one nest, where rows may overlap: all of it is behind one guard.
// REMARK-DAG: chains.c:[[#@LINE+4]]:{{.*}} affine f32, %n x %m: 1 loops joined with others
// CHECK-LABEL: @inside_guarded affine f32
// CHECK: par i[%n] par j[%m]
void inside_guarded(long n, long m, float *y, const float *x) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      y[i * m + j] = x[i * m + j] * 2.0f;
    for (long j = 0; j < m; j++)
      y[i * m + j] += x[j];
  }
}
