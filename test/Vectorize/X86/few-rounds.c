// Nests of few rounds are done before a call has begun: a test in front of all others
// leaves them alone, or nothing is generated where extents are known.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes='dl-vectorize,verify,function(instsimplify)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK

// CHECK-LABEL: define {{.*}}@row_sum(
// CHECK: icmp uge i64 {{%.*}}, 256
// CHECK: [[ROUNDS:%.*]] = mul i64 %m, %n
// CHECK: icmp uge i64 [[ROUNDS]], 32
// CHECK: br i1 {{.*}}, label %dl.guard, label %dl.original
// REMARK-DAG: few-rounds.c:[[#@LINE+2]]:{{.*}} sum f32, %m x %n: exact
void row_sum(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    c[i] = s;
  }
}
// Tiles of a transpose take longer to start.
// CHECK-LABEL: define {{.*}}@transpose(
// CHECK: [[TILE:%.*]] = mul i64 {{%[mn], %[mn]}}
// CHECK: icmp uge i64 [[TILE]], 256
// CHECK: br i1 {{.*}}, label %dl.guard, label %dl.original
void transpose(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[j * m + i] = a[i * n + j];
}
// REMARK-DAG: few-rounds.c:[[#@LINE+2]]:{{.*}} left alone: the extents are too small to pay
void tiny_transpose(const float *restrict a, float *restrict c) {
  for (long i = 0; i < 8; i++)
    for (long j = 0; j < 4; j++)
      c[j * 8 + i] = a[i * 4 + j];
}
// REMARK-DAG: few-rounds.c:[[#@LINE+2]]:{{.*}} transpose f32, 16 x 8: exact
void small_transpose(const float *restrict a, float *restrict c) {
  for (long i = 0; i < 16; i++)
    for (long j = 0; j < 8; j++)
      c[j * 16 + i] = a[i * 8 + j];
}
// Rows of three elements, which LLVM's vectors take apart, and of four.
// REMARK-DAG: few-rounds.c:[[#@LINE+2]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void groups(long m, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < 3; j++)
      c[j * m + i] = a[i * 3 + j];
}
// REMARK-DAG: few-rounds.c:[[#@LINE+2]]:{{.*}} f32, %m x 4: exact
void rows_of_four(long m, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < 4; j++)
      c[j * m + i] = a[i * 4 + j];
}
// What blocks of four leave is three iterations, which fill no vector: no lanes of the
// nest, all of whose loops would wait for eight of them. The loop by itself may be longer.
void rest_of_blocks(long m, long n, long w, const signed char *restrict a,
                    const signed char *restrict b, int *restrict c) {
  for (long i = 0; i < m; i++) {
    long j = 0;
    for (; j < n - 3; j += 4) {
      int s0 = 0, s1 = 0, s2 = 0, s3 = 0;
      for (long k = 0; k < w; k++) {
        s0 += a[(i * w + k) * n + j] * b[k * n + j];
        s1 += a[(i * w + k) * n + j + 1] * b[k * n + j + 1];
        s2 += a[(i * w + k) * n + j + 2] * b[k * n + j + 2];
        s3 += a[(i * w + k) * n + j + 3] * b[k * n + j + 3];
      }
      c[i * n + j] = s0;
      c[i * n + j + 1] = s1 * 2;
      c[i * n + j + 2] = s2 * 3;
      c[i * n + j + 3] = s3 * 4;
    }
    // REMARK-DAG: few-rounds.c:[[#@LINE+1]]:{{.*}} dot i32, %n - %{{.*}} x %w: exact
    for (; j < n; j++) {
      int s = 0;
      for (long k = 0; k < w; k++)
        s += a[(i * w + k) * n + j] * b[k * n + j];
      c[i * n + j] = s * 5;
    }
  }
}
