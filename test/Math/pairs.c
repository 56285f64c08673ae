// Correctly rounded functions of whole registers of AVX-512 are sums of two floats, and
// lanes that these do not decide call what computes in double. Cube roots are so in any
// vectors with fused operations.
//
// REQUIRES: x86-registered-target
// RUN: env DLOPT_OPTIONS=math=correct %clang_dl -O3 --target=x86_64-linux-gnu -march=x86-64-v4 -S -emit-llvm %s -o - | FileCheck %s
// RUN: env DLOPT_OPTIONS=math=correct %clang_dl -O3 --target=x86_64-linux-gnu -march=x86-64-v3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NARROW
// RUN: env DLOPT_OPTIONS='math=correct;dispatch=0' %clang_dl -O3 --target=x86_64-linux-gnu -S -emit-llvm %s -o - | FileCheck %s --check-prefix=SEPARATE
//
// CHECK-COUNT-2: fcmp one <16 x float>
// CHECK: call {{.*}}float @dl.correct.
// CHECK: define internal {{.*}}@dl.correct.
// CHECK-NOT: fcmp one <
//
// NARROW: fcmp one <8 x float>
// SEPARATE: define {{.*}}@roots(
// SEPARATE-NOT: fcmp one <{{[0-9]+}} x float>
float expf(float);
float cbrtf(float);

void powers(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}

void roots(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = cbrtf(x[i]);
}
