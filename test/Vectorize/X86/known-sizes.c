// Products of known sizes that LLVM, which unrolls the inner loops, vectorizes as well
// or better: narrow ones, and such that are done before a call has begun.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes=dl-vectorize 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks
// Sums that may be reordered: a quarter of a vector of columns is left alone.
// RUN: %emit -ffast-math --target=x86_64-linux-gnu %s | %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq -S -o - -passes=dl-vectorize | FileCheck %s --check-prefix=FAST
#define PRODUCT(NAME, M, N, K, A, B)                                           \
  void NAME(const float *restrict a, const float *restrict b,                  \
            float *restrict c) {                                               \
    for (long i = 0; i < M; i++)                                               \
      for (long j = 0; j < N; j++) {                                           \
        float s = 0;                                                           \
        for (long k = 0; k < K; k++)                                           \
          s += a[A] * b[B];                                                    \
        c[i * N + j] = s;                                                      \
      }                                                                        \
  }

// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} left alone: the extents are too small to pay
PRODUCT(tiny, 3, 3, 3, i * 3 + k, k * 3 + j)
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} matmul.nn f32, 4 x 4 x 4: exact
PRODUCT(small, 4, 4, 4, i * 4 + k, k * 4 + j)
// Operands that are copied pay later.
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} left alone: the extents are too small to pay
PRODUCT(tiny_nt, 5, 6, 7, i * 7 + k, j * 7 + k)
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} matmul.nt f32, 4 x 8 x 8: exact
PRODUCT(small_nt, 4, 8, 8, i * 8 + k, j * 8 + k)
// Two columns: LLVM has rows in lanes.
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
PRODUCT(narrow_tn, 64, 2, 16, k * 64 + i, k * 2 + j)
// Eight, and few rows that fill no vector; not many.
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
PRODUCT(eight_tn, 128, 8, 8, k * 128 + i, k * 8 + j)
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
PRODUCT(rest_tn, 250, 3, 3, k * 250 + i, k * 3 + j)
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} matmul.tn f32, 31 x 5 x 8: exact
PRODUCT(scalar_tn, 31, 5, 8, k * 31 + i, k * 5 + j)
// That reads A far apart.
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} matmul.nn f32, 64 x 2 x 16: exact
PRODUCT(narrow_nn, 64, 2, 16, i * 16 + k, k * 2 + j)
// One row: few vectors of products, and more.
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
PRODUCT(row, 1, 16, 16, k, k * 16 + j)
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} f32, {{.*}}32 x 32: exact
PRODUCT(long_row, 1, 32, 32, k, k * 32 + j)
// Many rows of three elements, with one vector.
// CHECK-DAG: known-sizes.c:[[#@LINE+3]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void short_rows(const float *restrict a, const float *restrict b,
                float *restrict c) {
  for (long i = 0; i < 256; i++) {
    float s = 0;
    for (long k = 0; k < 3; k++)
      s += a[i * 3 + k] * b[k];
    c[i] = s;
  }
}

// Sums in memory: of which few are unrolled, or rows of them innermost.
#define UPDATE(NAME, N, K, OUTER, INNER)                                       \
  void NAME(const float *restrict a, const float *restrict b,                  \
            float *restrict c) {                                               \
    for (long i = 0; i < 64; i++)                                              \
      OUTER INNER c[i * N + j] += a[i * K + k] * b[k * N + j];                 \
  }
#define OVER(I, N) for (long I = 0; I < N; I++)
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
UPDATE(update, 2, 2, OVER(j, 2), OVER(k, 2))
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} f32, 64 x 3 x 3: exact
UPDATE(chains, 3, 3, OVER(j, 3), OVER(k, 3))
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
UPDATE(rows, 3, 3, OVER(k, 3), OVER(j, 3))
// CHECK-DAG: known-sizes.c:[[#@LINE+1]]:{{.*}} f32, 64 x 5 x 3: exact
UPDATE(longer_rows, 3, 5, OVER(k, 5), OVER(j, 3))

// CHECK-DAG: known-sizes.c:[[#@LINE+7]]:{{.*}} matmul.nt f32, %m x %n x %l: exact
// FAST-LABEL: define {{.*}}@any_nt(
// FAST: icmp uge i64 {{%n.*}}, 5
// FAST-LABEL: define {{.*}}@any_nn(
// FAST: icmp uge i64 {{%n.*}}, 2
void any_nt(long m, long n, long l, const float *restrict a,
            const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < l; k++)
        s += a[i * l + k] * b[j * l + k];
      c[i * n + j] = s;
    }
}
void any_nn(long m, long n, long l, const float *restrict a,
            const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < l; k++)
        s += a[i * l + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
