// Permutations that are larger than the caches are stored past them: a line of
// lanes at a time, from the first line on, if rows of the output are aligned
// alike. What lines leave is done as ever.
// DEFINE: %{emit} = %emit --target=x86_64-linux-gnu -gline-tables-only %s
// DEFINE: %{opt} = %opt -passes='dl-vectorize,verify,function(instsimplify)' -pass-remarks=dl-vectorize -S
// RUN: %{emit} -march=znver3 | %{opt} 2>&1 | FileCheck %s --check-prefixes=CHECK,TILES
// RUN: %{emit} -march=znver1 | %{opt} 2>&1 | FileCheck %s --check-prefixes=CHECK,ZEN1
// RUN: %{emit} -march=znver4 | %{opt} 2>&1 | FileCheck %s --check-prefixes=WIDE
// Where maps fetch what they write ahead, too, from a multiple of the second cache on.
// RUN: %{emit} -march=cascadelake | %{opt} 2>&1 | FileCheck %s --check-prefix=SERVER
// Where nobody knows whether that pays.
// RUN: %{emit} -march=x86-64-v3 -mcmodel=kernel | %{opt} 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %{emit} -march=x86-64-v3 | %{opt} 2>&1 | FileCheck %s --check-prefix=VENDOR
// RUN: %{emit} -march=znver3 | %{opt} -dl-disable=streams 2>&1 | FileCheck %s --check-prefix=NONE

// TILES: transpose f32, %m x %n: exact, {{.*}}, past the caches from 16777216 bytes on
// ZEN1: transpose f32, %m x %n: exact, {{.*}}, past the caches from 4194304 bytes on
// WIDE: transpose f32, %m x %n: exact, {{.*}}, past the caches from 16777216 bytes on
// SERVER: transpose f32, %m x %n: exact, {{.*}}, past the caches from 4194304 bytes on
// SERVER: store <16 x float> %{{.*}}, align 64, {{.*}}!nontemporal
// NONE: transpose f32, %m x %n: exact
// NONE-NOT: past the caches
// NONE-NOT: nontemporal

// CHECK-LABEL: define internal {{.*}} @dl.lanes.map.f32.0(
// CHECK: [[ROUNDS:%.*]] = mul i64 {{.*}}
// CHECK: [[LARGE:%.*]] = icmp sge i64 [[ROUNDS]], {{4194304|1048576}}
// Of the first element and of the distance of rows, in bytes.
// CHECK: [[ALIGNED:%.*]] = icmp eq i64 {{.*}}, 0
// CHECK: [[PAYS:%.*]] = and i1 [[LARGE]], [[ALIGNED]]
// CHECK: i.past.header:
// CHECK: j.past.header:
// CHECK: i.x16.body:
// CHECK: j.x8.body:
// CHECK-COUNT-8: store <16 x float> %{{.*}}, align 32, {{.*}}!nontemporal
// CHECK-NOT: !nontemporal !
// CHECK: br i1 [[PAYS]], label %dl.then, label %dl.else
// CHECK: call void @llvm.x86.sse.sfence()
// TILES: tile.header:
// ZEN1-NOT: tile.header:
// CHECK: part.header:
// CHECK: i.tile.header:
// WIDE-COUNT-16: store <16 x float> %{{.*}}, align 64, {{.*}}!nontemporal
// WIDE: call void @llvm.x86.sse.sfence()
// VENDOR: %cpu.features = load i64, ptr @dl.cpu.features
// VENDOR: i.past.header:
// VENDOR: call void @llvm.x86.sse.sfence()
// CHECK: ret void
void transpose(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[j * m + i] = a[i * n + j];
}

// What is read is in the cache, and what is added is.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.map.f32.1(
// CHECK-NOT: nontemporal
void add(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[j * m + i] += a[i * n + j];
}
