// LLVM unrolls windows of a few rounds, and vectorizes the loop around them. Where that
// reads neighbours, or groups of them, rows in lanes gain nothing.
// RUN: %emit -gline-tables-only -ffast-math --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes=dl-vectorize 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes=dl-vectorize 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks

// CHECK: unrolled-windows.c:[[#@LINE+2]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void pooling(long h, long w, const float *restrict x, float *restrict y) {
  for (long i = 0; i < h; i++)
    for (long j = 0; j < w; j++) {
      float s = 0;
      for (long r = 0; r < 2; r++)
        for (long q = 0; q < 2; q++)
          s += x[(2 * i + r) * 2 * w + 2 * j + q];
      y[i * w + j] = s * 0.25f;
    }
}
// The loop around the window is unrolled, too.
// CHECK: unrolled-windows.c:[[#@LINE+3]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void small_planes(const float *restrict x, const float *restrict k,
                  float *restrict y) {
  for (long c = 0; c < 32; c++)
    for (long i = 0; i < 5; i++)
      for (long j = 0; j < 5; j++) {
        float s = 0;
        for (long r = 0; r < 3; r++)
          for (long q = 0; q < 3; q++)
            s += x[(c * 7 + i + r) * 7 + j + q] * k[(c * 3 + r) * 3 + q];
        y[(c * 5 + i) * 5 + j] = s;
      }
}
// Windows of any size are not.
// CHECK: unrolled-windows.c:[[#@LINE+3]]:{{.*}} by the script strips
void any_window(long h, long w, long p, const float *restrict x,
                float *restrict y) {
  for (long i = 0; i < h; i++)
    for (long j = 0; j < w; j++) {
      float s = 0;
      for (long r = 0; r < p; r++)
        for (long q = 0; q < p; q++)
          s = s < x[(i + r) * (w + p) + j + q] ? x[(i + r) * (w + p) + j + q] : s;
      y[i * w + j] = s;
    }
}
// Nor does LLVM make vectors of elements that are far apart.
// CHECK: unrolled-windows.c:[[#@LINE+3]]:{{.*}} iterations of i in
void columns(long h, long w, long c, const float *restrict x,
             float *restrict y) {
  for (long k = 0; k < c; k++)
    for (long i = 0; i < h; i++) {
      float s = 0;
      for (long q = 0; q < 3; q++)
        s += x[(i * 3 + q) * c + k];
      y[i * c + k] = s;
    }
}
