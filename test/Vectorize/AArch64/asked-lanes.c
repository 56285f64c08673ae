// The library is asked for lanes by the bits of a number, the lowest one first. Where bytes
// are stored the other way round, the first lane of a mask is the highest bit of a number.
// RUN: env DLOPT_OPTIONS=libm=glibc-2.36 %clang_dl --target=aarch64_be-linux-gnu -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,BIG
// RUN: env DLOPT_OPTIONS=libm=glibc-2.36 %clang_dl --target=aarch64-linux-gnu -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,LITTLE
// CHECK-LABEL: define internal {{.*}}@dl.lanes.{{.*}}(
// CHECK:         [[MASK:%.*]] = bitcast <4 x i1> {{%.*}} to i4
// BIG:           call i4 @llvm.bitreverse.i4(i4 [[MASK]])
// LITTLE-NOT:    bitreverse
// CHECK:         @llvm.cttz.i64(
// CHECK:         call {{.*}}float @expf(float
float expf(float);
void exps(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}
