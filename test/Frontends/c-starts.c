// What a sum starts from: a constant, a bias, C, another matrix. They share one
// generated function; C += sum rounds once more and has its own.
//
// RUN: %clang --target=x86_64-linux-gnu -march=haswell -O3 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

#define ARGUMENTS                                                              \
  int m, int n, int k, const float *a, const float *b, float *c
#define UNTIL(X, END) for (int X = 0; X < END; X++)
#define LOCAL(START)                                                           \
  UNTIL(i, m) UNTIL(j, n) {                                                    \
    float sum = START;                                                         \
    UNTIL(l, k) sum += a[i * k + l] * b[l * n + j];                            \
    c[i * n + j] = sum;                                                        \
  }

// CHECK-LABEL: define {{.*}}@zero(
// CHECK:         call void @dl.matmul.nn.f32.0(
void zero(ARGUMENTS) { LOCAL(0) }

// CHECK-LABEL: define {{.*}}@one(
// CHECK:         call void @dl.matmul.nn.f32.0(
void one(ARGUMENTS) { LOCAL(1) }

// CHECK-LABEL: define {{.*}}@bias_per_column(
// CHECK:         call void @dl.matmul.nn.f32.0(
void bias_per_column(ARGUMENTS, const float *bias) { LOCAL(bias[j]) }

// CHECK-LABEL: define {{.*}}@bias_per_row(
// CHECK:         call void @dl.matmul.nn.f32.0(
void bias_per_row(ARGUMENTS, const float *bias) { LOCAL(bias[i]) }

// CHECK-LABEL: define {{.*}}@matrix(
// CHECK:         call void @dl.matmul.nn.f32.0(
void matrix(ARGUMENTS, const float *d) { LOCAL(d[i * n + j]) }

// CHECK-LABEL: define {{.*}}@itself(
// CHECK:         call void @dl.matmul.nn.f32.0(
void itself(ARGUMENTS) { LOCAL(c[i * n + j]) }

// CHECK-LABEL: define {{.*}}@itself_memory(
// CHECK:         call void @dl.matmul.nn.f32.0(
void itself_memory(ARGUMENTS) {
  UNTIL(i, m) UNTIL(j, n) UNTIL(l, k) c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// CHECK-LABEL: define {{.*}}@zero_memory(
// CHECK:         call void @dl.matmul.nn.f32.0(
void zero_memory(ARGUMENTS) {
  UNTIL(i, m) UNTIL(j, n) {
    c[i * n + j] = 0;
    UNTIL(l, k) c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// CHECK-LABEL: define {{.*}}@bias_memory(
// CHECK:         call void @dl.matmul.nn.f32.0(
void bias_memory(ARGUMENTS, const float *bias) {
  UNTIL(i, m) UNTIL(j, n) {
    c[i * n + j] = bias[j];
    UNTIL(l, k) c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// Rows of C, or all of C, set before the product.
//
// CHECK-LABEL: define {{.*}}@zero_rows(
// CHECK:         call void @dl.matmul.nn.f32.0(
void zero_rows(ARGUMENTS) {
  UNTIL(i, m) {
    UNTIL(j, n) c[i * n + j] = 0;
    UNTIL(l, k) UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// CHECK-LABEL: define {{.*}}@bias_rows(
// CHECK:         call void @dl.matmul.nn.f32.0(
void bias_rows(ARGUMENTS, const float *bias) {
  UNTIL(i, m) {
    UNTIL(j, n) c[i * n + j] = bias[j];
    UNTIL(l, k) UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// CHECK-LABEL: define {{.*}}@zero_first(
// CHECK:         call void @dl.matmul.nn.f32.0(
void zero_first(ARGUMENTS) {
  UNTIL(i, m) UNTIL(j, n) c[i * n + j] = 0;
  UNTIL(i, m) UNTIL(l, k) UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// CHECK-LABEL: define {{.*}}@memset_first(
// CHECK:         call void @dl.matmul.nn.f32.0(
void memset_first(ARGUMENTS) {
  __builtin_memset(c, 0, sizeof(float) * m * n);
  UNTIL(i, m) UNTIL(l, k) UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// CHECK-LABEL: define {{.*}}@sum_added(
// CHECK:         call void @dl.matmul.nn.f32.1(
void sum_added(ARGUMENTS) {
  UNTIL(i, m) UNTIL(j, n) {
    float sum = 0;
    UNTIL(l, k) sum += a[i * k + l] * b[l * n + j];
    c[i * n + j] += sum;
  }
}

// CHECK-LABEL: define {{.*}}@sum_added_swapped(
// CHECK:         call void @dl.matmul.nn.f32.1(
void sum_added_swapped(ARGUMENTS) {
  UNTIL(i, m) UNTIL(j, n) {
    float sum = 0;
    UNTIL(l, k) sum += a[i * k + l] * b[l * n + j];
    c[i * n + j] = sum + c[i * n + j];
  }
}

// CHECK:     define internal void @dl.matmul.nn.f32.0(
// CHECK:     define internal void @dl.matmul.nn.f32.1(
// CHECK-NOT: define {{.*}}@dl.{{[a-z.0-9]*}}.2
