// Windows whose strides are arguments, each its own, are windows by their
// borders: a position and a place inside are bounded together.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target

typedef signed char byte;

// CHECK-DAG: windows-borders.c:[[#@LINE+5]]:{{.*}} kernel: max-pool i8
void maximum(const byte *x, int w, int h, int c, int kx, int ky, int px, int py, int sx, int sy,
             int ox, int oy, byte *restrict o) {
  int i, y, u, r, q;
  int max;
  for (i = 0; i < c; i++)
    for (y = 0; y < oy; y++)
      for (u = 0; u < ox; u++) {
        max = -129;
        for (r = y * sy - py; r < y * sy - py + ky; r++)
          for (q = u * sx - px; q < u * sx - px + kx; q++)
            if (r >= 0 && q >= 0 && r < h && q < w)
              if (x[i + c * (q + r * w)] > max)
                max = x[i + c * (q + r * w)];
        o[i + c * (u + y * ox)] = max;
      }
}

// CHECK-DAG: windows-borders.c:[[#@LINE+3]]:{{.*}} kernel: sum-pool i32
void sum(const byte *x, int w, int h, int c, int kx, int ky, int px, int py, int sx, int sy, int ox,
         int oy, int *restrict o) {
  for (int i = 0; i < c; i++)
    for (int y = 0; y < oy; y++)
      for (int u = 0; u < ox; u++) {
        int sum = 0;
        for (int a = 0; a < ky; a++)
          for (int b = 0; b < kx; b++) {
            int r = y * sy - py + a, q = u * sx - px + b;
            if (r >= 0 && q >= 0 && r < h && q < w)
              sum += x[i + c * (q + r * w)];
          }
        o[i + c * (u + y * ox)] = sum;
      }
}

// CHECK-DAG: windows-borders.c:[[#@LINE+3]]:{{.*}} kernel: conv2d f32
void dilated(const float *x, const float *g, int w, int h, int c, int k, int kx, int ky, int px,
             int py, int sx, int sy, int dx, int dy, int ox, int oy, float *restrict o) {
  for (int i = 0; i < k; i++)
    for (int y = 0; y < oy; y++)
      for (int u = 0; u < ox; u++) {
        float sum = 0;
        for (int a = 0; a < ky; a++)
          for (int b = 0; b < kx; b++) {
            int r = y * sy - py + a * dy, q = u * sx - px + b * dx;
            if (r >= 0 && q >= 0 && r < h && q < w)
              for (int l = 0; l < c; l++)
                sum += x[(l * h + r) * w + q] * g[((i * c + l) * ky + a) * kx + b];
          }
        o[(i * oy + y) * ox + u] = sum;
      }
}

// Windows that do not overlap: axes that are cut into blocks.
// CHECK-DAG: windows-borders.c:[[#@LINE+4]]:{{.*}} kernel: max-pool i8
// CHECK-DAG: windows-borders.c:[[#@LINE+16]]:{{.*}} kernel: mean-pool i8
void blocks(const byte *x, int w, int c, int kx, int ky, int ox, int oy, int least, int most,
            byte *restrict o, byte *restrict p) {
  for (int i = 0; i < c; i++)
    for (int y = 0; y < oy; y++)
      for (int u = 0; u < ox; u++) {
        int max = least;
        for (int a = 0; a < ky; a++)
          for (int b = 0; b < kx; b++) {
            int v = x[(u * kx + b + (y * ky + a) * w) * c + i];
            max = v > max ? v : max;
          }
        max = max > most ? most : max;
        o[(u + y * ox) * c + i] = max;
      }
  int half = kx * ky / 2;
  for (int i = 0; i < c; i++)
    for (int y = 0; y < oy; y++)
      for (int u = 0; u < ox; u++) {
        int sum = 0;
        for (int a = 0; a < ky; a++)
          for (int b = 0; b < kx; b++)
            sum += x[(u * kx + b + (y * ky + a) * w) * c + i];
        sum = (sum > 0 ? sum + half : sum - half) / (kx * ky);
        sum = sum < least ? least : sum;
        p[(u + y * ox) * c + i] = sum > most ? most : sum;
      }
}

// A border of one axis alone makes no windows: a part of each row is summed up.
// CHECK-DAG: windows-borders.c:[[#@LINE+2]]:{{.*}} kernel: reduce f32
void part(const float *x, int rows, int columns, int first, int last, float *restrict o) {
  for (int i = 0; i < rows; i++) {
    float sum = 0;
    for (int j = 0; j < columns; j++)
      if (j - first >= 0 && j < last)
        sum += x[i * columns + j];
    o[i] = sum;
  }
}
