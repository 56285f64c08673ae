// Rounds that have a column each, in which they read other rows, are parallel.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

#define UNTIL(X, END) for (__typeof__(END) X = 0; X < END; X++)

// CHECK:      @substitution
// CHECK:        seq i[%m] par j[%n] seq k[i]
void substitution(int m, int n, const float *restrict a, float *restrict c) {
  UNTIL(i, m) UNTIL(j, n) UNTIL(k, i) c[i * n + j] -= a[i * m + k] * c[k * n + j];
}

// Rows may be longer, which the guard tests.
//
// CHECK:      @pitch
// CHECK:        seq i[%m] par j[%n] seq k[i]
// CHECK:        needs    inrange(0 <= %ld - %n <= {{.*}})
void pitch(int m, int n, int ld, const float *restrict a, float *restrict c) {
  UNTIL(i, m) UNTIL(j, n) UNTIL(k, i) c[i * ld + j] -= a[i * m + k] * c[k * ld + j];
}

// The next column.
//
// CHECK:      @next
// CHECK:        seq i[%m] seq j[%n - 1] seq k[i]
void next(int m, int n, const float *restrict a, float *restrict c) {
  UNTIL(i, m) UNTIL(j, n - 1) UNTIL(k, i) c[i * n + j] -= a[i * m + k] * c[k * n + j + 1];
}

// Rows that are shorter than what loops go through.
//
// CHECK:      @shorter
// CHECK:        seq i[%m] seq j[40] seq k[i]
void shorter(int m, const float *restrict a, float *restrict c) {
  UNTIL(i, m) UNTIL(j, 40) UNTIL(k, i) c[i * 32 + j] -= a[i * m + k] * c[k * 32 + j];
}

// Steps of which rows are no multiple.
//
// CHECK:      @others
// CHECK:        seq i[%m] seq j[%n] seq k[i]
void others(int m, int n, const float *restrict a, float *restrict c) {
  UNTIL(i, m) UNTIL(j, n) UNTIL(k, i) c[i * n + j] -= a[i * m + k] * c[k * (n + 1) + j];
}

// Where a row begins is loaded, and may change.
//
// CHECK:      @loaded
// CHECK:        seq i[%m] seq j[%n] seq k[i]
void loaded(int m, int n, const int *start, const float *restrict a, float *restrict c) {
  UNTIL(i, m) UNTIL(j, n) UNTIL(k, i) c[start[i] * n + j] -= a[i * m + k] * c[k * n + j];
}

// Addresses are computed modulo 2^64, where a product may be anything.
//
// CHECK:      @elsewhere
// CHECK:        seq i[%m] par j[%n] seq k[%m]
// CHECK:        needs    inrange(-9223372036854775808 <= {{-?(%ld\*%p|%p\*%ld)}} <= 9223372036854775807)
void elsewhere(unsigned long m, unsigned long n, unsigned long ld, unsigned long p, const float *restrict a, float *restrict c) {
  UNTIL(i, m) UNTIL(j, n) UNTIL(k, m) c[i * ld + j] -= a[k] * c[(p + k) * ld + j];
}

// A step is a product, too.
//
// CHECK:      @steps
// CHECK:        seq i[%m] par j[%n] seq k[%m]
// CHECK:        needs    inrange(-9223372036854775808 <= {{-?(%ld\*%p|%p\*%ld)}} <= 9223372036854775807)
void steps(unsigned long m, unsigned long n, unsigned long ld, unsigned long p, const float *restrict a, float *restrict c) {
  UNTIL(i, m) UNTIL(j, n) UNTIL(k, m) c[p * (i * ld) + j] -= a[k] * c[k * ld + j];
}
