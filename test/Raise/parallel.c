// What a thread gets of a parallel loop: a share of the rows, or of all elements
// where two loops are collapsed. Extents are variables that are captured, read in
// front of the loops and again in them.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fopenmp -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: grep -v ^missed %t.kernels > %t.raised
// RUN: %dl-kernels %t.raised | diff %t.raised -
// REQUIRES: x86-registered-target

#define ARGS int m, int n, int k, const float *a, const float *b, float *c
#define UNTIL(X, END) for (int X = 0; X < END; X++)

// CHECK:      kernel 0 @rows.omp_outlined  matmul.nn f32
// CHECK:        par i[%[[LAST:.*]] - %[[FIRST:.*]] + 1] par j[%[[N:.*]]]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red k[%[[K:.*]]]
// CHECK-NEXT:       s = fmuladd(%a[i + %[[FIRST]],k], %b[k,j], s)
// CHECK-NEXT:     %c[i + %[[FIRST]],j] = s
void rows(ARGS) {
#pragma omp parallel for
  UNTIL(i, m) UNTIL(j, n) {
    float s = 0;
    UNTIL(l, k) s += a[i * k + l] * b[l * n + j];
    c[i * n + j] = s;
  }
}

// The end of a row, whole rows, which is tested, and the start of a row.
//
// CHECK:      kernel 0 @elements.omp_outlined  vecmat f32
// CHECK:      kernel 1 @elements.omp_outlined  matmul.nn f32
// CHECK:        par i[floordiv(%[[LAST:.*]] - %[[FIRST:.*]] + 1, %[[N:.*]])] par j[%[[N]]]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red k[%[[K:.*]]]
// CHECK-NEXT:       s = fmuladd(%a[i + floordiv(%[[FIRST]], %[[N]]),k], %b[k,j], s)
// CHECK-NEXT:     %c[i + floordiv(%[[FIRST]], %[[N]]),j] = s
// CHECK-DAG:    needs    inrange(0 <= mod(%[[FIRST]], %[[N]]) <= 0)
// CHECK-DAG:    needs    inrange(0 <= mod(%[[LAST]] - %[[FIRST]] + 1, %[[N]]) <= 0)
// CHECK-DAG:    needs    inrange(0 <= %{{.*}} - %[[N]] <= 0)
// CHECK:      kernel 2 @elements.omp_outlined  vecmat f32
void elements(ARGS) {
#pragma omp parallel for collapse(2)
  UNTIL(i, m) UNTIL(j, n) {
    float s = 0;
    UNTIL(l, k) s += a[i * k + l] * b[l * n + j];
    c[i * n + j] = s;
  }
}

// Two axes that are one: nothing is left of rows and columns.
//
// CHECK:      kernel 0 @positions.omp_outlined  matmul.nt f32
// CHECK:        par i[%[[LAST:.*]] - %[[FIRST:.*]] + 1] par j[%[[N:.*]]]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = %bias[j]
// CHECK-NEXT:     red k[%[[K:.*]]]
// CHECK-NEXT:       s = fmuladd(%a[i + %[[FIRST]],k], %b[j,k], s)
// CHECK-NEXT:     %c[i + %[[FIRST]],j] = s
// CHECK-NOT:    mod(%{{[^i]*}}) <= 0
// CHECK:      kernel 0 @tiles
void positions(int batch, int time, ARGS, const float *bias) {
#pragma omp parallel for collapse(2)
  UNTIL(x, batch) UNTIL(t, time) {
    const float *row = a + x * time * k + t * k;
    UNTIL(j, n) {
      float s = bias[j];
      UNTIL(l, k) s += row[l] * b[j * k + l];
      c[x * time * n + t * n + j] = s;
    }
  }
}

// Tiles, collapsed: parts of rows of tiles, too.
//
// CHECK-SAME:   .omp_outlined  matmul.nn f32
// CHECK:        par i[64]
// CHECK:      kernel 1 @tiles.omp_outlined  matmul.nn f32
// CHECK:        par i[64*floordiv(%[[LAST:.*]] - %[[FIRST:.*]] + 1, %[[N:.*]])] par j[64*%[[N]]]
void tiles(ARGS) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < m; i += 64)
    for (int j = 0; j < n; j += 64)
      for (int x = i; x < i + 64; x++)
        for (int y = j; y < j + 64; y++) {
          float s = 0;
          UNTIL(l, k) s += a[x * k + l] * b[l * n + y];
          c[x * n + y] = s;
        }
}

// A triangle has rows of several lengths.
//
// CHECK-NOT:  kernel {{[0-9]+}} @triangle.omp_outlined  matmul
// CHECK:      kernel {{[0-9]+}} @triangle.omp_outlined
// CHECK-NOT:  kernel {{[0-9]+}} @triangle.omp_outlined  matmul
void triangle(ARGS) {
#pragma omp parallel for collapse(2)
  UNTIL(i, m) UNTIL(j, i + 1) {
    float s = 0;
    UNTIL(l, k) s += a[i * k + l] * b[l * n + j];
    c[i * n + j] = s;
  }
}

// Loops behind tests of their own, as `omp simd` makes them: pointers that are
// captured are read behind these.
//
// CHECK:      kernel 0 @simd.omp_outlined  matmul.nn f32
// CHECK:        par i[%[[LAST:.*]] - %[[FIRST:.*]] + 1] red j[%[[K:.*]]] par k[%[[N:.*]]]
// CHECK-NEXT:     %c[i + %[[FIRST]],k] = fmuladd(%a[i + %[[FIRST]],j], %b[j,k], %c[i + %[[FIRST]],k])
void simd(ARGS) {
#pragma omp parallel for
  UNTIL(i, m) UNTIL(l, k) {
    float x = a[i * k + l];
#pragma omp simd
    UNTIL(j, n) c[i * n + j] += x * b[l * n + j];
  }
}
