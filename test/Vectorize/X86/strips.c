// Permutations: where the second-level cache is large enough, rows run from end
// to end in strips of two cache lines, and lines are fetched for writing before
// their turn; or, where a vector is a line, in bands of four lines. Elsewhere they
// run in tiles, some of which need a buffer; that is of use beside strips and bands
// where the first-level cache has room for more.
// RUN: %emit --target=x86_64-linux-gnu -march=alderlake %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefixes=CHECK,STRIPS
// RUN: %emit --target=x86_64-linux-gnu -march=cascadelake %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefixes=CHECK,BANDS
// RUN: %emit --target=x86_64-linux-gnu -march=icelake-server %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefix=BUFFER
// RUN: %emit --target=x86_64-linux-gnu -march=znver3 %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefixes=CHECK,TILES

// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// STRIPS-NOT: alloca
// BUFFER: %tiles = alloca
// BUFFER: and i64 %{{.*}}, 2047
// BUFFER: tile.header:
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
// BANDS-NOT: alloca
// Of sixteen rows the next lines, and those of sixteen columns.
// BANDS: %j.band = phi i64
// BANDS: %i.x16{{.*}} = phi i64
// BANDS: j.body:
// BANDS-NOT: {{^[a-z.0-9]*}}:
// BANDS: %[[NEXT:.*]] = getelementptr i8, ptr %[[ROW:.*]], i64 64
// BANDS-NEXT: call void @llvm.prefetch.p0(ptr %[[NEXT]], i32 0, i32 3, i32 1)
// BANDS-NEXT: load <8 x float>, ptr %[[ROW]], align 4
// BANDS-COUNT-15: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 3, i32 1)
// BANDS-NOT: @llvm.prefetch
// BANDS: store <16 x float> %{{.*}}, ptr %[[TO:.*]], align 4
// BANDS: getelementptr i8, ptr %{{.*}}, i64 64
// BANDS-NEXT: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 1, i32 3, i32 1)
// BANDS-COUNT-15: store <16 x float>
// BANDS: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 1, i32 3, i32 1)
// The rest without.
// BANDS-NOT: @llvm.prefetch
// TILES: %tiles = alloca
// TILES-NOT: @llvm.prefetch
// CHECK: ret void
void transpose(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[j * m + i] = a[i * n + j];
}
