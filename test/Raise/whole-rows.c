// Rows that end with the others or with the array, as those of Rust's chunks() do: all
// are as long, which is asked for in front of the nest.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// REQUIRES: x86-registered-target

typedef __SIZE_TYPE__ size_t;

// CHECK:      kernel 0 @sums  sum f32
// CHECK:        buffers  %x:f32(%n,1) %y:f32
// CHECK-NEXT:   par i[%rows]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red j[%n]
// CHECK-NEXT:       s = fadd(s, %x[i,j])
// CHECK-NEXT:     %y[i] = s
// CHECK:        needs    inrange(0 <= %t - %rows*%n <= 9223372036854775807)
void sums(size_t rows, size_t t, size_t n, const float *restrict x,
          float *restrict y) {
  for (size_t i = 0; i < rows; i++) {
    size_t start = i * n, left = t - start, end = n < left ? n : left;
    float s = 0;
    for (size_t j = 0; j < end; j++)
      s += x[start + j];
    y[i] = s;
  }
}
// A round before the first test, behind a test for any; and an end that is met.
//
// CHECK:      kernel 0 @met  sum f32
// CHECK:        par i[%rows]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red j[%n]
// CHECK-NEXT:       s = fadd(s, %x[i,j])
// CHECK-NEXT:     %y[i] = s
// CHECK:        needs    inrange(0 <= %t - %rows*%n <= 9223372036854775807)
void met(size_t rows, size_t t, size_t n, const float *restrict x,
         float *restrict y) {
  for (size_t i = 0; i < rows; i++) {
    size_t start = i * n, left = t - start, end = n < left ? n : left, j = 0;
    float s = 0;
    if (left != 0)
      do
        s += x[start + j];
      while (++j != end);
    y[i] = s;
  }
}
// The smaller one of two rows is not empty where none of them is.
//
// CHECK:      kernel 0 @products  matmul.nn f32
// CHECK:        par i[%m] red j[%k] par k[%n]
// CHECK:        needs    inrange(0 <= %t - %m*%n <= 9223372036854775807)
void products(size_t m, size_t k, size_t n, size_t s, size_t t,
              const float *restrict a, const float *restrict b,
              float *restrict c) {
  for (size_t i = 0; i < m; i++) {
    size_t left = t - i * n, row = n < left ? n : left;
    for (size_t l = 0; l < k; l++) {
      size_t rest = s - l * n, end = row < rest ? row : rest, j = 0;
      if (end != 0)
        do
          c[i * n + j] += a[i * k + l] * b[l * n + j];
        while (++j != end);
    }
  }
}
// What rows leave is counted down to none: the array has whole rows.
//
// CHECK:      kernel 0 @left  sum f32
// CHECK:        buffers  %x:f32(%n,1) %y:f32
// CHECK-NEXT:   par i[floordiv(%t, %n)]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red j[%n]
// CHECK-NEXT:       s = fadd(s, %x[i,j])
// CHECK-NEXT:     %y[i] = s
// CHECK:        needs    inrange(0 <= mod(%t, %n) <= 0)
void left(size_t t, size_t n, const float *restrict x, float *restrict y) {
  for (size_t left = t, i = 0; left != 0; i++) {
    size_t row = n < left ? n : left;
    float s = 0;
    for (size_t j = 0; j < row; j++)
      s += x[j];
    y[i] = s;
    x += row;
    left -= row;
  }
}
// What is left is not what the row leaves.
//
// CHECK:      missed @less {{.*}}UnknownTripCount
void less(size_t t, size_t n, const float *restrict x, float *restrict y) {
  for (size_t left = t, i = 0; left != 0; i++) {
    size_t row = n < left ? n : left;
    float s = 0;
    for (size_t j = 0; j < row; j++)
      s += x[j];
    y[i] = s;
    x += row;
    left -= row + 1;
  }
}
// Blocks of a known size: the last one often has less.
//
// CHECK:        red j[min(%t - 64*i, 64)]
// CHECK-NOT:    needs    inrange(0 <= %t - 64*%rows
void blocks(size_t rows, size_t t, const float *restrict x,
            float *restrict y) {
  for (size_t i = 0; i < rows; i++) {
    size_t start = i * 64, left = t - start, end = 64 < left ? 64 : left;
    float s = 0;
    for (size_t j = 0; j < end; j++)
      s += x[start + j];
    y[i] = s;
  }
}
