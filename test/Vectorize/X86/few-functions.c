// Functions that the library evaluates in double take as long for a vector as for six
// numbers: shorter loops stay as they are. Those of float are worth a vector from two on.
// RUN: %clang -O3 -Xclang -disable-llvm-passes --target=x86_64-linux-gnu -fno-discard-value-names -S -emit-llvm -o %t.ll %s
// RUN: %opt %t.ll -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma -S -passes='dl-prepare<all>,dl-vectorize,function(instsimplify,early-cse)' | FileCheck %s
// RUN: %opt %t.ll -S -passes='dl-prepare<all>,dl-vectorize,function(instsimplify,early-cse)' | FileCheck %s
float logf(float), tanhf(float);

// CHECK-LABEL: define {{.*}} @map(
// CHECK: icmp sge i64 %n, 6
// CHECK: call {{.*}}@dl.lanes
void map(long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i++)
    y[i] = logf(x[i]);
}
// CHECK-LABEL: define {{.*}} @sums(
// CHECK: icmp sge i64 %n, 6
// CHECK: call {{.*}}@dl.lanes
void sums(long m, long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += logf(x[i * n + j]);
    y[i] = sum;
  }
}
// CHECK-LABEL: define {{.*}} @of_float(
// CHECK-NOT: icmp sge i64 %n, 6
// CHECK: call {{.*}}@dl.lanes
void of_float(long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i++)
    y[i] = tanhf(x[i]);
}
