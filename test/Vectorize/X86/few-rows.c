// Rows in lanes are several rows. Of fewer functions are in lanes along each row: the
// whole nest if that is possible, else loops inside.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize<dispatch=0>,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=row-lanes %opt -mattr=+avx2,+fma -disable-output -pass-remarks=dl-vectorize -passes='dl-vectorize<dispatch=0>,verify' 2>&1 | FileCheck %s --check-prefix=APART
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu %s | %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=REMARK
float expf(float), logf(float);

// REMARK-DAG: few-rows.c:[[#@LINE+5]]:{{.*}} logsumexp f32, %m x %n x %n: exact, iterations of i in {{[0-9]}} vectors
// REMARK-DAG: few-rows.c:[[#@LINE+4]]:{{.*}} exact, iterations of {{.*}}, functions in blocks
// APART: few-rows.c:[[#@LINE+3]]:{{.*}} exact, iterations of {{.*}}, functions in blocks
// APART-NOT: exact, iterations of i in
void logsumexp(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float max = -__builtin_inff(), sum = 0;
    for (long j = 0; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (long j = 0; j < n; j++)
      sum += expf(x[i * n + j] - max);
    y[i] = max + logf(sum);
  }
}
// CHECK-LABEL: define {{.*}} @logsumexp(
// CHECK: icmp sge i64 %m, 4
// CHECK: call void @[[ROWS:dl.lanes.reduce.f32.[0-9]+]](
// CHECK: call void @[[ROW:dl.lanes.reduce.f32.[0-9]+]](

// There are rows enough.
// REMARK-DAG: few-rows.c:[[#@LINE+6]]:{{.*}} logsumexp f32, 16 x %n x %n: exact, iterations of i in {{[0-9]}} vectors
// CHECK-LABEL: define {{.*}} @sixteen(
// CHECK-COUNT-1: call void @dl.lanes
// CHECK-NOT: call void @dl.lanes
// CHECK-LABEL: define {{.*}} @scaled(
void sixteen(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < 16; i++) {
    float max = -__builtin_inff(), sum = 0;
    for (long j = 0; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (long j = 0; j < n; j++)
      sum += expf(x[i * n + j] - max);
    y[i] = max + logf(sum);
  }
}

// Sums without functions are scalar along their row.
// CHECK-COUNT-1: call void @dl.lanes
// CHECK-NOT: call void @dl.lanes
// CHECK-LABEL: define {{.*}} @shifted(
void scaled(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j] * x[i * n + j];
    y[i] = sum;
  }
}

// A maximum has lanes along a row, too.
// REMARK-DAG: few-rows.c:[[#@LINE+3]]:{{.*}} exact, iterations of i in {{[0-9]}} vectors of {{[48]}}, kernel numbers
// REMARK-DAG: few-rows.c:[[#@LINE+2]]:{{.*}} exact, iterations of j in 4 vectors
void shifted(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float max = -__builtin_inff(), sum = 0;
    for (long j = 0; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j] - max;
    y[i] = sum;
  }
}
