// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -passes='dl-vectorize,verify,function(instsimplify,early-cse)'
// RUN: FileCheck %s --input-file=%t.ll
// A comparison keeps the first of what is equal. Of numbers that are never negative all of
// these have the same bits, so nobody asks for the place; of others it is kept.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// CHECK-NOT: best.group
// CHECK: i.x64.body:
// CHECK: call <64 x float> @llvm.fabs
// CHECK-NOT: best.group
// CHECK: ret
float loudest(float s, const float *a, long n) {
  for (long i = 0; i < n; i++) {
    float v = __builtin_fabsf(a[i]);
    s = v > s ? v : s;
  }
  return s;
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.1(
// CHECK: best.group
float first(float s, const float *a, long n) {
  for (long i = 0; i < n; i++)
    s = a[i] > s ? a[i] : s;
  return s;
}
