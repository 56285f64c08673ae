// A variable that several operations update goes on in its order: the axis is
// no reduction. Sums and differences are one operation.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target

// CHECK-LABEL: @sum_and_product
// CHECK:       seq i[%m]
// CHECK-NEXT:    red j[%n]
// CHECK-NEXT:      s = fadd(s, %a[i,j])
// CHECK-NEXT:    s = fmul(s, %b[i])
float sum_and_product(const float *a, const float *b, long m, long n) {
  float s = 1;
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    s *= b[i];
  }
  return s;
}

// CHECK-LABEL: @in_memory
// CHECK:       seq i[%m] par j[%n]
// CHECK-NEXT:    red k[%l]
// CHECK-NEXT:      %c[j] = fmuladd({{.*}}, %c[j])
// CHECK-NEXT:    %c[j] = fmul(%c[j], %b[i])
void in_memory(float *restrict c, const float *restrict a,
               const float *restrict b, long m, long n, long l) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      for (long k = 0; k < l; k++)
        c[j] += a[i * l + k] * b[k];
      c[j] *= b[i];
    }
}

// CHECK-LABEL: @alternating
// CHECK:       seq i[%m] par j[%n]
// CHECK-NEXT:    %c[j] = fmul({{.*}}  where mod(i, 2) > 0
// CHECK-NEXT:    %c[j] = fadd({{.*}}  where mod(i, 2) == 0
void alternating(float *restrict c, const float *restrict a,
                 const float *restrict b, long m, long n) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      if (i & 1)
        c[j] *= b[i];
      else
        c[j] += a[i * n + j];
    }
}

// CHECK-LABEL: @greatest_and_smallest
// CHECK:       seq i[%m]
// CHECK-NEXT:    red j[%n]
// CHECK:         red j.1[%n]
float greatest_and_smallest(const float *a, const float *b, long m, long n) {
  float s = 0;
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++)
      s = a[i * n + j] > s ? a[i * n + j] : s;
    for (long k = 0; k < n; k++)
      s = b[i * n + k] < s ? b[i * n + k] : s;
  }
  return s;
}

// CHECK-LABEL: @greatest_twice
// CHECK:       red i[%m]
// CHECK-NEXT:    red j[%n]
// CHECK:         red j.1[%n]
float greatest_twice(const float *a, const float *b, long m, long n) {
  float s = 0;
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++)
      s = a[i * n + j] > s ? a[i * n + j] : s;
    for (long k = 0; k < n; k++)
      s = s < b[i * n + k] ? b[i * n + k] : s;
  }
  return s;
}

// CHECK-LABEL: @sum_and_difference
// CHECK:       red i[%m]
// CHECK-NEXT:    red j[%n]
// CHECK-NEXT:      s = fadd(s, %a[i,j])
// CHECK-NEXT:    s = fsub(s, %b[i])
float sum_and_difference(const float *a, const float *b, long m, long n) {
  float s = 1;
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    s -= b[i];
  }
  return s;
}
