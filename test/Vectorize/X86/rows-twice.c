// Rows that whole vectors leave run once more with rows in front of them, as a
// vector that ends with the last one, where they read nothing that is written,
// or only what they have written before; else they run by smaller vectors, and
// one by one.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -passes='dl-vectorize<dispatch=0>,verify,function(instsimplify,early-cse)' -S -o - | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -passes='dl-vectorize<dispatch=0>,verify,function(instsimplify,early-cse)' -S -o - | FileCheck %s --check-prefix=CROSS

float sqrtf(float);

// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK: [[LEFT:%.*]] = sub i64 %m, %i.rows
// CHECK: [[HAS:%.*]] = icmp sge i64 %m, 8
// CHECK: [[MORE:%.*]] = icmp sgt i64 [[LEFT]], 4
// CHECK: [[IS:%.*]] = and i1 [[HAS]], [[MORE]]
// CHECK: [[SIZE:%.*]] = select i1 [[IS]], i64 8, i64
// CHECK: [[LAST:%.*]] = sub i64 %m, [[SIZE]]
// CHECK: [[AT:%.*]] = call i64 @llvm.smin.i64(i64 %i.rows, i64 [[LAST]])
// CHECK: [[DONE:%.*]] = sub i64 %i.rows, [[AT]]
// Along the row, those that have run are left out.
// CHECK: %i.row = phi i64 [ [[DONE]],
// CHECK: ret void
// CROSS-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CROSS: call i64 @llvm.smin.i64(i64 %i.rows, i64
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

// What is written is read before.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK-NOT: llvm.smin
// CHECK: ret void
// CROSS-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CROSS-NOT: llvm.smin
// CROSS: ret void
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

// What is read has been written in the same round: whole rows run twice.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK: call i64 @llvm.smin.i64(i64 %i.rows, i64
// CHECK: ret void
void shares(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++) {
      y[i * n + j] = x[i * n + j] * x[i * n + j];
      sum += y[i * n + j];
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] = y[i * n + j] / sum;
  }
}

// A sum goes on with what the round before has left there: not once more.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK-NOT: llvm.smin
// CHECK: ret void
void updates(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float sum = y[i];
    for (long j = 0; j < n; j++)
      sum += x[i * n + j];
    y[i] = sum;
  }
}
