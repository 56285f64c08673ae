// What is read or written through an integer may be errno, unless it is an object that is
// known: where the order of errors changes, it must not be.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
float expf(float);

// CHECK-LABEL: kernel {{[0-9]+}} @counted
// CHECK:         par i
// CHECK:         needs    noerrno(%k)
void counted(int *k, float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++) {
    y[i] = expf(x[i]);
    k[i] = k[i] + 1;
  }
}

// CHECK-LABEL: kernel {{[0-9]+}} @scaled
// CHECK:         par i
// CHECK:         needs    noerrno(%t)
void scaled(float *restrict y, const float *restrict x, const int *t, long m,
            long n) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += expf(x[i * n + j]);
    y[i] = sum * (float)t[i];
  }
}

// How long rows are.
// CHECK-LABEL: kernel {{[0-9]+}} @lengths
// CHECK:         par i
// CHECK:         needs    noerrno(
struct sizes {
  int *of;
};
void lengths(float *restrict y, const float *restrict x, const struct sizes *s,
             int m) {
  for (int i = 0; i < m; i++) {
    float sum = 0;
    for (int j = 0; j < s->of[1]; j++)
      sum += expf(x[i * s->of[1] + j]);
    y[i] = sum;
  }
}

// Without errors there is no errno.
// CHECK-LABEL: kernel {{[0-9]+}} @plain
// CHECK-NOT:     noerrno
void plain(int *k, float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++) {
    y[i] = x[i] * 2;
    k[i] = k[i] + 1;
  }
}
