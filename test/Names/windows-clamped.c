// Windows that are cut off at borders in front of their loops; how many elements
// are left is a difference of clamped indices, which is all of them inside.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

// By the elements there are, or by all of the window if a flag says so.
// CHECK-DAG: windows-clamped.c:[[#@LINE+3]]:{{.*}} kernel: mean-pool f32
void mean(const float *restrict x, float *restrict o, long h, long w, long kh, long kw, long sh, long sw, long p, long oh,
          long ow, int all) {
  for (long i = 0; i < oh; i++)
    for (long j = 0; j < ow; j++) {
      long top = i * sh - p, left = j * sw - p;
      long a0 = MAX(0, -top), a1 = MIN(kh, h - top), rows = MAX(0, a1 - a0);
      long b0 = MAX(0, -left), b1 = MIN(kw, w - left), columns = MAX(0, b1 - b0);
      float sum = 0;
      for (long a = 0; a < rows; a++)
        for (long b = 0; b < columns; b++)
          sum += x[(top + a0 + a) * w + left + b0 + b];
      float area = all ? kh * kw : rows * columns;
      o[i * ow + j] = area == 0 ? 0 : sum / area;
    }
}
// What empty windows have is a number.
// CHECK-DAG: windows-clamped.c:[[#@LINE+3]]:{{.*}} kernel: max-pool f32
void maximum(const float *restrict x, float *restrict o, long h, long w, long kh, long kw, long sh, long sw, long p,
             long oh, long ow, float empty) {
  for (long i = 0; i < oh; i++)
    for (long j = 0; j < ow; j++) {
      long top = i * sh - p, left = j * sw - p;
      long a0 = MAX(0, -top), a1 = MIN(kh, h - top), rows = MAX(0, a1 - a0);
      long b0 = MAX(0, -left), b1 = MIN(kw, w - left), columns = MAX(0, b1 - b0);
      float most = -__builtin_inff();
      for (long a = 0; a < rows; a++)
        for (long b = 0; b < columns; b++)
          most = MAX(most, x[(top + a0 + a) * w + left + b0 + b]);
      o[i * ow + j] = rows > 0 && columns > 0 ? most : empty;
    }
}

// Sums are divided by another number than that of the elements.
// CHECK-DAG: windows-clamped.c:[[#@LINE+3]]:{{.*}} kernel: {{reduce|sum-pool}} f32
void by_more(const float *restrict x, float *restrict o, long h, long w, long kh, long kw, long sh, long sw, long p,
             long oh, long ow) {
  for (long i = 0; i < oh; i++)
    for (long j = 0; j < ow; j++) {
      long top = i * sh - p, left = j * sw - p;
      long a0 = MAX(0, -top), a1 = MIN(kh, h - top), rows = MAX(0, a1 - a0);
      long b0 = MAX(0, -left), b1 = MIN(kw, w - left), columns = MAX(0, b1 - b0);
      float sum = 0;
      for (long a = 0; a < rows; a++)
        for (long b = 0; b < columns; b++)
          sum += x[(top + a0 + a) * w + left + b0 + b];
      o[i * ow + j] = sum / (rows * columns + i);
    }
}
