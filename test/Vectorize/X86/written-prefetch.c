// What a loop of a row is the first to write is asked for ahead.
// DEFINE: %{opt} = %opt -mattr=+avx2,+fma -S
// RUN: %emit --target=x86_64-linux-gnu %s | %{opt} -passes='dl-vectorize,verify' | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=fp=fast %{opt} -passes='dl-vectorize,verify' | FileCheck %s --check-prefixes=CHECK,FAST

// 2048 bytes further on, of a short row that of the next one, if there is one. Where
// eight rows are summed at once there is no room for more of them.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// EXACT-COUNT-8: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 2, i32 1)
// EXACT: i.row.body:
// CHECK-NOT: call void @llvm.prefetch
// CHECK: [[LONG:%.*]] = icmp ugt i64 {{.*}}, 2048
// CHECK: [[LAST:%.*]] = icmp eq i64 {{.*}}, %{{arg0|m}}
// CHECK: [[NEXT:%.*]] = select i1 [[LAST]], i64 0, i64
// CHECK: [[AHEAD:%.*]] = select i1 [[LONG]], i64 2048, i64 [[NEXT]]
// CHECK: [[LINE:%.*]] = getelementptr i8, ptr {{.*}}, i64 [[AHEAD]]
// CHECK: call void @llvm.prefetch.p0(ptr [[LINE]], i32 1, i32 3, i32 1)
// CHECK-NEXT: [[SECOND:%.*]] = getelementptr i8, ptr [[LINE]], i64 64
// CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[SECOND]], i32 1, i32 3, i32 1)
// EXACT-NOT: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0,
// FAST-NOT: call void @llvm.prefetch.p0(ptr {{.*}}, i32 1,
// FAST-COUNT-2: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
// FAST-NOT: call void @llvm.prefetch
void norm(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j] * x[i * n + j];
    for (long j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] / sum;
  }
}
// What is in the cache as it was read before is not.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.1(
// CHECK-NOT: call void @llvm.prefetch.p0(ptr {{.*}}, i32 1,
void in_place(long m, long n, float *x) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j] * x[i * n + j];
    for (long j = 0; j < n; j++)
      x[i * n + j] /= sum;
  }
}
// The last loop of a row fetches what the next one reads first, and the first one
// what it writes.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.2(
// CHECK-COUNT-2: call void @llvm.prefetch.p0(ptr {{.*}}, i32 1, i32 3, i32 1)
// FAST-NOT: call void @llvm.prefetch
// FAST-COUNT-4: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
// FAST-NOT: call void @llvm.prefetch
void residual(long m, long n, float *restrict y, const float *restrict x,
              const float *restrict r) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] + r[i * n + j];
    for (long j = 0; j < n; j++)
      sum += y[i * n + j] * y[i * n + j];
    for (long j = 0; j < n; j++)
      y[i * n + j] /= sum;
  }
}
// Of a row in parts, channels here, the next is elsewhere.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.3(
// CHECK-NOT: call void @llvm.prefetch
// CHECK: call void @llvm.prefetch.p0(ptr {{.*}}, i32 1, i32 3, i32 1)
// CHECK-NOT: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0,
void groups(long m, long k, long n, float *restrict y,
            const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long c = 0; c < k; c++)
      for (long j = 0; j < n; j++)
        sum += x[(i * k + c) * n + j];
    for (long c = 0; c < k; c++)
      for (long j = 0; j < n; j++)
        y[(i * k + c) * n + j] = x[(i * k + c) * n + j] / sum;
  }
}
