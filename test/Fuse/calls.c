// Functions that are loops, called one after another.
// RUN: %emit %s | %opt -passes='dl-fuse,verify,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -passes='dl-fuse,verify,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s
// RUN: %emit -gline-tables-only %s | %opt -passes='dl-fuse,verify' -pass-remarks=dl-fuse -disable-output 2>&1 | FileCheck %s --check-prefix=REMARK

void add(long n, float *o, const float *a, const float *b) {
  for (long i = 0; i < n; i++)
    o[i] = a[i] + b[i];
}
static void relu(long n, float *x) {
  for (long i = 0; i < n; i++)
    x[i] = x[i] > 0 ? x[i] : 0;
}
__attribute__((noinline)) void scale(long n, float *x, float by) {
  for (long i = 0; i < n; i++)
    x[i] *= by;
}
__attribute__((weak)) void shift(long n, float *x, float by) {
  for (long i = 0; i < n; i++)
    x[i] += by;
}

// REMARK: calls.c:[[#@LINE+6]]:{{.*}} add.relu f32, %n: 1 loops joined with others
// CHECK-LABEL: @stages add.relu f32
// CHECK: par i[%n]
// CHECK: %x[i] = select(
// CHECK-NOT: @stages
void stages(long n, float *x, const float *a, const float *b) {
  add(n, x, a, b);
  relu(n, x);
}

// What must not be inlined is not, nor what may be replaced when linking.
// CHECK-NOT: @apart
// REMARK-NOT: calls.c
void apart(long n, float *x, const float *a, const float *b) {
  add(n, x, a, b);
  scale(n, x, 2);
}
void replaced(long n, float *x, const float *a, const float *b) {
  add(n, x, a, b);
  shift(n, x, 2);
}

// A function that calls itself, also by way of others, has many frames: large arrays
// of what it calls stay out of them.
// CHECK-NOT: @halves
// REMARK-NOT: calls.c
static void reverse(long n, float *x) {
  float copy[20000];
  for (long i = 0; i < n; i++)
    copy[i] = x[i] * 2;
  for (long i = 0; i < n; i++)
    x[i] = copy[n - 1 - i];
}
void halves(long, float *);
void quarter(long n, float *x) {
  if (n > 4)
    halves(n / 2, x);
}
void halves(long n, float *x) {
  quarter(n, x);
  reverse(n, x);
  reverse(n, x);
}
// So do arrays that would be more than a frame may have.
// CHECK-NOT: @twice
static void reverse_long(long n, float *x) {
  float copy[80000];
  for (long i = 0; i < n; i++)
    copy[i] = x[i] * 2;
  for (long i = 0; i < n; i++)
    x[i] = copy[n - 1 - i] + 1;
}
void twice(long n, float *x) {
  reverse_long(n, x);
  reverse_long(n, x);
}
// REMARK: calls.c:[[#@LINE+3]]:{{.*}} map f32, %n x %n: 1 loops joined
// CHECK: @once
void once(long n, float *x) {
  reverse(n, x);
  relu(n, x);
}
