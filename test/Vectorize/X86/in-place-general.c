// Called in place, the function for two arrays runs where it does the same as one for
// one array, access by access.
// DEFINE: %{opt} = %opt -mattr=+avx2,+fma -S
// RUN: %emit --target=x86_64-linux-gnu %s | %{opt} -passes='dl-vectorize,verify' | FileCheck %s --check-prefix=CHECK
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
// CHECK-LABEL: define internal
void relu(float *y, const float *x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] > 0 ? x[i] : 0;
}

// WIDER-DAG: define internal {{.*}} @[[ROWS]].avx512(ptr {{[^,]*}}, ptr
// WIDER-DAG: define internal {{.*}} @[[ROWS]].avx2(ptr {{[^,]*}}, ptr
// WIDER-DAG: define internal {{.*}} @[[ROWS]].plain(ptr {{[^,]*}}, ptr
