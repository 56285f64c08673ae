// Flags let lanes share sums along the parts of a row; where these are short, lanes of
// rows are faster, which keep the order: where LLVM's loop of four vectors runs once, and there
// are eight rows.
// RUN: %emit -ffast-math -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize<dispatch=0>,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit -ffast-math -gline-tables-only --target=aarch64-linux-gnu %s | %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O3 -ffast-math -march=haswell --target=x86_64-linux-gnu -fpass-plugin=%plugin -Rpass=dl-vectorize -S -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CLANG

// REMARK-DAG: short-parts.c:[[#@LINE+8]]:{{.*}} f32, %m x %l x %n: exact, iterations of {{[a-z]}} in
// CLANG: short-parts.c:[[#@LINE+7]]:{{.*}} exact, iterations of
// CHECK-LABEL: define {{.*}} @any(
// CHECK: icmp sge i64 %m, 8
// CHECK: [[LEFT:%.*]] = sub i64 63, %n
// CHECK: icmp sge i64 [[LEFT]], 0
// CHECK: call void @dl.lanes.
void any(long l, long m, long n, float *restrict y, const float *restrict x) {
  for (long c = 0; c < m; c++) {
    float sum = 0;
    for (long i = 0; i < l; i++)
      for (long k = 0; k < n; k++)
        sum += x[(i * m + c) * n + k];
    y[c] = sum;
  }
}

// REMARK-DAG: short-parts.c:[[#@LINE+5]]:{{.*}} f32, %m x %l x 31: exact, iterations of {{[a-z]}} in
// CHECK-LABEL: define {{.*}} @short_ones(
// CHECK: call void @dl.lanes.
// CHECK-LABEL: define {{.*}} @long_ones(
void short_ones(long l, long m, float *restrict y, const float *restrict x) {
  for (long c = 0; c < m; c++) {
    float sum = 0;
    for (long i = 0; i < l; i++)
      for (long k = 0; k < 31; k++)
        sum += x[(i * m + c) * 31 + k];
    y[c] = sum;
  }
}

// REMARK-DAG: short-parts.c:[[#@LINE+4]]:{{.*}} f32, %m x %l x 80: left alone: recognized; LLVM's own loop vectorizer does the same
// CHECK-NOT: call void @dl.lanes.
// CHECK: ret void
void long_ones(long l, long m, float *restrict y, const float *restrict x) {
  for (long c = 0; c < m; c++) {
    float sum = 0;
    for (long i = 0; i < l; i++)
      for (long k = 0; k < 80; k++)
        sum += x[(i * m + c) * 80 + k];
    y[c] = sum;
  }
}

// Rows of one part are left to LLVM, whatever their length.
// REMARK-DAG: short-parts.c:[[#@LINE+4]]:{{.*}} f32, %m x 64: left alone: recognized; LLVM's own loop vectorizer does the same
// CHECK-LABEL: define {{.*}} @rows(
// CHECK-NOT: call void @dl.lanes.
void rows(long m, float *restrict y, const float *restrict x) {
  for (long c = 0; c < m; c++) {
    float sum = 0;
    for (long k = 0; k < 64; k++)
      sum += x[c * 64 + k];
    y[c] = sum;
  }
}

// Those of a loop inside are the same rows once more: one function runs them.
// CHECK-LABEL: define {{.*}} @groups(
// CHECK: call void @dl.lanes.
// CHECK-NOT: call void @dl.lanes.
// CHECK: ret void
void groups(int l, int m, int n, float *restrict y, const float *restrict x) {
  for (int i = 0; i < l; i++)
    for (int g = 0; g < m / 8; g++) {
      float sum = 0;
      for (int c = 0; c < 8; c++)
        for (int k = 0; k < n; k++)
          sum += x[(i * m + g * 8 + c) * n + k];
      y[i * (m / 8) + g] = sum;
    }
}
