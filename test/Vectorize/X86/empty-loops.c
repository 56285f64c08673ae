// Loops that do nothing but count, whose last value is used: they have no children
// to look at. What stands beside them is taken.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -passes='function(sroa,early-cse),dl-prepare<all>,dl-vectorize,verify' | FileCheck %s

// CHECK-LABEL: define {{.*}} @few(
// CHECK-NOT: call void @dl.
// CHECK: store i32 %{{.*}}, ptr %out
void few(unsigned *out) {
  unsigned sum = 0;
  for (long i = 3; i > 0; i--)
    sum = sum + 1;
  *out = sum;
}

// CHECK-LABEL: define {{.*}} @rows(
// CHECK: call void @dl.lanes.
void rows(long m, long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j];
    y[i] = sum;
  }
}
