// What whole vectors of math functions leave: one vector under a mask where there are
// masked loads and stores, one by one elsewhere.
// RUN: %emit -fapprox-func -fno-math-errno --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -passes='dl-vectorize,verify,function(instsimplify,early-cse)' | FileCheck %s
// RUN: %emit -fapprox-func -fno-math-errno --target=x86_64-linux-gnu %s | %opt -S -passes='dl-vectorize,verify' | FileCheck %s --check-prefix=SSE --implicit-check-not=masked
#include <math.h>

// CHECK-LABEL: define {{.*}} @exponentials(
// CHECK: icmp sge i64 %n, 2
// SSE-LABEL: define {{.*}} @exponentials(
// SSE: icmp sge i64 %n, 4
void exponentials(long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < n; i++)
    c[i] = expf(a[i]);
}

// CHECK-LABEL: define internal {{.*}} @dl.lanes.map.f32.0(
// CHECK: i.x32.body:
// CHECK: load <32 x float>
// CHECK: store <32 x float>
// CHECK: i.x8.body:
// CHECK: %[[MASK:.*]] = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>,
// CHECK: %[[NEXT:.*]] = add i64 %i.x8, 8
// CHECK: %[[WHOLE:.*]] = icmp sle i64 %[[NEXT]], %n
// CHECK: br i1 %[[WHOLE]], label %[[LOAD:.*]], label %[[LOADMASKED:.*]]
// CHECK: [[LOAD]]:
// CHECK: load <8 x float>
// CHECK: [[LOADMASKED]]:
// CHECK: call <8 x float> @llvm.masked.load.v8f32.p0(ptr {{.*}}, <8 x i1> %[[MASK]], <8 x float> zeroinitializer)
// CHECK: br i1 %[[WHOLE]], label %[[STORE:.*]], label %[[STOREMASKED:.*]]
// CHECK: [[STORE]]:
// CHECK: store <8 x float>
// CHECK: [[STOREMASKED]]:
// CHECK: call void @llvm.masked.store.v8f32.p0(<8 x float> {{.*}}, ptr {{.*}}, <8 x i1> %[[MASK]])
// CHECK-NOT: load float
// CHECK: ret void
// SSE-LABEL: define internal {{.*}} @dl.lanes.map.f32.0(
// SSE: i.x1.body:
// SSE: load float
