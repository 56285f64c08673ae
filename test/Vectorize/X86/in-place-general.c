// Called in place, the function for two arrays runs where it does the same as one for
// one array, access by access.
// DEFINE: %{opt} = %opt -mattr=+avx2,+fma -S
// RUN: %emit --target=x86_64-linux-gnu %s | %{opt} -passes='dl-vectorize,verify' | FileCheck %s --check-prefix=CHECK
// What whole vectors leave is code of its own.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -S -passes='dl-vectorize,verify' | FileCheck %s --check-prefix=NARROW
// With code for wider vectors, too: each is compared with its own.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -S -passes='dl<O3>,verify' | FileCheck %s --check-prefix=WIDER

// One of the arguments occurs twice; lines that are asked for make no difference.
// CHECK-LABEL: define {{.*}} @norm(
// CHECK: call {{.*}}@[[ROWS:dl.lanes.reduce.f32.[0-9]+]](ptr {{.*}}[[X:%x[a-z0-9.]*]], ptr {{.*}}[[Y:%y[a-z0-9.]*]], i64
// CHECK: call {{.*}}@[[ROWS]](ptr {{.*}}[[Y]], ptr {{.*}}[[Y]], i64
// WIDER-LABEL: define {{.*}} @norm(
// WIDER: call {{.*}}@[[ROWS:dl.lanes.reduce.f32.[0-9]+]](ptr
// WIDER: call {{.*}}@[[ROWS]](ptr
void norm(long m, long n, float *y, const float *x) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j] * x[i * n + j];
    for (long j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] / sum;
  }
}

// What is written for one array has code of its own, which asks for no lines.
// CHECK-LABEL: define {{.*}} @alone(
// CHECK-NOT: @[[ROWS]](
// CHECK: call {{.*}}@dl.lanes.reduce.f32.{{[0-9]+}}(ptr {{[^,]*}}, i64
void alone(long m, long n, float *x) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j] * x[i * n + j];
    for (long j = 0; j < n; j++)
      x[i * n + j] /= sum;
  }
}

// Two arrays have stores past the caches, which are other steps.
// CHECK-LABEL: define {{.*}} @relu(
// CHECK: call {{.*}}@[[APART:dl.lanes.map.f32.[0-9]+]](ptr
// CHECK-NOT: @[[APART]](
// CHECK: call {{.*}}@dl.lanes.map.f32.{{[0-9]+}}(ptr {{[^,]*}}, i64
void relu(float *y, const float *x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] > 0 ? x[i] : 0;
}


// Where an array has parts behind the one that may be the output, these are arrays
// of their own, in place and otherwise.
// CHECK-LABEL: define {{.*}} @parts(
// CHECK: call {{.*}}@[[PARTS:dl.lanes.reduce.f32.[0-9]+]](ptr {{.*}}[[X:%x[a-z0-9.]*]], ptr {{.*}}[[Y:%y[a-z0-9.]*]], ptr {{.*}}%{{[a-z.]*fr[0-9]*}}, i64
// CHECK: call {{.*}}@[[PARTS]](ptr {{.*}}[[Y]], ptr {{.*}}[[Y]], ptr {{.*}}%{{[a-z.]*fr[0-9]*}}, i64
void parts(long m, long n, float *y, const float *x) {
  const float *scale = x + m * n;
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j];
    for (long j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] * sum * scale[j];
  }
}

// What comes first, as loops in blocks do in place, runs by what comes behind it.
// CHECK-LABEL: define {{.*}} @exponentials(
// CHECK: call {{.*}}@[[EXP:dl.lanes.map.f32.[0-9]+]](ptr {{.*}}[[Y:%y[a-z0-9.]*]], ptr {{.*}}[[X:%x[a-z0-9.]*]], ptr
// CHECK: call {{.*}}@[[EXP]](ptr {{.*}}[[Y]], ptr {{.*}}[[Y]], ptr
// CHECK-LABEL: define {{.*}} @logs(
float expf(float);
void exponentials(long m, long n, float *y, const float *x) {
  for (long i = 0; i < m; i++) {
    float max = x[i * n], sum = 0;
    for (long j = 0; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (long j = 0; j < n; j++) {
      y[i * n + j] = expf(x[i * n + j] - max);
      sum += y[i * n + j];
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] /= sum;
  }
}

// Vectors that end with the last element are only where functions are computed, of
// elements that the loop does not write: in place as otherwise.
// NARROW-LABEL: define {{.*}} @logs(
// NARROW: call {{.*}}@[[LOGS:dl.lanes.reduce.f32.[0-9]+]](ptr {{.*}}[[X:%x[a-z0-9.]*]], ptr {{.*}}[[Y:%y[a-z0-9.]*]], i64
// NARROW: call {{.*}}@[[FEW:dl.lanes.reduce.f32.[0-9]+]](ptr {{.*}}[[X]], ptr {{.*}}[[Y]], i64
// NARROW: call {{.*}}@[[LOGS]](ptr {{.*}}[[Y]], ptr {{.*}}[[Y]], i64
// NARROW: call {{.*}}@[[FEW]](ptr {{.*}}[[Y]], ptr {{.*}}[[Y]], i64
// NARROW-LABEL: define internal
float logf(float);
void logs(long m, long n, float *y, const float *x) {
  for (long i = 0; i < m; i++) {
    float max = x[i * n], sum = 0;
    for (long j = 0; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (long j = 0; j < n; j++)
      sum += expf(x[i * n + j] - max);
    float shift = max + logf(sum);
    for (long j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] - shift;
  }
}

// WIDER-DAG: define internal {{.*}} @[[ROWS]].avx512(ptr {{[^,]*}}, ptr
// WIDER-DAG: define internal {{.*}} @[[ROWS]].avx2(ptr {{[^,]*}}, ptr
// WIDER-DAG: define internal {{.*}} @[[ROWS]].plain(ptr {{[^,]*}}, ptr
