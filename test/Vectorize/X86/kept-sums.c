// Elements that loops alone store, round after round, are locals of the lanes, too: these
// loops have a round each, which the guard tests. A row that fills no vector is one under a
// mask then.
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=schedules %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
float fmaxf(float, float);

// REMARK-DAG: conv2d f32, %rows x %n x %channels x %f x %f: exact, iterations of j in
// CHECK-LABEL: define {{.*}} @window(
// CHECK-DAG: icmp sge i64 %channels{{.*}}, 1
// CHECK-DAG: icmp sge i64 %f{{.*}}, 1
// CHECK: call void @dl.lanes.[[WINDOW:.*]](
void window(long n, long rows, long channels, long f, float *restrict y, const float *restrict x, const float *restrict w) {
  for (long r = 0; r < rows; r++)
    for (long i = 0; i < n; i++)
      for (long c = 0; c < channels; c++)
        for (long a = 0; a < f; a++)
          for (long b = 0; b < f; b++)
            y[r * n + i] += x[(c * rows + r + a) * (n + f) + i + b] * w[(c * f + a) * f + b];
}

// Another element of the row is read: one of the next column.
// CHECK-LABEL: define {{.*}} @neighbour(
// CHECK-NOT: call void @dl.lanes
// CHECK: ret void
void neighbour(long n, long rows, long f, float *restrict y, const float *restrict x) {
  for (long r = 0; r < rows; r++)
    for (long i = 0; i < n; i++)
      for (long a = 0; a < f; a++)
        y[r * n + i] += x[(r + a) * (n + f) + i] * y[(rows + r + a) * n + i + 1];
}

// In lanes of their own long rows are searched.
// REMARK-DAG: reduce f32, %m x %n: exact, iterations of i in
// CHECK-LABEL: define {{.*}} @greatest(
// CHECK: call void @dl.lanes.[[GREATEST:.*]](
void greatest(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      y[i] = fmaxf(y[i], x[i * n + j]);
}

// CHECK: define internal void @dl.lanes.[[WINDOW]](
// CHECK: k.header:
// CHECK-NOT: store
// CHECK: m.exit:
// CHECK-NOT: store
// CHECK: k.exit:
// CHECK: store <64 x float>
// CHECK: k.header{{[0-9]*}}:
// CHECK-NOT: store
// CHECK: k.exit{{[0-9]*}}:
// CHECK: call void @llvm.masked.store
// CHECK: define internal void @dl.lanes.[[GREATEST]](
// CHECK: equal.group:
