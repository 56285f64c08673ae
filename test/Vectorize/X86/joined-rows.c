// Loops around rows are rows, too, where groups of them follow each other as rows do.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -passes='dl-vectorize<dispatch=0>,verify,function(instsimplify,early-cse)' -S -o - | FileCheck %s
// TEETH: row-lanes
float sqrtf(float);

// CHECK-LABEL: define {{.*}} @steps(
// CHECK: [[ROWS:%.*]] = mul i64 %b, %t
// CHECK: icmp sge i64 [[ROWS]], 4
// CHECK: call void @dl.lanes.[[STEPS:[^(]*]](
void steps(long b, long t, long n, float *restrict y, const float *restrict x) {
  for (long k = 0; k < b; k++)
    for (long i = 0; i < t; i++) {
      float sum = 0;
      for (long j = 0; j < n; j++)
        sum += x[(k * t + i) * n + j] * x[(k * t + i) * n + j];
      float scale = 1 / sqrtf(sum / n + 1e-5f);
      for (long j = 0; j < n; j++)
        y[(k * t + i) * n + j] = x[(k * t + i) * n + j] * scale;
    }
}

// CHECK-LABEL: define {{.*}} @groups(
// CHECK: [[ROWS:%.*]] = mul i64 %images, %g
// CHECK: icmp sge i64 [[ROWS]], 4
// CHECK: call void @dl.lanes.[[GROUPS:[^(]*]](
void groups(long images, long g, long n, float *restrict y,
            const float *restrict x, const float *restrict scales) {
  for (long k = 0; k < images; k++)
    for (long i = 0; i < g; i++) {
      float sum = 0;
      for (long j = 0; j < n; j++)
        sum += x[(k * g + i) * n + j];
      for (long j = 0; j < n; j++)
        y[(k * g + i) * n + j] = (x[(k * g + i) * n + j] - sum) * scales[i];
    }
}

// What is between two groups may be anything.
// CHECK-LABEL: define {{.*}} @apart(
// CHECK: icmp sge i64 %t, 4
// CHECK: call void @dl.lanes.
void apart(long b, long t, long n, long ld, float *restrict y,
           const float *restrict x) {
  for (long k = 0; k < b; k++)
    for (long i = 0; i < t; i++) {
      float sum = 0;
      for (long j = 0; j < n; j++)
        sum += x[k * ld + i * n + j];
      y[k * t + i] = sum;
    }
}

// Channels that are divided into groups: that leaves nothing.
// CHECK-LABEL: define {{.*}} @divided(
// CHECK: [[SIZE:%.*]] = sdiv i64 %c, %g
// CHECK: [[ROWS:%.*]] = mul i64 %images, %g
// CHECK: icmp sge i64 [[ROWS]], 4
// CHECK: call void @dl.lanes.
void divided(long images, long c, long g, long n, float *restrict y,
             const float *restrict x) {
  long size = c / g;
  for (long k = 0; k < images; k++)
    for (long i = 0; i < g; i++) {
      float sum = 0;
      for (long l = 0; l < size; l++)
        for (long j = 0; j < n; j++)
          sum += x[(k * c + i * size + l) * n + j];
      y[k * g + i] = sum;
    }
}

// What is read inside is read only where each loop runs.
// CHECK-LABEL: define {{.*}} @from(
// CHECK: icmp sge i64 %t, 4
// CHECK: icmp sgt i64 %b, 0
// CHECK: icmp sgt i64 %t, 0
// CHECK: load ptr, ptr %p
// CHECK: call void @dl.lanes.
void from(long b, long t, long n, float *const *p, float *restrict y) {
  for (long k = 0; k < b; k++)
    for (long i = 0; i < t; i++) {
      const float *x = *p;
      float sum = 0;
      for (long j = 0; j < n; j++)
        sum += x[(k * t + i) * n + j];
      y[k * t + i] = sum;
    }
}

// The scale of a row is that of its group: its number is divided once a row.
// CHECK: define internal void @dl.lanes.[[STEPS]](
// CHECK-NOT: {{[us](div|rem) i64}}
// CHECK: define internal void @dl.lanes.[[GROUPS]](
// CHECK: .row.body:
// CHECK: {{[us]}}rem i64
// CHECK: k.x32.header:
