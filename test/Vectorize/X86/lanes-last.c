// Without masks, the last vector of a map with math functions ends where the map
// ends, and computes again what the one before it has; fewer elements than a
// vector has go one by one.
// RUN: %emit --target=x86_64-linux-gnu -ffast-math %s | %opt -S -passes='dl-vectorize,verify,function(instsimplify,early-cse)' | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu -ffast-math %s | %opt -S -passes='dl-vectorize,verify,function(instsimplify,early-cse)' | FileCheck %s
float expf(float);
void map(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.map.f32.0(
// CHECK: [[LAST:%.*]] = sub i64 %n, 4
// CHECK: [[FITS:%.*]] = icmp sge i64 [[LAST]], 0
// CHECK: [[END:%.*]] = select i1 [[FITS]], i64 %n, i64 %i.x{{[0-9]+}}
// CHECK: i.x4.header:
// CHECK: icmp slt i64 %i.x4, [[END]]
// CHECK: i.x4.body:
// CHECK: call i64 @llvm.smin.i64(i64 %i.x4, i64 [[LAST]])
// CHECK: load <4 x float>
// CHECK: store <4 x float>
// CHECK: i.x1.header:

// In place it would be computed twice.
void update(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] += expf(x[i]);
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.map.f32.1(
// CHECK-NOT: smin
// CHECK: ret void
