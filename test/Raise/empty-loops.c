// Loops whose results nobody uses are no part of a kernel.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: %dl-kernels %t.kernels | diff %t.kernels -
// REQUIRES: x86-registered-target

// CHECK:      kernel 0 @unused_squares
// CHECK:        par i[%m]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red j[%n]
// CHECK-NEXT:       s = fadd(s, %x[i,j])
// CHECK-NEXT:     %y[i] = s
// CHECK-NOT:    seq
// CHECK-NOT:    red
void unused_squares(int m, int n, const float *restrict x, float *restrict y) {
  for (int i = 0; i < m; i++) {
    float s = 0, squares = 0;
    for (int j = 0; j < n; j++)
      s += x[i * n + j];
    for (int j = 0; j < n; j++)
      squares += x[i * n + j] * x[i * n + j];
    y[i] = s;
  }
}

// One around another, in front of a product.
// CHECK:      kernel 0 @unused_nest  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
void unused_nest(int m, int n, int k, const float *restrict a,
                 const float *restrict b, float *restrict c) {
  for (int i = 0; i < m; i++) {
    float all = 0;
    for (int l = 0; l < k; l++)
      for (int j = 0; j < n; j++)
        all += a[i * k + l] * b[l * n + j];
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
  }
}

