// A count along rows, of which other sums are lanes, begins with zeros in all of its lanes.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu -march=skylake-avx512 -mprefer-vector-width=512 %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -passes='dl-vectorize,function(sroa),verify' 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.ll
float expf(float);

// REMARK: exact, iterations of i, j, j, j in 1 vectors of 16
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// CHECK-NOT: [ undef
// CHECK: phi <64 x i32> [ zeroinitializer
// CHECK-NOT: [ undef
// CHECK: ret { i32 }
void count(float *x, float *y, long m, long n, int *result) {
  int positive = 0;
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      x[i * n + j] -= 1;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j];
    for (long j = 0; j < n - 1; j++)
      positive += x[i * n + j] > 0;
    for (long j = 0; j < n; j++)
      x[i * n + j] = expf(y[i * n + j]) / sum;
  }
  *result = positive;
}
