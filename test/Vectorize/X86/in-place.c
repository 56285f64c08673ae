// An input that is the output: the kernel with both pointers as one has its own guard.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -pass-remarks-analysis=dl-vectorize \
// RUN:   -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -pass-remarks-analysis=dl-vectorize \
// RUN:   -passes='dl-vectorize' -dl-disable=in-place 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: where %
// OFF-NOT: icmp eq ptr %y, %x

// REMARK-DAG: in-place.c:[[#@LINE+12]]:{{.*}} relu f32, %n: exact, iterations of i in 4 vectors of 8, past the caches from {{.*}}, kernel number
// REMARK-DAG: in-place.c:[[#@LINE+11]]:{{.*}} relu f32, %n: exact, where %x is %y, iterations of i in 4 vectors of 8, kernel number
// CHECK-LABEL: define {{.*}} @relu(
// CHECK: br i1 {{.*}}, label %{{.*}}, label %dl.original
// CHECK: call {{.*}}@[[APART:dl.lanes.map.f32.[0-9]+]](ptr %y, ptr %x, i64 %n)
// CHECK: dl.original:
// CHECK: [[SAME:%.*]] = icmp eq ptr %y, %x
// CHECK: br i1 [[SAME]], label %{{.*}}, label %[[ORIGINAL:dl.original[0-9]+]],{{.*}} !prof
// CHECK: br i1 {{.*}}, label %{{.*}}, label %[[ORIGINAL]]
// CHECK: call {{.*}}@[[ONE:dl.lanes.map.f32.[0-9]+]](ptr %y, i64 %n)
// CHECK: load float, ptr
void relu(float *y, const float *x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] > 0 ? x[i] : 0;
}

// Either input may be the output, but not both.
// REMARK-DAG: in-place.c:[[#@LINE+3]]:{{.*}} add f32, %n: exact, where %x is %y,
// REMARK-DAG: in-place.c:[[#@LINE+2]]:{{.*}} add f32, %n: exact, where %z is %y,
void add(float *y, const float *x, const float *z, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] + z[i];
}

// REMARK-DAG: in-place.c:[[#@LINE+2]]:{{.*}} softmax f32, {{.*}} where %x is %y,
void softmax(float *y, const float *x, int m, int n) {
  for (int i = 0; i < m; i++) {
    float most = x[i * n], sum = 0;
    for (int j = 1; j < n; j++)
      if (x[i * n + j] > most)
        most = x[i * n + j];
    for (int j = 0; j < n; j++) {
      y[i * n + j] = __builtin_expf(x[i * n + j] - most);
      sum += y[i * n + j];
    }
    for (int j = 0; j < n; j++)
      y[i * n + j] /= sum;
  }
}

// A neighbour that the round before has overwritten.
// REMARK-DAG: in-place.c:[[#@LINE+2]]:{{.*}} left alone where %x is %y: recognized; {{no loop is known|no schedule}}
void previous(float *y, const float *x, long n) {
  for (long i = 0; i < n; i++)
    y[i + 1] = x[i + 1] - x[i];
}

// The first element of a row has changed when the others need it: rows stay loops.
// REMARK-DAG: in-place.c:[[#@LINE+3]]:{{.*}} %m x %n x %n: exact, iterations of i, j in 1 vectors of 8, kernel number
// REMARK-DAG: in-place.c:[[#@LINE+2]]:{{.*}} %m x %n x %n: exact, where %x is %y, iterations of i in 1 vectors of 8, kernel number
void first(float *y, const float *x, int m, int n) {
  for (int i = 0; i < m; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += x[i * n + j];
    for (int j = 0; j < n; j++)
      y[i * n + j] = (x[i * n + j] - x[i * n]) * sum;
  }
}

// Rows that are read are others than those that are written: one after the other.
// REMARK-DAG: in-place.c:[[#@LINE+2]]:{{.*}} %m x %n x %n: exact, where %x is %y, iterations of j in 4 vectors of 8, kernel number
void apart(float *y, const float *x, int m, int n, long ld) {
  for (int i = 0; i < m; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += x[i * ld + j];
    for (int j = 0; j < n; j++)
      y[i * (ld + 1) + j] = x[i * (ld + 1) + j] * sum;
  }
}

// What is updated is no place for an input.
// REMARK-NOT: where %x is %w
void update(float *w, float *m, const float *x, long n) {
  for (long i = 0; i < n; i++) {
    m[i] = 0.9f * m[i] + x[i];
    w[i] -= __builtin_sqrtf(m[i]);
  }
}
