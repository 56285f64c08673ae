// Rows and columns that are cut into tiles of one size, which the other array has
// elsewhere: channels become pixels, and pixels channels.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clangxx_dl -x c++ -Drestrict=__restrict --target=x86_64-linux-gnu -O2 -w -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target

// Channels behind.
// CHECK-DAG: tiles.c:[[#@LINE+2]]:{{.*}} kernel: pixel-shuffle f32
void depth_to_space(int H, int W, int C, int r, const float *restrict a, float *restrict o) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      for (int b = 0; b < r; b++)
        for (int e = 0; e < r; e++)
          for (int c = 0; c < C; c++)
            o[((y * r + b) * (W * r) + x * r + e) * C + c] = a[(y * W + x) * (r * r * C) + (b * r + e) * C + c];
}
// CHECK-DAG: tiles.c:[[#@LINE+2]]:{{.*}} kernel: pixel-unshuffle f32
void space_to_depth(int H, int W, int C, int r, const float *restrict a, float *restrict o) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      for (int b = 0; b < r; b++)
        for (int e = 0; e < r; e++)
          for (int c = 0; c < C; c++)
            o[(y * W + x) * (r * r * C) + (b * r + e) * C + c] = a[((y * r + b) * (W * r) + x * r + e) * C + c];
}
// By a quotient and remainders of one loop.
// CHECK-DAG: tiles.c:[[#@LINE+2]]:{{.*}} kernel: pixel-unshuffle f32
void by_channel(int H, int W, int C, int r, const float *restrict a, float *restrict o) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      for (int k = 0; k < C * r * r; k++)
        o[(y * W + x) * (r * r * C) + k] = a[((y * r + k / C / r) * (W * r) + x * r + k / C % r) * C + k % C];
}
// Channels in front, by pointers.
// CHECK-DAG: tiles.c:[[#@LINE+3]]:{{.*}} kernel: pixel-unshuffle f32
void in_front(int H, int W, int C, const float *restrict a, float *restrict o) {
  int c, b, e, y;
  for (c = 0; c < C; c++)
    for (b = 0; b < 2; b++)
      for (e = 0; e < 2; e++)
        for (y = 0; y < H; y++) {
          const float *row = a + ((c * H + y) * 2 + b) * W * 2 + e;
          for (int x = 0; x < W; x++)
            *o++ = row[x * 2];
        }
}

// Rows whose length is computed in front of the loops.
// CHECK-DAG: tiles.c:[[#@LINE+3]]:{{.*}} kernel: pixel-shuffle f32
void by_rows(long H, long W, long C, const float *restrict a, float *restrict o) {
  long width = 2 * W, row = width * C;
  for (long y = 0; y < H; y++)
    for (long x = 0; x < W; x++)
      for (long b = 0; b < 2; b++)
        for (long e = 0; e < 2; e++)
          for (long c = 0; c < C; c++)
            o[(y * 2 + b) * row + (x * 2 + e) * C + c] = a[((y * W + x) * 4 + b * 2 + e) * C + c];
}

// Both arrays are cut into the same tiles: a matrix is transposed in blocks.
// CHECK-DAG: tiles.c:[[#@LINE+2]]:{{.*}} kernel: transpose f32
void blocked(int n, int m, const float *restrict a, float *restrict o) {
  for (int I = 0; I < n / 8; I++)
    for (int J = 0; J < m / 8; J++)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
          o[(J * 8 + j) * n + I * 8 + i] = a[(I * 8 + i) * m + J * 8 + j];
}
// Windows of three that overlap are no tiles of two.
// CHECK-DAG: tiles.c:[[#@LINE+2]]:{{.*}} kernel: im2col f32
void overlapping(int H, int W, int C, const float *restrict a, float *restrict o) {
  for (int c = 0; c < C; c++)
    for (int b = 0; b < 3; b++)
      for (int e = 0; e < 3; e++)
        for (int y = 0; y < H; y++)
          for (int x = 0; x < W; x++)
            o[((c * 9 + b * 3 + e) * H + y) * W + x] = a[(c * (H * 2 + 1) + y * 2 + b) * (W * 2 + 1) + x * 2 + e];
}
// Heads of attention: axes change places, none is a tile.
// CHECK-DAG: tiles.c:[[#@LINE+2]]:{{.*}} kernel: transpose f32
void heads(int B, int T, int H, int D, const float *restrict a, float *restrict o) {
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++)
      for (int h = 0; h < H; h++)
        for (int d = 0; d < D; d++)
          o[((b * H + h) * T + t) * D + d] = a[((b * T + t) * H + h) * D + d];
}
// All axes are as long: no tiles, either.
// CHECK-DAG: tiles.c:[[#@LINE+2]]:{{.*}} kernel: {{permute|transpose}} f32
void cube(const float *restrict a, float *restrict o) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      for (int k = 0; k < 8; k++)
        for (int l = 0; l < 8; l++)
          o[((i * 8 + k) * 8 + j) * 8 + l] = a[((i * 8 + j) * 8 + k) * 8 + l];
}
