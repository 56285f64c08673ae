// Rows of B are fetched while those before them are copied into a panel: a
// panel takes a few lines of each, which prefetchers of the hardware miss.
// RUN: %emit --target=x86_64-linux-gnu %s -DAT='k * n + j' | %opt -mattr=+avx2,+fma -passes='dl-vectorize,verify' -S | FileCheck %s
// RUN: %emit --target=x86_64-linux-gnu %s -DAT='j * d + k' | %opt -mattr=+avx2,+fma -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefix=NT
// RUN: %emit --target=x86_64-linux-gnu %s -DAT='k * n + j' | %opt -mattr=+avx512f,+avx512vl -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefix=ROWS
// RUN: %emit -march=znver4 --target=x86_64-linux-gnu %s -DAT='k * n + j' | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefix=COMING
// RUN: %emit --target=x86_64-linux-gnu %s -DAT='k * n + j' | %opt -mattr=+avx2,+fma -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefix=NONE
// RUN: %emit -march=znver5 --target=x86_64-linux-gnu %s -DAT='k * n + j' | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefix=PAIRS
// RUN: %emit --target=aarch64-linux-gnu %s -DAT='k * n + j' | %opt -passes='dl-vectorize,verify' -S | FileCheck %s

// Four rows together, each eight rows ahead.
// CHECK-LABEL: define internal {{.*}} @dl.matmul.nn.f32.0.packed(
// CHECK: mul i64 %ldb, 8
// CHECK: %[[AHEAD:.*]] = getelementptr float, ptr %{{.*}}, i64 %J
// CHECK-NEXT: call void @llvm.prefetch.p0(ptr %[[AHEAD]], i32 0, i32 3, i32 1)
// CHECK: load <[[VF:4|8]] x float>
// CHECK: store <[[VF]] x float>
// CHECK: ret void
// Where a step of a tile has room, tiles fetch what is copied next: a line of
// each row, for the second-level cache.
// COMING-LABEL: define internal {{.*}} @dl.matmul.nn.f32.0.tiles(
// COMING: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 2, i32 1)
// COMING: load <16 x float>
// NONE-LABEL: define internal {{.*}} @dl.matmul.nn.f32.0.tiles(
// NONE-NOT: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 2,
// NONE: ret void
// What is transposed is read along its rows, so only where a page may hold
// two rows and more and caches do not hold the matrix the next ones are fetched.
// NT-LABEL: define internal {{.*}} @dl.matmul.nt.f32.0.packed(
// NT-DAG: %[[LARGE:[0-9]+]] = icmp ugt i64 %{{.*}}, 2097152
// NT-DAG: %[[TWICE:.*]] = shl i64 %K, 1
// NT-DAG: %[[SHORT:.*]] = icmp ule i64 %[[TWICE]], 1024
// NT: %[[FAR:.*]] = and i1 %[[LARGE]], %[[SHORT]]
// NT: %[[IS:.*]] = zext i1 %[[FAR]] to i64
// NT: mul i64 %ldb, [[VF:4|8]]
// NT: icmp sge i64 %[[IS]], 1
// NT: u.body:
// NT: call void @llvm.prefetch.p0(
// NT: load <4 x float>
// NT: ret void
void matmul(long m, long n, long d, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float sum = 0;
      for (long k = 0; k < d; k++)
        sum += a[i * d + k] * b[AT];
      c[i * n + j] = sum;
    }
}
// Rows of a matrix whose sums are computed side by side, more of them than the
// hardware follows, if caches do not hold the matrix: four lines ahead, or where
// a page may hold several rows, those of the next rows.
// ROWS-LABEL: define {{.*}} @dl.{{[a-z.0-9]*}}.row(
// ROWS: %[[ALL:.*]] = mul i64 %N, %ldb
// ROWS: icmp ugt i64 %[[ALL]], 2097152
// ROWS: %[[SHORT:.*]] = icmp ule i64 %K, 1024
// ROWS: %[[NEXT:.*]] = mul i64 %ldb, 16
// ROWS: %[[AHEAD:[0-9]+]] = select i1 %[[SHORT]], i64 %[[NEXT]], i64 64
// ROWS: br i1 %{{.*}}, label %[[FETCH:.*]], label
// ROWS: [[FETCH]]:
// ROWS: %[[STEP:.*]] = add i64 %[[AHEAD]], %K.x16
// ROWS-NEXT: %[[AT:.*]] = getelementptr float, ptr %{{.*}}, i64 %[[STEP]]
// ROWS-NEXT: call void @llvm.prefetch.p0(ptr %[[AT]], i32 0, i32 2, i32 1)
// A core that takes two vectors of rows from the caches takes one from beyond half
// of the last one, and of rows that share sets from 8 MiB on; what it fetches then
// is used once.
// PAIRS-LABEL: define {{.*}} @dl.{{[a-z.0-9]*}}.row(
// PAIRS-DAG: icmp ugt i64 %{{.*}}, 16777216
// PAIRS-DAG: and i64 %{{.*}}, 8191
// PAIRS-DAG: select i1 %{{.*}}, i64 %{{.*}}, i64 128
// PAIRS: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 0, i32 1)
// Pairs of 128-bit parts of each row, which cross once.
// ROWS: load <8 x float>
// ROWS: shufflevector <16 x float> %{{.*}}, <16 x float> %{{.*}}, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11, i32 16, i32 17, i32 18, i32 19, i32 24, i32 25, i32 26, i32 27>
// ROWS: shufflevector <16 x float> %{{.*}}, <16 x float> %{{.*}}, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15, i32 20, i32 21, i32 22, i32 23, i32 28, i32 29, i32 30, i32 31>
void matvec(long m, long n, const float *a, const float *x, float *y) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}
