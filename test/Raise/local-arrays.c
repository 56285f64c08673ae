// A local array that is set, updated and stored for each tile, or that holds
// copies of operands, is as good as one scalar for each element.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: grep -v ^missed %t.kernels > %t.raised
// RUN: %dl-kernels %t.raised | diff %t.raised -
// REQUIRES: x86-registered-target

#include "Inputs/arrays.h"

// As in llm.c: eight rows at once, for each column.
//
// CHECK:      kernel 0 @eight_rows  matmul.nt f32
// CHECK:        par i[%n] par j[%m]
// CHECK-NEXT:     local acc:f32
// CHECK-NEXT:     acc = %bias[i]
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       acc = fmuladd(%a[j,k], %b[i,k], acc)
// CHECK-NEXT:     %c[j,i] = acc
// CHECK-NEXT:   needs    inrange(0 <= mod(%m, 8) <= 0)
void eight_rows(ARGS, const float *restrict bias) {
  for (int i = 0; i < m; i += 8)
    UNTIL(j, n) {
      float s[8];
      UNTIL(x, 8) s[x] = bias[j];
      UNTIL(l, k) {
        float w = b[l + j * k];
        UNTIL(x, 8) s[x] += a[(i + x) * k + l] * w;
      }
      UNTIL(x, 8) c[(i + x) * n + j] = s[x];
    }
}

// CHECK:      kernel 0 @tile  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     local acc:f32
// CHECK-NEXT:     acc = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       acc = fmuladd(%a[i,k], %b[k,j], acc)
// CHECK-NEXT:     %c[i,j] = acc
// CHECK-NEXT:   needs    inrange(0 <= mod(%m, 4) <= 0)
// CHECK-NEXT:   needs    inrange(0 <= mod(%n, 4) <= 0)
void tile(ARGS) {
  TILES {
    float s[4][4];
    INSIDE s[x][y] = 0;
    UNTIL(l, k) INSIDE s[x][y] += A_XL * B_LY;
    INSIDE C_XY = s[x][y];
  }
}

// The start values of rows may be missing.
//
// CHECK:      kernel 0 @bias_or_not  matmul.nn f32
// CHECK:        par i[%n] par j[%m]
// CHECK:          cond = 0.0  if tobool
// CHECK:          red k[%k]
// CHECK-NEXT:       acc = fmuladd(%a[j,k], %b[k,i], acc)
// CHECK-NEXT:     %c[j,i] = acc
void bias_or_not(ARGS, const float *restrict bias) {
  for (int i = 0; i < m; i += 8)
    UNTIL(j, n) {
      float s[8];
      UNTIL(x, 8) s[x] = bias ? bias[j] : 0;
      UNTIL(l, k) UNTIL(x, 8) s[x] += a[(i + x) * k + l] * b[l * n + j];
      UNTIL(x, 8) c[(i + x) * n + j] = s[x];
    }
}

// Cleared by memset, and with sums that are added in the end.
//
// CHECK:      kernel 0 @cleared  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     local acc:f32
// CHECK-NEXT:     acc = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       acc = fmuladd(%a[i,k], %b[k,j], acc)
// CHECK-NEXT:     %c[i,j] = fadd(%c[i,j], acc)
void cleared(ARGS) {
  TILES {
    float s[4][4] = {{0}};
    UNTIL(l, k) INSIDE s[x][y] += A_XL * B_LY;
    INSIDE C_XY += s[x][y];
  }
}

// Copies of operands, and tiles that end with the matrix.
//
// CHECK:      kernel 0 @copies  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     local acc:f32
// CHECK-NEXT:     acc = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       acc = fmuladd(%a[i,k], %b[k,j], acc)
// CHECK-NEXT:     %c[i,j] = acc
// CHECK-NOT:    mod
// CHECK:      kernel 0 @
void copies(ARGS) {
  TILES {
    float s[4][4], p[4], q[4];
    int v = MIN(4, m - i), w = MIN(4, n - j);
    UNTIL(x, v) UNTIL(y, w) s[x][y] = 0;
    UNTIL(l, k) {
      UNTIL(x, v) p[x] = A_XL;
      UNTIL(y, w) q[y] = B_LY;
      UNTIL(x, v) UNTIL(y, w) s[x][y] += p[x] * q[y];
    }
    UNTIL(x, v) UNTIL(y, w) C_XY = s[x][y];
  }
}

// Statements for each element, of arrays that other loops go through.
//
// CHECK-SAME:   unrolled  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     local acc:f32
// CHECK-NEXT:     acc = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       acc = fmuladd(%a[i,k], %b[k,j], acc)
// CHECK-NEXT:     %c[i,j] = acc
void unrolled(ARGS) {
  for (int i = 0; i < m; i += 2)
    for (int j = 0; j < n; j += 2) {
      float s[2][2] = {{0}};
      UNTIL(l, k) {
        s[0][0] += a[i * k + l] * b[l * n + j];
        s[0][1] += a[i * k + l] * b[l * n + j + 1];
        s[1][0] += a[(i + 1) * k + l] * b[l * n + j];
        s[1][1] += a[(i + 1) * k + l] * b[l * n + j + 1];
      }
      UNTIL(x, 2) UNTIL(y, 2) C_XY = s[x][y];
    }
}

// Sums that go back to C after each block of k.
//
// CHECK:      kernel 0 @blocks  matmul.nn f32
// CHECK:        par i[%m] par j[%n] red k[%k]
// CHECK-NEXT:     %c[i,j] = fmuladd(%a[i,k], %b[k,j], %c[i,j])
void blocks(ARGS) {
  TILES for (int h = 0; h < k; h += 32) {
    float s[4][4];
    INSIDE s[x][y] = C_XY;
    for (int l = h; l < h + 32; l++)
      INSIDE s[x][y] += A_XL * B_LY;
    INSIDE C_XY = s[x][y];
  }
}

// A row, of a constant number of elements or not, and not of all of them.
//
// CHECK:      kernel 0 @row  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     local acc:f32
// CHECK-NEXT:     acc = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       acc = fmuladd(%a[i,k], %b[k,j], acc)
// CHECK-NEXT:     %c[i,j] = acc
void row(ARGS) {
  UNTIL(i, m) {
    float s[n];
    UNTIL(j, n) s[j] = 0;
    UNTIL(l, k) UNTIL(j, n) s[j] += a[i * k + l] * b[l * n + j];
    UNTIL(j, n) c[i * n + j] = s[j];
  }
}

// CHECK:      kernel 0 @row_of_1024  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK:          %c[i,j] = acc
// CHECK-NEXT:   needs    inrange(0 <= j <= 1023)
void row_of_1024(ARGS) {
  UNTIL(i, m) {
    float s[1024] = {0};
    UNTIL(l, k) UNTIL(j, n) s[j] += a[i * k + l] * b[l * n + j];
    UNTIL(j, n) c[i * n + j] = s[j];
  }
}

// C itself, cleared row by row.
//
// CHECK:      kernel 0 @cleared_rows  matmul.nn f32
// CHECK:        par i[%m]
// CHECK-NEXT:     par j[%n]
// CHECK-NEXT:       %c[i,j] = 0.0
// CHECK-NEXT:     red j.1[%k] par k[%n]
// CHECK-NEXT:       %c[i,k] = fmuladd(%a[i,j.1], %b[j.1,k], %c[i,k])
void cleared_rows(ARGS) {
  UNTIL(i, m) {
    __builtin_memset(c + i * n, 0, n * sizeof(float));
    UNTIL(l, k) UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// A column of B, next to each other.
//
// CHECK:      kernel 0 @column  matmul.nn f32
// CHECK:        par i[%n] par j[%m]
// CHECK:            fmuladd(%a[j,k], %b[k,i], t)
void column(ARGS) {
  UNTIL(j, n) {
    float s[k];
    UNTIL(l, k) s[l] = b[l * n + j];
    UNTIL(i, m) {
      float t = 0;
      UNTIL(l, k) t += a[i * k + l] * s[l];
      c[i * n + j] = t;
    }
  }
}

// Not so: an element that is not set, or not in this tile,
//
// CHECK:      kernel 0 @set_in_part  generic f32
void set_in_part(ARGS) {
  TILES {
    float s[4][4];
    UNTIL(x, 3) UNTIL(y, 4) s[x][y] = 0;
    UNTIL(l, k) INSIDE s[x][y] += A_XL * B_LY;
    INSIDE C_XY = s[x][y];
  }
}

// CHECK:      kernel 0 @set_once  generic f32
void set_once(ARGS) {
  float s[4][4];
  TILES {
    if (i == 0)
      INSIDE s[x][y] = 0;
    UNTIL(l, k) INSIDE s[x][y] += A_XL * B_LY;
    INSIDE C_XY = s[x][y];
  }
}

// ... more elements than have been set,
//
// CHECK:      kernel 0 @too_long  generic f32
void too_long(ARGS) {
  UNTIL(i, m) {
    float s[1024];
    UNTIL(j, 8) s[j] = 0;
    UNTIL(l, k) UNTIL(j, 9) s[j] += a[i * k + l] * b[l * n + j];
    UNTIL(j, 9) c[i * n + j] = s[j];
  }
}

// ... one element for several sums,
//
// CHECK:      kernel 0 @shared  matmul f32
void shared(ARGS) {
  TILES {
    float s[8];
    INSIDE s[x + y] = 0;
    UNTIL(l, k) INSIDE s[x + y] += A_XL * B_LY;
    INSIDE C_XY = s[x + y];
  }
}

// ... an array that is read behind the loops,
//
// CHECK:      kernel 0 @read_behind  matmul f32
float read_behind(ARGS) {
  float s[4][4];
  s[3][3] = 0;
  TILES {
    INSIDE s[x][y] = 0;
    UNTIL(l, k) INSIDE s[x][y] += A_XL * B_LY;
    INSIDE C_XY = s[x][y];
  }
  return s[m & 3][3];
}

// ... and one that others may know of.
//
// CHECK:      kernel 0 @escapes  matmul f32
void see(float *);
void escapes(ARGS) {
  float s[4][4];
  see(&s[0][0]);
  TILES {
    INSIDE s[x][y] = 0;
    UNTIL(l, k) INSIDE s[x][y] += A_XL * B_LY;
    INSIDE C_XY = s[x][y];
  }
}

// What has its memory in the nest only is refused if it stays memory.
//
// CHECK: missed @stays line ?: UnsupportedOperation: {{.*}}: a stack allocation
void stays(ARGS) {
  UNTIL(i, m) {
    float s[n];
    UNTIL(j, n) s[j] = a[j];
    UNTIL(j, n) c[i * n + j] = s[n - 1 - j];
  }
}
