// Maxima that are the same in any order LLVM's vectors share, a row at a time: lanes of
// rows are faster where these are short.
// clang 19 has no __builtin_elementwise_maximum.
// REQUIRES: llvm-20-or-later
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize<dispatch=0>,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
#define MAX(NAME, N)                                                                     \
  void NAME(long m, long n, float *restrict y, const float *restrict x) {                \
    for (long i = 0; i < m; i++) {                                                       \
      float s = y[i];                                                                    \
      for (long j = 0; j < N; j++)                                                       \
        s = __builtin_elementwise_maximum(s, x[i * N + j]);                              \
      y[i] = s;                                                                          \
    }                                                                                    \
  }
// CHECK-LABEL: define {{.*}} @any(
// CHECK: icmp sle i64 %n{{.*}}, 256
// CHECK: call void @dl.lanes.
MAX(any, n)
// REMARK-DAG: reduce f32, %m x 256: exact, iterations of i in
// CHECK-LABEL: define {{.*}} @most(
// CHECK: call void @dl.lanes.
MAX(most, 256)
// REMARK-DAG: left alone: recognized; LLVM's own loop vectorizer does the same
// CHECK-LABEL: define {{.*}} @more(
// CHECK-NOT: call void @dl.lanes.
// CHECK: ret void
MAX(more, 257)
// What is more than that row is in lanes of rows whatever its length is.
// REMARK-DAG: {{.*}}, %m x 257: exact, iterations of i in
// CHECK-LABEL: define {{.*}} @sum(
// CHECK: call void @dl.lanes.
void sum(long m, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float s = y[i], t = 0;
    for (long j = 0; j < 257; j++) {
      s = __builtin_elementwise_maximum(s, x[i * 257 + j]);
      t += x[i * 257 + j];
    }
    y[i] = s + t;
  }
}
