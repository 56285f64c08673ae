// Flat, variable-length and constant arrays; rows wider than what is used.
//
// RUN: %clang --target=x86_64-linux-gnu -march=haswell -O3 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

#define UNTIL(X, END) for (int X = 0; X < END; X++)

// CHECK-LABEL: define {{.*}}@flat(
// CHECK:         call void @dl.matmul.nn.f32.0(
void flat(int m, int n, int k, const float *a, const float *b, float *c) {
  UNTIL(i, m) UNTIL(j, n) {
    float sum = 0;
    UNTIL(l, k) sum += a[i * k + l] * b[l * n + j];
    c[i * n + j] = sum;
  }
}

// CHECK-LABEL: define {{.*}}@leading_dimensions(
// CHECK:         call void @dl.matmul.nn.f32.0(
void leading_dimensions(int m, int n, int k, const float *a, int lda,
                        const float *b, int ldb, float *c, int ldc) {
  UNTIL(i, m) UNTIL(j, n) {
    float sum = 0;
    UNTIL(l, k) sum += a[i * lda + l] * b[l * ldb + j];
    c[i * ldc + j] = sum;
  }
}

// CHECK-LABEL: define {{.*}}@variable_length(
// CHECK:         call void @dl.matmul.nn.f32.0(
void variable_length(int m, int n, int k, float a[m][k], float b[k][n],
                     float c[m][n]) {
  UNTIL(i, m) UNTIL(j, n) {
    float sum = 0;
    UNTIL(l, k) sum += a[i][l] * b[l][j];
    c[i][j] = sum;
  }
}

// CHECK-LABEL: define {{.*}}@variable_length_memory(
// CHECK:         call void @dl.matmul.nn.f32.0(
void variable_length_memory(__SIZE_TYPE__ m, __SIZE_TYPE__ n, __SIZE_TYPE__ k,
                            float a[m][k], float b[k][n], float c[m][n]) {
  for (__SIZE_TYPE__ i = 0; i < m; i++)
    for (__SIZE_TYPE__ l = 0; l < k; l++)
      for (__SIZE_TYPE__ j = 0; j < n; j++)
        c[i][j] += a[i][l] * b[l][j];
}

// CHECK-LABEL: define {{.*}}@variable_rows(
// CHECK:         call void @dl.matmul.nn.f32.0(
void variable_rows(int m, int n, int k, int lda, const float (*a)[lda], int ldb,
                   const float (*b)[ldb], int ldc, float (*c)[ldc]) {
  UNTIL(i, m) UNTIL(j, n) {
    c[i][j] = 0;
    UNTIL(l, k) c[i][j] += a[i][l] * b[l][j];
  }
}

// CHECK-LABEL: define {{.*}}@constant(
// CHECK:         call void @dl.matmul.nn.f32.0(
void constant(float a[100][300], float b[300][200], float c[100][200]) {
  UNTIL(i, 100) UNTIL(j, 200) {
    float sum = 0;
    UNTIL(l, 300) sum += a[i][l] * b[l][j];
    c[i][j] = sum;
  }
}

// CHECK-LABEL: define {{.*}}@constant_memory(
// CHECK:         call void @dl.matmul.nn.f32.0(
void constant_memory(float a[100][300], float b[300][200], float c[100][200]) {
  UNTIL(i, 100) UNTIL(l, 300) UNTIL(j, 200) c[i][j] += a[i][l] * b[l][j];
}

// Part of each row.
//
// CHECK-LABEL: define {{.*}}@constant_rows(
// CHECK:         call void @dl.matmul.nn.f32.0(
void constant_rows(int m, int n, int k, float a[][512], float b[][512],
                   float c[][512]) {
  UNTIL(i, m) UNTIL(j, n) {
    float sum = 0;
    UNTIL(l, k) sum += a[i][l] * b[l][j];
    c[i][j] = sum;
  }
}

// Global arrays cannot overlap.
//
// CHECK-LABEL: define {{.*}}@global_arrays(
// CHECK:         call void @dl.matmul.nn.f32.0(
float ga[64][96], gb[96][128], gc[64][128];
void global_arrays(void) {
  UNTIL(i, 64) UNTIL(j, 128) {
    gc[i][j] = 0;
    UNTIL(l, 96) gc[i][j] += ga[i][l] * gb[l][j];
  }
}

// A local array between two products; the second reads what the first wrote.
//
// CHECK-LABEL: define {{.*}}@local_arrays(
// CHECK:         call void @dl.matmul.nn.f32.0(
// CHECK:         call void @dl.matmul.nn.f32.0(
void local_arrays(float a[32][48], float b[48][64], float d[64][16],
                  float out[32][16]) {
  float t[32][64];
  UNTIL(i, 32) UNTIL(j, 64) {
    float sum = 0;
    UNTIL(l, 48) sum += a[i][l] * b[l][j];
    t[i][j] = sum;
  }
  UNTIL(i, 32) UNTIL(j, 16) {
    float sum = 0;
    UNTIL(l, 64) sum += t[i][l] * d[l][j];
    out[i][j] = sum;
  }
}

// CHECK:     define internal void @dl.matmul.nn.f32.0(
// CHECK-NOT: define {{.*}}@dl.{{[a-z.0-9]*}}.1
