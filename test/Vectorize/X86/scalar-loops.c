// Loops that gain nothing but wider vectors, beside sums and calls that stay
// scalar: the clock that some cores lower for wide vectors is theirs, too.
// DEFINE: %{options} =
// DEFINE: %{run} = env DLOPT_OPTIONS=%{options} %clang_dl --target=x86_64-linux-gnu -O3 -w -fno-discard-value-names -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -Rpass-missed=dl-vectorize -gline-tables-only -c %s -o %t.o 2>&1
// RUN: %{run} | FileCheck %s
// REDEFINE: %{options} = disable=narrowing
// RUN: %{run} | FileCheck %s --check-prefix=WIDE
// WIDE-COUNT-12: avx512 at run time
void note(void);
float atanf(float);

// What is computed in place has vectors, but no wider ones: LLVM has none.
// CHECK-DAG: [[#@LINE+7]]:{{.*}} remark: {{.*}} past the caches from 8388608 bytes on, kernel number
// CHECK-DAG: [[#@LINE+6]]:{{.*}} remark: {{.*}} where %x is %o, iterations of i in 4 vectors of 4, kernel number
// CHECK-DAG: [[#@LINE+5]]:{{.*}} remark: {{.*}} where %w is %o, iterations of i in 4 vectors of 4, kernel number
void rmsnorm(long n, const float *x, const float *w, float *o) {
  float s = 0;
  for (long i = 0; i < n; i++)
    s += x[i] * x[i];
  for (long i = 0; i < n; i++)
    o[i] = w[i] * (x[i] / s);
}

// A sum that is written as several operations.
// CHECK-DAG: [[#@LINE+5]]:{{.*}} remark: {{.*}}left alone: recognized; LLVM's own loop vectorizer does the same
void several(long n, const float *restrict x, float *restrict o) {
  float s = 0;
  for (long i = 0; i < n; i++)
    s = (s + x[i]) * 0.5f + 1;
  for (long i = 0; i < n; i++)
    o[i] += x[i] - s;
}

static float sum(long n, const float *x) {
  float s = 0;
  for (long i = 0; i < n; i++)
    s += x[i];
  return s;
}

// CHECK-DAG: [[#@LINE+3]]:{{.*}} remark: {{.*}}left alone: recognized; LLVM's own loop vectorizer does the same
void helper(long n, const float *restrict x, float *restrict o) {
  float s = sum(n, x);
  for (long i = 0; i < n; i++)
    o[i] += x[i] - s;
}

// CHECK-DAG: [[#@LINE+5]]:{{.*}} remark: {{.*}}left alone: recognized; LLVM's own loop vectorizer does the same
void calls(long n, const float *restrict x, float *restrict y,
           float *restrict o) {
  for (long i = 0; i < n; i++)
    y[i] = atanf(x[i]);
  for (long i = 0; i < n; i++)
    o[i] += x[i] * 0.5f;
}

// Rows that need the one before, one after the other, have their own sums.
// CHECK-DAG: [[#@LINE+2]]:{{.*}} remark: {{.*}}left alone: recognized; LLVM's own loop vectorizer does the same
void carried(long m, long n, const float *restrict x, float *restrict o) {
  for (long i = 1; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += o[(i - 1) * n + j];
    for (long j = 0; j < n; j++)
      o[i * n + j] = s * x[j];
  }
}

// CHECK-DAG: [[#@LINE+2]]:{{.*}} remark: add f32, {{.*}} avx512 at run time
void alone(long n, const float *restrict x, float *restrict o) {
  for (long i = 0; i < n; i++)
    o[i] += x[i];
}

// What is done once counts little beside what is done again and again.
// CHECK-DAG: [[#@LINE+7]]:{{.*}} remark: {{.*}} avx512 at run time
void once(long m, long n, const float *restrict x, float *restrict o) {
  float s = 0;
  for (long i = 0; i < n; i++)
    s += x[i];
  for (long j = 0; j < m; j++) {
    note();
    for (long i = 0; i < n; i++)
      o[i] += x[i] - s;
  }
}

// CHECK-DAG: [[#@LINE+5]]:{{.*}} remark: {{.*}} avx512 at run time
void few(long n, const float *restrict x, float *restrict o) {
  float s = 0;
  for (long i = 0; i < 8; i++)
    s += x[i];
  for (long i = 0; i < n; i++)
    o[i] += x[i] - s;
}

// LLVM vectorizes sums whose order does not matter.
// CHECK-DAG: [[#@LINE+6]]:{{.*}} remark: {{.*}} avx512 at run time
void anyOrder(long n, const float *restrict x, float *restrict o) {
#pragma clang fp reassociate(on)
  float s = 0;
  for (long i = 0; i < n; i++)
    s += x[i];
  for (long i = 0; i < n; i++)
    o[i] += x[i] - s;
}

// What gains more than width keeps it.
// CHECK-DAG: [[#@LINE+5]]:{{.*}} remark: {{.*}} avx512 at run time
void rows(long m, long n, const float *restrict x, float *restrict o) {
  float s = 0;
  for (long i = 0; i < n; i++)
    s += x[i];
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      o[j] += x[j * n + i] - s;
}
