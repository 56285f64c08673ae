// Products that are taken off the sum: one instruction where there is a fused
// one, and no copy of A or B for their signs.
// RUN: %emit --target=x86_64-linux-gnu %s -ffp-contract=on | %opt -mattr=+avx2,+fma -S -passes='dl-vectorize,verify' -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=EXTENDED
// RUN: llc -O2 -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma %t.ll -o - | FileCheck %s --check-prefix=FMA
// RUN: %emit --target=x86_64-linux-gnu %s -ffp-contract=off | %opt -S -passes='dl-vectorize<dispatch=0>,verify' -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=APART
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -passes='dl-vectorize,verify' -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: llc -O2 -mtriple=aarch64-linux-gnu %t.ll -o - | FileCheck %s --check-prefix=NEON

// CHECK-LABEL: define {{.*}} @subtract(
// CHECK:       call void @dl.matmul.nn.f32.0(
// CHECK-LABEL: define {{.*}} @both(
// CHECK:       call void @dl.matmul.nn.f32.1(
// CHECK-LABEL: define internal void @dl.matmul.nn.f32.0.tiles(
// CHECK:       %[[B:.*]] = fneg <[[VF:[48]]] x float> %
// CHECK:       call <[[VF]] x float> @llvm.fmuladd.v[[VF]]f32(<[[VF]] x float> %{{.*}}, <[[VF]] x float> %[[B]],
// CHECK-LABEL: define internal void @dl.matmul.nn.f32.0.packed(
// CHECK-NOT:   fneg
// CHECK:       ret void
// FMA-LABEL:   dl.matmul.nn.f32.0.tiles:
// FMA-NOT:     {{xor|fmadd}}{{.*}}ymm
// FMA:         vfnmadd231ps {{.*}}ymm
// FMA-NOT:     {{xor|fmadd}}{{.*}}ymm
// FMA:         .size
// NEON-LABEL:  dl.matmul.nn.f32.0.tiles:
// NEON:        fmls v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[
// APART-LABEL: define {{.*}} @subtract(
// APART:       call void @dl.matmul.nn.f32.0(
// APART-LABEL: define internal void @dl.matmul.nn.f32.0.tiles(
// APART:       %[[P:.*]] = fmul <4 x float>
// APART:       fsub <4 x float> %{{.*}}, %[[P]]
void subtract(long m, long n, long k, const float *a, const float *b,
              float *c) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        c[i * n + j] -= a[i * k + l] * b[l * n + j];
}
// The sign of both factors is that of none.
// CHECK-LABEL: define internal void @dl.matmul.nn.f32.1.tiles(
// CHECK-NOT:   fneg
// CHECK:       ret void
void both(long m, long n, long k, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        c[i * n + j] -= -a[i * k + l] * b[l * n + j];
}
// The sign of what is extended.
// EXTENDED-LABEL: define {{.*}} @extended(
// EXTENDED:       call void @dl.matmul.nn.f64.
void extended(long m, long n, long k, const float *a, const float *b,
              double *c) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        c[i * n + j] -= (double)a[i * k + l] * b[l * n + j];
}
