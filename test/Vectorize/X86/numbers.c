// The greatest number along a row, by fmax without flags: in lanes, in any order. Where
// that is a zero, the one is looked up that scalar code keeps.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// On AArch64 an instruction knows the sign of zeros, but not each NaN.
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -passes=dl-vectorize | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: equal.group
float fmaxf(float, float), fminf(float, float);

// REMARK-DAG: numbers.c:[[#@LINE+19]]:{{.*}} max f32, %n: exact, iterations of i in 4 vectors of 8
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// A start that is none gives way to the first number.
// CHECK: [[ORD:%.*]] = fcmp ord float %s, %s
// CHECK: [[SEED:%.*]] = select i1 [[ORD]], float %s, float 0xFFF0000000000000
// CHECK: i.x64.body:
// CHECK: [[V:%.*]] = load <64 x float>
// CHECK: [[GREATER:%.*]] = fcmp ogt <64 x float> [[V]], %best
// CHECK: select <64 x i1> [[GREATER]], <64 x float> [[V]], <64 x float> %best
// CHECK: [[ZERO:%.*]] = fcmp oeq float [[GREATEST:%.*]], 0.000000e+00
// CHECK: [[NONE:%.*]] = xor i1 [[ORD]], true
// CHECK: [[LEAST:%.*]] = fcmp oeq float [[GREATEST]], 0xFFF0000000000000
// CHECK: [[UNKNOWN:%.*]] = and i1 [[NONE]], [[LEAST]]
// CHECK: or i1 [[ZERO]], [[UNKNOWN]]
// CHECK: equal.group:
// CHECK: fcmp oeq <64 x float>
// CHECK: equal.found:
// CHECK: @llvm.cttz.i64(
float greatest(float s, const float *a, long n) {
  for (long i = 0; i < n; i++)
    s = fmaxf(s, a[i]);
  return s;
}
// The last one of those that compare equal.
// REMARK-DAG: numbers.c:[[#@LINE+7]]:{{.*}} min f32, %n: exact, iterations of i in 4 vectors of 8
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.1(
// CHECK: fcmp olt <64 x float>
// CHECK: equal.group:
// CHECK: @llvm.smax.i64(i64 %equal, i64 0)
// CHECK: @llvm.ctlz.i64(
float least(float s, const float *a, long n) {
  for (long i = 0; i < n; i++)
    s = fminf(a[i], s);
  return s;
}
// Rows, where LLVM's vectors stay away from what is left.
// REMARK-DAG: numbers.c:[[#@LINE+6]]:{{.*}} max f32, %m x %n: exact, iterations of i in 1 vectors of 8
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.2(
// CHECK: icmp sge i64 %n, 64
// CHECK: j.body:
// CHECK: br label %j.header, {{.*}}!llvm.loop
void rows(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = -3e38f;
    for (long j = 0; j < n; j++)
      s = fmaxf(s, a[i * n + j]);
    c[i] = s;
  }
}
// What is computed with roundings is not computed twice.
// REMARK-DAG: numbers.c:[[#@LINE+2]]:{{.*}} left alone: recognized; exact results need reductions in the order of the source (-ffast-math or fp=fast permits another)
float squares(float s, const float *a, long n) {
  for (long i = 0; i < n; i++)
    s = fmaxf(s, a[i] * a[i]);
  return s;
}
