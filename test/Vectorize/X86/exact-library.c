// What is said of the library: which model's bits it has, or that it may have any.
// RUN: env DLOPT_OPTIONS=libm=glibc-2.36 %clang_dl --target=x86_64-linux-gnu -march=haswell -O3 -S -emit-llvm %s -o - | FileCheck %s
// RUN: env DLOPT_OPTIONS=libm=unknown %clang_dl --target=x86_64-linux-gnu -march=haswell -O3 -S -emit-llvm %s -o - -Rpass-missed=dl-vectorize 2>&1 | FileCheck %s --check-prefix=UNKNOWN
//
// Formulas in float are not known to be those of another target's glibc.
// RUN: env DLOPT_OPTIONS=libm=glibc-2.36 %clang_dl --target=aarch64-linux-gnu -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OTHER
// REQUIRES: x86-registered-target, aarch64-registered-target
// UNKNOWN-NOT: dl.has
// UNKNOWN: calls of 'tanhf'
// OTHER: define {{.*}}@tanhs(
// OTHER: call {{.*}} @dl.has.tanh(
// OTHER: define {{.*}}@logs(
// OTHER-NOT: dl.has.log
// OTHER: ret void
float tanhf(float);
float logf(float);

// CHECK-NOT: dl.has
// CHECK-LABEL: define {{.*}}@tanhs(
// CHECK-LABEL: define internal {{.*}}@dl.lanes.{{.*}}(
// CHECK-NOT:   fpext
// CHECK:       call <8 x float> @llvm.arithmetic.fence.v8f32(
// CHECK-NOT:   fpext
// CHECK:       }
void tanhs(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = tanhf(x[i]);
}

void logs(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = logf(x[i]);
}
