// A value that each step squares is no tree: to look at every use of every
// operation would not end.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: timeout 60 %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

#define TWICE(X) X X
#define STEP x = x * x + 0.5f;
// CHECK: kernel 0 @squares
void squares(int n, float *restrict c, const float *restrict d) {
  for (int i = 0; i < n; i++) {
    float x = d[i];
    TWICE(TWICE(TWICE(TWICE(TWICE(STEP)))))
    TWICE(TWICE(TWICE(TWICE(STEP))))
    c[i] = x;
  }
}

// Nor where factors of zero are left out.
//
// CHECK: kernel 0 @squares_but_zero
void squares_but_zero(int n, float *restrict c, const float *restrict d) {
  for (int i = 0; i < n; i++)
    if (d[i] != 0) {
      float x = d[i];
      TWICE(TWICE(TWICE(TWICE(TWICE(STEP)))))
      TWICE(TWICE(TWICE(TWICE(STEP))))
      c[i] = x;
    }
}

// Nor where two values of the chain are stored.
//
// CHECK: kernel 0 @two_of_them
void two_of_them(int n, float *restrict c, const float *restrict d) {
  for (int i = 0; i < n; i++) {
    float x = d[i];
    TWICE(TWICE(TWICE(TWICE(TWICE(STEP)))))
    c[2 * i] = x;
    TWICE(TWICE(TWICE(TWICE(STEP))))
    c[2 * i + 1] = x;
  }
}

#define ALL TWICE(TWICE(TWICE(TWICE(TWICE(STEP))))) TWICE(TWICE(TWICE(TWICE(STEP))))

// Nor where sums are taken apart,
//
// CHECK: kernel 0 @sums
void sums(int n, float *restrict c, const float *restrict a,
          const float *restrict b) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < n; k++) {
      float x = a[i * n + k];
      ALL
      s += x * b[k];
      s += x * b[n + k];
    }
    c[i] = s;
  }
}

// loops that follow each other compared,
//
// CHECK: kernel 0 @siblings
void siblings(int n, int h, float *restrict c, const float *restrict a) {
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < h; i++) {
      float x = a[j * n + i];
      ALL
      c[j * n + i] += x;
    }
    for (int i = h; i < n; i++) {
      float x = a[j * n + i];
      ALL
      c[j * n + i] += x;
    }
  }
}

// or unrolled ones.
//
// CHECK: kernel 0 @unrolled
void unrolled(int n, float *restrict c, const float *restrict a) {
  for (int i = 0; i < n; i += 2) {
    {
      float x = a[i];
      ALL
      c[i] = x;
    }
    {
      float x = a[i + 1];
      ALL
      c[i + 1] = x;
    }
  }
}
