// A number that is a part of an argument, as those of complex numbers are, is a
// number of the kernel.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

typedef float four __attribute__((vector_size(16)));

// CHECK:      @constant
// CHECK:        params   %n:i32 %[[PART:.*]]:f32
// CHECK:        %y[i] = fmul(%[[PART]], %x[i])
void constant(int n, four a, const float *restrict x, float *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = a[1] * x[i];
}

// One that changes is not.
// CHECK:      missed @changes {{.*}}: UnsupportedOperation: {{.*}}: extractelement
void changes(int n, four a, const float *restrict x, float *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = a[i & 3] * x[i];
}
