// How many rows of a row program are summed at once.
// DEFINE: %{cpu} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -S -o %t.ll -passes='dl-vectorize,verify' -pass-remarks=dl-vectorize %{cpu} 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,WIDE
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=GUARD
// REDEFINE: %{cpu} = -mattr=+avx2,+fma
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,AVX2

// What goes on with each row by itself, and writes it, leaves them as many as the lines
// of one array allow.
// WIDE: row-lanes.c:[[#@LINE+3]]:{{.*}} iterations of i, j in 1 vectors of 16
// AVX2: row-lanes.c:[[#@LINE+2]]:{{.*}} iterations of i, j in 1 vectors of 8
void norms(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j] * a[i * n + j];
    for (long j = 0; j < n; j++)
      c[i * n + j] = a[i * n + j] / s;
  }
}
// Two arrays have twice as many.
// CHECK: row-lanes.c:[[#@LINE+3]]:{{.*}} iterations of i, j in 1 vectors of 8
void gradients(long m, long n, const float *restrict a, const float *restrict b,
               float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j] * b[i * n + j];
    for (long j = 0; j < n; j++)
      c[i * n + j] = a[i * n + j] * (b[i * n + j] - s);
  }
}
// So has a row of several parts, channels here. Eight such rows are worth a call: what
// is inside counts.
// CHECK: row-lanes.c:[[#@LINE+7]]:{{.*}} iterations of i, k in 1 vectors of 8
// GUARD-LABEL: define {{.*}} @groups(
// GUARD: icmp uge i64 {{%.*}}, 256
// GUARD: [[ROWS:%.*]] = mul i64 %m, 4
// GUARD: [[ALL:%.*]] = mul i64 [[ROWS]], %n
// GUARD: icmp uge i64 [[ALL]], 32
void groups(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < 4; j++)
      for (long k = 0; k < n; k++)
        s += a[(i * 4 + j) * n + k] * a[(i * 4 + j) * n + k];
    for (long j = 0; j < 4; j++)
      for (long k = 0; k < n; k++)
        c[(i * 4 + j) * n + k] = a[(i * 4 + j) * n + k] / s;
  }
}
