// The smaller and the greater one of integers by fmin and fmax, of an integer again: found
// among the integers.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,verify' -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target
#include <math.h>
#define SUM(FROM, TO)                                                          \
  float s = 0;                                                                 \
  for (long i = 0; i < n; i++) {                                               \
    long from = FROM, to = TO;                                                 \
    for (long k = from; k < to; k++)                                           \
      s += a[k];                                                               \
  }                                                                            \
  return s;

// CHECK-LABEL: define {{.*}}@ends(
// CHECK-NOT:     num
// CHECK:         %[[TO:.*]] = call i64 @llvm.smin.i64(i64 %{{.*}}, i64 %n)
// CHECK-NEXT:    %[[NUMBER:.*]] = sitofp i64 %[[TO]] to float
// CHECK-NOT:     num
// CHECK:         fptosi float
// CHECK:         ret
float ends(const float *a, long n, long w) { SUM(i, fminf(i + w, n)) }

// Of a constant, and in doubles.
// CHECK-LABEL: define {{.*}}@starts(
// CHECK-NOT:     maxnum
// CHECK:         %[[FROM:.*]] = call i64 @llvm.smax.i64(i64 %{{.*}}, i64 0)
// CHECK-NEXT:    sitofp i64 %[[FROM]] to double
// CHECK:         ret
float starts(const float *a, long n, long w) { SUM(fmax(i - w, 0), i) }

// One of the other.
// CHECK-LABEL: define {{.*}}@between(
// CHECK-NOT:     num
// CHECK:         call i64 @llvm.smin.i64(
// CHECK-NOT:     num
// CHECK:         ret
float between(const float *a, long n, long w) {
  SUM(fmaxf((float)(int)fminf(i - w, n), 0), n)
}

// Without signs.
// CHECK-LABEL: define {{.*}}@without_signs(
// CHECK:         %[[TO:.*]] = call i64 @llvm.umin.i64(
// CHECK-NEXT:    uitofp i64 %[[TO]] to float
// CHECK:         ret
float without_signs(const float *a, unsigned long n, unsigned long w) {
  float s = 0;
  for (unsigned long i = 0; i < n; i++) {
    unsigned long to = fminf(i + w, n);
    for (unsigned long k = i; k < to; k++)
      s += a[k];
  }
  return s;
}

// By a comparison.
// CHECK-LABEL: define {{.*}}@compared(
// CHECK-NOT:     fcmp
// CHECK:         call i64 @llvm.smin.i64(
// CHECK-NOT:     fcmp
// CHECK:         ret
float compared(const float *a, long n, long w) {
  SUM(i, ((float)(i + w) < (float)n ? (float)(i + w) : (float)n))
}

// A number that is no integer.
// CHECK-LABEL: define {{.*}}@halves(
// CHECK:         @llvm.minnum.f32(
// CHECK:         ret
float halves(const float *a, long n, long w) { SUM(i, fminf(i + w, 7.5f)) }

// -0 is no integer, either.
// CHECK-LABEL: define {{.*}}@zero(
// CHECK:         @llvm.maxnum.f32(
// CHECK:         ret
float zero(const float *a, long n, long w) { SUM(fmaxf(i - w, -0.0f), n) }

// What is computed with.
// CHECK-LABEL: define {{.*}}@scaled(
// CHECK:         @llvm.minnum.f32(
// CHECK:         ret
float scaled(const float *a, long n, long w) { SUM(i, fminf(i + w, n) * 0.5f) }

// With a sign and without.
// CHECK-LABEL: define {{.*}}@mixed(
// CHECK:         @llvm.minnum.f32(
// CHECK:         ret
float mixed(const float *a, long n, unsigned long w) { SUM(i, fminf(i - 3, w)) }
