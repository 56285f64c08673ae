// Calls of libm are what LLVM makes of them: products for powers, numbers for calls
// of numbers. Where it would call another function, nests are left alone.
// RUN: %clang -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s
// RUN: %clang -O2 -fno-builtin -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s --check-prefix=OWN
#include <math.h>
// CHECK-LABEL: @squares
// CHECK: par i[%n]
// CHECK: fmul(t0, t0)
// OWN: missed @squares {{.*}}UnknownCall: {{.*}}'powf'
void squares(long n, float *restrict y, const float *restrict x, float m) {
  for (long i = 0; i < n; i++)
    y[i] = powf(x[i] - m, 2);
}
static double power(double x, int n) { return pow(x, n); }
// CHECK-LABEL: @wide
// CHECK: let t0 = fsub(%x[i], %m)
// CHECK-NEXT: %y[i] = fmul(t0, t0)
void wide(long n, float *restrict y, const float *restrict x, float m) {
  for (long i = 0; i < n; i++)
    y[i] = power(x[i] - m, 2);
}
// CHECK-LABEL: @inverse
// CHECK: %y[i] = fdiv(1.0, %x[i])
void inverse(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] = powf(x[i], -1);
}
// CHECK-LABEL: @first
// CHECK: %y[i] = fadd(%x[i], 1.0)
void first(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] = powf(x[i], 1) + powf(x[i], 0);
}
// CHECK-LABEL: @number
// CHECK: %y[i] = fmul(%x[i], 0.125)
void number(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] / sqrtf(64);
}
// CHECK-LABEL: @third
// CHECK: @powf<errno>(%x[i], 3.0)
void third(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] = powf(x[i], 3);
}
// CHECK-LABEL: @root
// CHECK: @powf<errno>(%x[i], 0.5)
void root(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] = powf(x[i], 0.5f);
}
// CHECK-LABEL: @frequency
// CHECK: @powf<errno>(1.0E+4, %x[i])
void frequency(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] = powf(10000, x[i]);
}
// exp2, exp10, sqrt of what is finite.
// CHECK-NOT: kernel
// CHECK: missed @of_two {{.*}}UnknownCall: {{.*}}'powf'
void of_two(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] = powf(2, x[i]);
}
// CHECK: missed @of_ten {{.*}}UnknownCall: {{.*}}'powf'
void of_ten(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] = powf(10, x[i]);
}
// CHECK: missed @of_count {{.*}}UnknownCall: {{.*}}'powf'
void of_count(long n, float *restrict y, const int *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] = powf(x[i], 0.5f);
}
