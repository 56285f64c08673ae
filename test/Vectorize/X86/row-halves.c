// Rows that whole vectors leave are lanes of one whose upper half ends with the
// last row: some rows are in both halves, and run at the same time in both. So
// that is right for whatever may run in lanes, in place, too.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -passes='dl-vectorize<dispatch=0>,verify,function(instsimplify,early-cse)' -S -o - | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -passes='dl-vectorize<dispatch=0>,verify,function(instsimplify,early-cse)' -S -o - | FileCheck %s --check-prefix=CROSS

float sqrtf(float);

// Two rows, if they are long.
// CHECK-LABEL: define {{.*}} @norm(
// CHECK: icmp sge i64 %m, 4
// CHECK: [[FEW:%.*]] = icmp sge i64 %m, 2
// CHECK: [[LONG:%.*]] = icmp uge i64 {{%.*}}, 256
// CHECK: and i1 [[FEW]], [[LONG]]
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// More than four rows are left: eight lanes.
// CHECK: [[LEFT:%.*]] = sub i64 %m, %i.rows
// CHECK: [[IS:%.*]] = icmp sge i64 [[LEFT]], 5
// CHECK: [[SOME:%.*]] = select i1 [[IS]], i64 8, i64
// CHECK: [[IS:%.*]] = icmp sge i64 [[LEFT]], 8
// CHECK: [[SIZE:%.*]] = select i1 [[IS]], i64 8, i64 [[SOME]]
// CHECK: [[HALF:%.*]] = lshr i64 [[SIZE]], 1
// CHECK: [[ROWS:%.*]] = call i64 @llvm.smin.i64(i64 [[LEFT]], i64 [[SIZE]])
// CHECK: [[BEHIND:%.*]] = add i64 %i.rows, [[HALF]]
// CHECK: [[LAST:%.*]] = sub i64 %m, [[HALF]]
// CHECK: call i64 @llvm.smin.i64(i64 [[BEHIND]], i64 [[LAST]])
// Each runs along itself once.
// CHECK: %i.row = phi i64 [ 0,
// CHECK: icmp slt i64 %i.row, [[ROWS]]
// CHECK: ret void
// CROSS-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CROSS: icmp sge i64 {{%.*}}, 5
// CROSS: call i64 @llvm.smin.i64(i64
// CROSS: call i64 @llvm.smin.i64(i64
// CROSS: ret void
void norm(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j] * x[i * n + j];
    float scale = 1 / sqrtf(sum / n + 1e-5f);
    for (long j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] * scale;
  }
}

// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK: call i64 @llvm.smin.i64(i64
// CHECK: ret void
void in_place(long m, long n, float *restrict x) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j] * x[i * n + j];
    float scale = 1 / sqrtf(sum / n + 1e-5f);
    for (long j = 0; j < n; j++)
      x[i * n + j] = x[i * n + j] * scale;
  }
}

// Sums that go on with what is there: neighbours of both halves are read, and
// then written.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK: [[UPPER:%.*]] = call i64 @llvm.smin.i64(i64
// CHECK: load <4 x float>, ptr
// CHECK: getelementptr float, ptr %y, i64 [[UPPER]]
// CHECK: load <4 x float>, ptr
// CHECK: store <4 x float>
// CHECK: store <4 x float>
// CHECK: ret void
void updates(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float sum = y[i];
    for (long j = 0; j < n; j++)
      sum += x[i * n + j];
    y[i] = sum;
  }
}

// A count of all rows goes on from one to the next: none is in two lanes.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK-NOT: llvm.smin
// CHECK: ret { i32 }
int counts(long m, long n, float *restrict y, const float *restrict x) {
  int positive = 0;
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j];
    for (long j = 0; j < n; j++)
      positive += x[i * n + j] > sum;
    y[i] = sum;
  }
  return positive;
}
