// Reads at loaded indices, whose places no test knows: of what they may be stores
// to are told apart only the others, where nothing changes places with them.
// RUN: %emit -ffast-math -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
float expf(float), logf(float);

// REMARK-DAG: indirect-reads.c:[[#@LINE+14]]:{{.*}} cross-entropy f32, %m x %n: reassociated
// What is read along rows is told apart from what is written.
// CHECK-LABEL: define {{.*}} @loss(
// CHECK: %[[X:.*]] = ptrtoint ptr %x to i64
// CHECK: %[[Y:.*]] = ptrtoint ptr %y to i64
// CHECK: br i1 %{{.*}}, label %[[FAST:.*]], label %{{.*}}, !dl.guard
// CHECK: [[FAST]]:
// CHECK: call void @dl.lanes.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK: load <8 x float>
// CHECK: %[[LABEL:.*]] = load i32
// CHECK: load float
// CHECK: store float
void loss(long m, long n, const float *x, const int *label, float *y) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += expf(x[i * n + j]);
    y[i] = logf(sum) - x[i * n + label[i]];
  }
}
// The first store may be to what is read behind it.
// REMARK-DAG: indirect-reads.c:[[#@LINE+5]]:{{.*}} sum-of-exponentials f32, %n: reassociated
void stores(long m, long n, const float *x, const int *label, float *y,
            float *z) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += expf(x[i * n + j]);
    z[i] = sum;
    y[i] = logf(sum) - x[i * n + label[i]];
  }
}
// Read once, in front of the first round of the loop that stores.
// REMARK-DAG: indirect-reads.c:[[#@LINE+4]]:{{.*}} reduce f32, 9 x %n: reassociated
void ahead(long m, long n, const float *x, const int *label, float *y) {
  for (long i = 0; i < m; i++) {
    float first = x[label[i]];
    for (long k = 0; k < 9; k++) {
      float sum = 0;
      for (long j = 0; j < n; j++)
        sum += expf(x[(i * 9 + k) * n + j]);
      y[i * 9 + k] = sum - first;
    }
  }
}
// Where it is stored nothing tells.
// REMARK-DAG: indirect-reads.c:[[#@LINE+4]]:{{.*}} sum-of-exponentials f32, %n: reassociated
void scatter(long m, long n, const float *x, const int *label, float *y) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += expf(x[i * n + j]);
    y[label[i]] = sum - x[i * n + label[i]];
  }
}
// An index of an index, of which a row of lanes reads.
// REMARK-DAG: indirect-reads.c:[[#@LINE+5]]:{{.*}} sum-of-exponentials f32, %n: reassociated
void nested(long m, long n, const float *x, const unsigned *at,
            const int *label, const float *w, float *y) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += expf(x[i * n + j] + w[at[label[i]] % 8]);
    y[i] = sum;
  }
}
// What is stored is stored in lanes.
// REMARK-DAG: indirect-reads.c:[[#@LINE+2]]:{{.*}} left alone: the output overlaps an input in a way that no run-time test can separate: y
void lanes(long n, const float *x, const int *at, float *y) {
  for (long i = 0; i < n; i++)
    y[i] = x[at[i]] + expf(x[i]);
}
