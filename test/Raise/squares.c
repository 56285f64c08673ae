// Conditions on squares of indices bound no diagonal.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target
// TEETH: none - the end of the compiler is what is looked for

// CHECK-LABEL: kernel 0 @squares
// CHECK:         where i + j*j <= 8
void squares(const float *restrict x, float *restrict u,
             const float *restrict w) {
  for (int i = 0; i < 2; i++)
    for (int l = 0; l < 32; l++)
      if (l * l + i < 9)
        u[l] += w[l];
}

// CHECK-LABEL: kernel 0 @cubes
void cubes(const float *restrict x, float *restrict u,
           const float *restrict w) {
  for (int i = 0; i < 2; i++)
    for (int l = 0; l < 32; l++)
      if (l * l * l + i < 9)
        u[l] += w[l];
}
