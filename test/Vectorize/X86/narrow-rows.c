// Rows of sums in memory that each round of the loop around them reads again: no masks,
// whose stores loads would wait for, and wider vectors only where rows fill some.
// RUN: %clang_dl -O3 --target=x86_64-linux-gnu -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}} @columns(
// CHECK: icmp sgt i64 %n, 31
// CHECK: call fastcc void @dl.lanes.
void columns(long n, long m, float *restrict y, const float *restrict x) {
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      y[i] += x[j * n + i];
}

// One row, which is the whole kernel.
// CHECK-LABEL: define {{.*}} @row(
// CHECK: add i64 %n, -64
// CHECK: call fastcc void @dl.lanes.
void row(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] += x[i];
}

// What a loop by vectors leaves is few elements.
// CHECK-LABEL: define {{.*}} @left(
// CHECK-NOT: call fastcc void @dl.lanes.
// CHECK: ret void
typedef float vector __attribute__((vector_size(16), aligned(4)));
void left(long n, float *restrict y, const float *restrict x) {
  long i = 0;
  for (; i + 4 <= n; i += 4)
    *(vector *)(y + i) += *(const vector *)(x + i);
  for (; i < n; i++)
    y[i] += x[i];
}

// Rows that lie behind each other, in place.
// CHECK-LABEL: define {{.*}} @rows(
// CHECK: call fastcc void @dl.lanes.
void rows(long n, long m, float *restrict y) {
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      y[j * n + i] = y[j * n + i] * 3 + 1;
}

// CHECK: define internal fastcc void @dl.lanes.{{.*}}.avx512(
// CHECK-NOT: masked
// CHECK: store <16 x float>
// CHECK-NOT: masked
// CHECK: store <4 x float>
// CHECK-NOT: masked
// CHECK: define internal fastcc void @dl.lanes.{{.*}}.avx512(
// CHECK: masked.store
// CHECK: define internal fastcc void @dl.lanes.{{.*}}.avx512(
// CHECK-NOT: masked
// CHECK: define internal fastcc void @dl.lanes.{{.*}}.avx2(
