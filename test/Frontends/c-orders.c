// Six loop orders, in memory: all call one generated function.
//
// RUN: %clang --target=x86_64-linux-gnu -march=haswell -O3 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

#define ARGUMENTS                                                              \
  int m, int n, int k, const float *restrict a, const float *restrict b,      \
      float *restrict c
#define UNTIL(X, END) for (int X = 0; X < END; X++)
#define STEP c[i * n + j] += a[i * k + l] * b[l * n + j]

// CHECK-LABEL: define {{.*}}@ijl(
// CHECK:         call void @dl.matmul.nn.f32.0(
void ijl(ARGUMENTS) { UNTIL(i, m) UNTIL(j, n) UNTIL(l, k) STEP; }

// CHECK-LABEL: define {{.*}}@ilj(
// CHECK:         call void @dl.matmul.nn.f32.0(
void ilj(ARGUMENTS) { UNTIL(i, m) UNTIL(l, k) UNTIL(j, n) STEP; }

// CHECK-LABEL: define {{.*}}@jil(
// CHECK:         call void @dl.matmul.nn.f32.0(
void jil(ARGUMENTS) { UNTIL(j, n) UNTIL(i, m) UNTIL(l, k) STEP; }

// CHECK-LABEL: define {{.*}}@jli(
// CHECK:         call void @dl.matmul.nn.f32.0(
void jli(ARGUMENTS) { UNTIL(j, n) UNTIL(l, k) UNTIL(i, m) STEP; }

// CHECK-LABEL: define {{.*}}@lij(
// CHECK:         call void @dl.matmul.nn.f32.0(
void lij(ARGUMENTS) { UNTIL(l, k) UNTIL(i, m) UNTIL(j, n) STEP; }

// CHECK-LABEL: define {{.*}}@lji(
// CHECK:         call void @dl.matmul.nn.f32.0(
void lji(ARGUMENTS) { UNTIL(l, k) UNTIL(j, n) UNTIL(i, m) STEP; }

// Without restrict the order makes no difference either.
//
// CHECK-LABEL: define {{.*}}@lji_overlap(
// CHECK:         call void @dl.matmul.nn.f32.0(
void lji_overlap(int m, int n, int k, const float *a, const float *b,
                 float *c) {
  UNTIL(l, k) UNTIL(j, n) UNTIL(i, m) STEP;
}

// CHECK:     define internal void @dl.matmul.nn.f32.0(
// CHECK-NOT: define {{.*}}@dl.{{[a-z.0-9]*}}.1
