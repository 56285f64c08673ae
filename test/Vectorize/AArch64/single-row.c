// A matrix times a vector: squares of it are turned in registers, two groups of four
// rows, and the last rows run in lanes of which some are junk. There is never more than
// one row of results, so nothing is copied and there are no tiles.
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --implicit-check-not='.tiles(' --implicit-check-not='.packed('

// CHECK-LABEL: define internal {{.*}} @dl.matmul.nt.f32.0.row(ptr noundef align 4 %C,
// CHECK-COUNT-8: call void @llvm.prefetch.p0(
// CHECK-COUNT-16: call <4 x float> @llvm.fmuladd.v4f32(
// CHECK: store <4 x float>
// The last rows: the last of them takes the place of those that there are not.
// CHECK: J.upto
// CHECK: call i64 @llvm.smin.i64(i64 3, i64 %{{.*}})
// CHECK: call void @llvm.masked.store.v4f32.p0(
// CHECK: ret void
void matvec(long m, long n, const float *a, const float *x, float *y) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}
