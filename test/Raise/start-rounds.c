// What comes first in the first round of loops comes in front of them, in the
// same order, where there is such a round.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

// As TVM writes a convolution.
//
// CHECK-LABEL: @convolution conv2d f32
// CHECK:         par i[32] par j[28] par k[28]
// CHECK-NEXT:      %y[i,j,k] = 0.0{{$}}
// CHECK-NEXT:      red l[16] win m[3] win n[3]
// CHECK-NEXT:        %y[i,j,k] = fmuladd(
void convolution(float *restrict y, const float *restrict x,
                 const float *restrict w) {
  for (int o = 0; o < 32; o++)
    for (int i = 0; i < 28; i++)
      for (int j = 0; j < 28; j++)
        for (int c = 0; c < 16; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
              if (c == 0 && r == 0 && s == 0)
                y[o * 784 + i * 28 + j] = 0;
              y[o * 784 + i * 28 + j] += x[c * 900 + (i + r) * 30 + j + s] *
                                         w[o * 144 + c * 9 + r * 3 + s];
            }
}

// Without branches, as LLVM's IR of TVM has it: InstCombine makes one comparison.
//
// CHECK-LABEL: @bits conv2d.depthwise f32
// CHECK:         par i[32] par j[28] par k[28]
// CHECK-NEXT:      %y[i,j,k] = 0.0{{$}}
// CHECK-NEXT:      win l[3] win m[3]
void bits(float *restrict y, const float *restrict x, const float *restrict w) {
  for (int c = 0; c < 32; c++)
    for (int i = 0; i < 28; i++)
      for (int j = 0; j < 28; j++)
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            if ((r == 0) & (s == 0))
              y[c * 784 + i * 28 + j] = 0;
            y[c * 784 + i * 28 + j] +=
                x[c * 900 + (i + r) * 30 + j + s] * w[c * 9 + r * 3 + s];
          }
}

// Of sizes that are not known there may be no round, which is a need where all
// that is stored asks it.
//
// CHECK-LABEL: @product matmul.nn f32
// CHECK:         %c[i,j] = 0.0{{$}}
// CHECK-NEXT:    red k[%k]
// CHECK:         inrange(0 <= %k - 1 <= 9223372036854775807)
void product(float *restrict c, const float *restrict a,
             const float *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int p = 0; p < k; p++) {
        if (p == 0)
          c[i * n + j] = 0;
        c[i * n + j] += a[i * k + p] * b[p * n + j];
      }
}

// Two of them, under the inner loop's first round alone.
//
// CHECK-LABEL: @two
// CHECK:         par i[%n]
// CHECK-NEXT:      %s[i] = 0.0{{.*}}where %m > 0
// CHECK-NEXT:      %t[i] = -1.0{{.*}}where %m > 0
// CHECK-NEXT:      red j[%m]
void two(int n, int m, float *restrict s, float *restrict t,
         const float *restrict x) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      if (j == 0) {
        s[i] = 0;
        t[i] = -1;
      }
      s[i] += x[i * m + j];
      t[i] *= x[i * m + j];
    }
    s[i] += 1;
  }
}

// What is stored in front of it would come behind.
//
// CHECK-LABEL: @behind
// CHECK:         %t[0] = 0.0 where j == 0
void behind(int n, int m, float *s, float *t, const float *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      s[i] += x[i * m + j];
      if (j == 0)
        t[0] = 0;
    }
}

// What is between the loops runs before it.
//
// CHECK-LABEL: @between
// CHECK:         %s[i] = 0.0 where j == 0
void between(int n, int m, int l, float *s, float *t, const float *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      t[j] += 1;
      for (int k = 0; k < l; k++) {
        if (j == 0 && k == 0)
          s[i] = 0;
        s[i] += x[i * m + j + k];
      }
    }
}
