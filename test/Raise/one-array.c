// Parts of one array that iterations write and read: apart, maybe apart, or not.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// REQUIRES: x86-registered-target
float sqrtf(float);

// The moments of an optimizer behind what it changes.
// CHECK-LABEL: @moments
// CHECK: par i[%n]
void moments(float *restrict state, const float *restrict g, int n) {
  float *p = state, *m = state + n, *v = state + 2 * n;
  for (int i = 0; i < n; i++) {
    m[i] = 0.9f * m[i] + 0.1f * g[i];
    v[i] = 0.99f * v[i] + 0.01f * g[i] * g[i];
    p[i] -= m[i] / sqrtf(v[i]);
  }
}

// In front of it, and more rows than one.
// CHECK-LABEL: @behind
// CHECK: par i[%m] par j[%n]
void behind(float *restrict state, const float *restrict g, int m, int n) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      state[i * n + j] = 0.9f * state[i * n + j] + g[i * n + j];
      state[m * n + i * n + j] -= state[i * n + j];
    }
}

// Tested at run time.
// CHECK-LABEL: @maybe
// CHECK: par i[%n]
// CHECK: needs    inrange(0 <= {{.*}}%d{{.*}}
void maybe(float *restrict state, const float *restrict g, long n, long d) {
  for (long i = 0; i < n; i++)
    state[i] = state[i + d] * g[i];
}

// Not far enough for more than a few.
// CHECK-LABEL: @near
// CHECK: seq i[%n]
void near(float *restrict state, const float *restrict g, long n) {
  for (long i = 0; i < n; i++)
    state[i + 64] = state[i] * g[i];
}

// The row before.
// CHECK-LABEL: @rows
// CHECK: seq i[%m] par j[%n]
void rows(float *restrict state, const float *restrict g, long m, long n) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      state[(i + 1) * n + j] = state[i * n + j] * g[j];
}

// Matrices of different extents, each behind the one before: three arrays if they
// do not overlap.
// CHECK-LABEL: @split
// CHECK-SAME: matmul.nn f32
// CHECK: par i[%m] par j[%n]
// CHECK: needs    disjoint(%{{.*}}; %all %{{.*}})
void split(float *restrict all, long m, long n, long k) {
  const float *a = all, *b = a + m * k;
  float *c = all + m * k + k * n;
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// Each row of states is made of the row before, which all of its elements read.
// CHECK-LABEL: @states
// CHECK: seq i[%t - 1] par j[%n]
// CHECK-NOT: inrange({{.*}}%n*%n
void states(float *restrict h, const float *restrict u, long t, long n) {
  for (long i = 1; i < t; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < n; k++)
        s += u[j * n + k] * h[(i - 1) * n + k];
      h[i * n + j] = s;
    }
}

// One more is of the row itself.
// CHECK-LABEL: @more_states
// CHECK: seq i[%t - 1] seq j[%n]
void more_states(float *restrict h, const float *restrict u, long t, long n) {
  for (long i = 1; i < t; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k <= n; k++)
        s += u[j * n + k] * h[(i - 1) * n + k];
      h[i * n + j] = s;
    }
}

// Two rows, of which one is a number from the other: tested.
// CHECK-LABEL: @two_rows
// CHECK: par i[%n]
// CHECK: needs    inrange(0 <= {{.*}}%to
void two_rows(float *restrict h, const float *restrict u, long from, long to,
              long n) {
  for (long j = 0; j < n; j++) {
    float s = 0;
    for (long k = 0; k < n; k++)
      s += u[j * n + k] * h[from + k];
    h[to + j] = s;
  }
}

// Backwards in memory it is the same, but not where lengths may be negative.
// CHECK-LABEL: @steps
// CHECK: seq i[%t - 1] seq j[%n]
void steps(float *restrict h, const float *restrict u, long t, long n, long d) {
  for (long i = 1; i < t; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < n; k++)
        s += u[j * n + k] * h[(i - 1) * n - k * d];
      h[i * n + j] = s;
    }
}

// Places that change with the loops are of the same array. Rows of a are read in
// each round of j, and which of them lie in front of c depends on i.
// CHECK-LABEL: @moving
// CHECK: par i[%m] seq j[%n]
// CHECK-NOT: disjoint
void moving(float *restrict all, long m, long n, long k) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += all[i * k + l] * all[m * k + l * n + j];
      all[m * k + k * n + i * n + j] = s;
    }
}
