// A vector times a matrix, row by row as in BLAS's gemv: LLVM's loop reads each
// element once as it lies, so a product that would copy the matrix, for the sake of
// the vector's factors or distances, gains nothing.
// RUN: %clang_dl --target=x86_64-linux-gnu -march=haswell -O3 -c %s -o /dev/null -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -Rpass-missed=dl-vectorize 2>&1 | FileCheck %s
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o - -passes=dl-vectorize | FileCheck %s --check-prefix=ROWS
// REQUIRES: x86-registered-target
#define ROWS                                                                   \
  for (long j = 0; j < n; j++)                                                 \
    for (long i = 0; i < m; i++)

// CHECK-DAG: streamed-matrix.c:[[@LINE+3]]:{{.*}}: remark: {{.*}}left alone: recognized; LLVM's own loop vectorizer does the same
void scaled(long m, long n, float alpha, const float *a, long lda,
            const float *x, float *y) {
  for (long j = 0; j < n; j++) {
    float t = alpha * x[j];
    for (long i = 0; i < m; i++)
      y[i] += t * a[j * lda + i];
  }
}
// CHECK-DAG: streamed-matrix.c:[[@LINE+3]]:{{.*}}: remark: {{.*}}left alone: recognized; LLVM's own loop vectorizer does the same
void steps_of_x(long m, long n, const float *a, long lda, const float *x,
                long incx, float *y) {
  ROWS y[i] += x[j * incx] * a[j * lda + i];
}
// CHECK-DAG: streamed-matrix.c:[[@LINE+3]]:{{.*}}: remark: {{.*}}left alone: recognized; LLVM's own loop vectorizer does the same
void steps_of_y(long m, long n, const float *a, long lda, const float *x,
                float *y, long incy) {
  ROWS y[i * incy] += x[j] * a[j * lda + i];
}
// What is read in place gains, and so does what LLVM reads across rows.
// CHECK-DAG: streamed-matrix.c:[[@LINE+3]]:{{.*}}: remark: vecmat f32
void in_place(long m, long n, const float *a, long lda, const float *x,
              float *y) {
  ROWS y[i] += x[j] * a[j * lda + i];
}
// CHECK-DAG: streamed-matrix.c:[[@LINE+3]]:{{.*}}: remark: vecmat f32
void across(long m, long n, float alpha, const float *a, long lda,
            const float *x, float *y) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += alpha * x[j] * a[j * lda + i];
    y[i] = s;
  }
}
// Several rows of results use the copy again: two at least.
// ROWS-LABEL: define {{.*}} @matrix(
// ROWS: icmp uge i64 %{{r.*}}, 2
// ROWS: call {{.*}}@dl.matmul
// CHECK-DAG: streamed-matrix.c:[[@LINE+3]]:{{.*}}: remark: matmul.nn f32
void matrix(long r, long m, long n, float alpha, const float *a, long lda,
            const float *x, float *y) {
  for (long k = 0; k < r; k++)
    ROWS y[k * m + i] += alpha * x[k * n + j] * a[j * lda + i];
}
