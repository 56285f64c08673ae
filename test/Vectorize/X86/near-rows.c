// Rows in lanes are fetched ahead: to the second-level cache where lines of rows that lie a
// page apart push each other out of the first one, which has 8 of them in a set; to the
// first one where it has more, and only if no cache holds the matrix.
// RUN: %emit -march=cascadelake --target=x86_64-linux-gnu %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefix=FAR
// RUN: %emit -march=icelake-server --target=x86_64-linux-gnu %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefix=NEAR
// RUN: %emit -march=znver5 --target=x86_64-linux-gnu %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefix=NEAR
//
// FAR-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// FAR: icmp uge i64 {{.*}}, 1048576
// FAR: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 2, i32 1)
// FAR-NOT: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
// FAR: ret void
// NEAR-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// NEAR: icmp uge i64 {{.*}}, 8388608
// NEAR: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
// NEAR-NOT: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 2, i32 1)
// NEAR: ret void
void sums(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += a[i * n + j];
    c[i] = sum;
  }
}
