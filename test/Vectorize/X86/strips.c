// Permutations: where the second-level cache is large enough, rows run from end
// to end in strips of two cache lines, and lines are fetched for writing before
// their turn; elsewhere they run in tiles, some of which need a buffer.
// RUN: %emit --target=x86_64-linux-gnu -march=znver4 %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefixes=CHECK,STRIPS
// RUN: %emit --target=x86_64-linux-gnu -march=znver3 %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefixes=CHECK,TILES

// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// STRIPS-NOT: alloca
// Sixteen rows of two lines, if rows are far apart.
// STRIPS: add i64 %[[STRIP:[a-z0-9.]*]], 32
// STRIPS: icmp uge i64 %{{.*}}, 1024
// STRIPS: %[[ROWS:.*]] = select i1 %{{.*}}, i64 16, i64 0
// STRIPS: ahead.header:
// STRIPS-NEXT: %[[AHEAD:ahead.*]] = phi i64
// STRIPS: icmp slt i64 %[[AHEAD]], %[[ROWS]]
// STRIPS: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 1, i32 3, i32 1)
// STRIPS: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 1, i32 3, i32 1)
// STRIPS-NOT: @llvm.prefetch
// TILES: %tiles = alloca
// TILES-NOT: @llvm.prefetch
// CHECK: ret void
void transpose(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[j * m + i] = a[i * n + j];
}
