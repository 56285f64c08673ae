// What is searched is fetched ahead.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -S -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq -passes='dl-vectorize,verify,function(instsimplify,early-cse)' | FileCheck %s
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -S -passes=dl-vectorize | FileCheck %s --check-prefix=NARROW --implicit-check-not=prefetch
// NARROW: define internal {{.*}} @dl.lanes.reduce.f32.0(

// A search of rows that lie apart goes on with the next one.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// CHECK: [[GAP:%.*]] = sub i64 %apart, %n
// CHECK: [[NEAR:%.*]] = icmp eq i64 [[GAP]], 0
// CHECK: [[ROW:%.*]] = call i64 @llvm.smin.i64(i64 512, i64 %n)
// CHECK: [[AHEAD:%.*]] = select i1 [[NEAR]], i64 512, i64 [[ROW]]
// CHECK: j.x128.body:
// CHECK: [[NEXT:%.*]] = add i64 {{.*}}, [[AHEAD]]
// CHECK: [[INSIDE:%.*]] = icmp slt i64 [[NEXT]], %n
// CHECK: [[LATER:%.*]] = add i64 [[NEXT]], [[GAP]]
// CHECK: select i1 [[INSIDE]], i64 [[NEXT]], i64 [[LATER]]
// CHECK-COUNT-8: call void @llvm.prefetch.p0(
// CHECK: load <128 x float>
void greatest(long m, long n, long apart, const float *restrict a,
              float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = -3;
    for (long j = 0; j < n; j++)
      s = a[i * apart + j] > s ? a[i * apart + j] : s;
    c[i] = s;
  }
}
