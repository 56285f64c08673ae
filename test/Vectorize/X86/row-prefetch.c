// The next row is fetched in the loop of a row that has time for it.
// RUN: %emit --target=x86_64-linux-gnu -ffast-math %s | %opt -mattr=+avx2,+fma -passes='dl-vectorize,verify' -S | FileCheck %s
float expf(float);

// Two lines for each of the vectors that are read and written: x is in place.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}.f32.0(
// CHECK-NOT: call void @llvm.prefetch
// CHECK: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 3, i32 1)
// CHECK: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 3, i32 1)
// CHECK-NOT: call void @llvm.prefetch
void softmax(long m, long n, float *x) {
  for (long i = 0; i < m; i++) {
    float max = x[i * n], sum = 0;
    for (long j = 1; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (long j = 0; j < n; j++) {
      x[i * n + j] = expf(x[i * n + j] - max);
      sum += x[i * n + j];
    }
    for (long j = 0; j < n; j++)
      x[i * n + j] /= sum;
  }
}
// A single row has no next one, and one loop goes on by itself.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK-NOT: call void @llvm.prefetch
void exps(long n, float *x) {
  for (long j = 0; j < n; j++)
    x[j] = expf(x[j]);
}
void rows(long m, long n, float *x) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      x[i * n + j] = expf(x[i * n + j] + i);
}
// What the loops inside of another one read is at no place that is known here.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.generic.f32.0(
// CHECK-COUNT-2: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 1,
// CHECK-NOT: call void @llvm.prefetch
void weigh(const float *restrict q, const float *restrict k,
           const float *restrict v, float *restrict o, int n) {
  for (int h = 0; h < 12; h++) {
    float s[4096], m = -1e30f, sum = 0;
    for (int t = 0; t < n; t++) {
      float a = 0;
      for (int i = 0; i < 64; i++)
        a += q[h * 64 + i] * k[(h * n + t) * 64 + i];
      s[t] = a * 0.125f;
      if (s[t] > m)
        m = s[t];
    }
    for (int t = 0; t < n; t++) {
      s[t] = expf(s[t] - m);
      sum += s[t];
    }
    for (int i = 0; i < 64; i++) {
      float a = 0;
      for (int t = 0; t < n; t++)
        a += s[t] * v[(h * n + t) * 64 + i];
      o[h * 64 + i] = a / sum;
    }
  }
}
