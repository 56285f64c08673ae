//===- windows.c - Convolutions and pools as people write them -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// One image of C channels and H x W pixels, K filters of R x R, steps of s,
// borders of p; all row-major. SHAPES: SHAPE(NAME, KERNEL, C, H, W, K, R, s, p)
// for each function that is wanted. SIZES: `static inline` functions whose
// sizes are constants where they are called, or `__attribute__((noinline))`
// ones that are given them.

/// x: C x H x W; w: K x C x R x R; y: K x OH x OW.
SIZES void conv_nchw(float *y, const float *x, const float *w, int C, int H,
                     int W, int K, int R, int s, int p) {
  int OH = (H + 2 * p - R) / s + 1, OW = (W + 2 * p - R) / s + 1;
  for (int k = 0; k < K; k++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float sum = 0;
        for (int c = 0; c < C; c++)
          for (int r = 0; r < R; r++)
            for (int t = 0; t < R; t++) {
              int h = i * s + r - p, v = j * s + t - p;
              if (h >= 0 && h < H && v >= 0 && v < W)
                sum += x[(c * H + h) * W + v] * w[((k * C + c) * R + r) * R + t];
            }
        y[(k * OH + i) * OW + j] = sum;
      }
}

/// The same with a bias, which is behind the weights, and relu: the sums begin
/// with it.
SIZES void conv_nchw_bias(float *y, const float *x, const float *w, int C,
                          int H, int W, int K, int R, int s, int p) {
  int OH = (H + 2 * p - R) / s + 1, OW = (W + 2 * p - R) / s + 1;
  const float *b = w + K * C * R * R;
  for (int k = 0; k < K; k++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float sum = b[k];
        for (int c = 0; c < C; c++)
          for (int r = 0; r < R; r++)
            for (int t = 0; t < R; t++) {
              int h = i * s + r - p, v = j * s + t - p;
              if (h >= 0 && h < H && v >= 0 && v < W)
                sum += x[(c * H + h) * W + v] * w[((k * C + c) * R + r) * R + t];
            }
        y[(k * OH + i) * OW + j] = sum > 0 ? sum : 0;
      }
}

/// The same in loops of its own.
SIZES void conv_nchw_bias_apart(float *y, const float *x, const float *w, int C,
                                int H, int W, int K, int R, int s, int p) {
  int OH = (H + 2 * p - R) / s + 1, OW = (W + 2 * p - R) / s + 1;
  const float *b = w + K * C * R * R;
  for (int k = 0; k < K; k++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float sum = 0;
        for (int c = 0; c < C; c++)
          for (int r = 0; r < R; r++)
            for (int t = 0; t < R; t++) {
              int h = i * s + r - p, v = j * s + t - p;
              if (h >= 0 && h < H && v >= 0 && v < W)
                sum += x[(c * H + h) * W + v] * w[((k * C + c) * R + r) * R + t];
            }
        y[(k * OH + i) * OW + j] = sum;
      }
  for (int k = 0; k < K; k++)
    for (int i = 0; i < OH * OW; i++) {
      float sum = y[k * OH * OW + i] + b[k];
      y[k * OH * OW + i] = sum > 0 ? sum : 0;
    }
}

/// x: H x W x C; w: R x R x C x K; y: OH x OW x K.
SIZES void conv_nhwc(float *y, const float *x, const float *w, int C, int H,
                     int W, int K, int R, int s, int p) {
  int OH = (H + 2 * p - R) / s + 1, OW = (W + 2 * p - R) / s + 1;
  for (int i = 0; i < OH; i++)
    for (int j = 0; j < OW; j++)
      for (int k = 0; k < K; k++) {
        float sum = 0;
        for (int r = 0; r < R; r++)
          for (int t = 0; t < R; t++) {
            int h = i * s + r - p, v = j * s + t - p;
            if (h < 0 || h >= H || v < 0 || v >= W)
              continue;
            for (int c = 0; c < C; c++)
              sum += x[(h * W + v) * C + c] * w[((r * R + t) * C + c) * K + k];
          }
        y[(i * OW + j) * K + k] = sum;
      }
}

/// x: C x H x W; w: C x R x R; y: C x OH x OW. K is C.
SIZES void depthwise_nchw(float *y, const float *x, const float *w, int C,
                          int H, int W, int K, int R, int s, int p) {
  int OH = (H + 2 * p - R) / s + 1, OW = (W + 2 * p - R) / s + 1;
  (void)C;
  for (int c = 0; c < K; c++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float sum = 0;
        for (int r = 0; r < R; r++)
          for (int t = 0; t < R; t++) {
            int h = i * s + r - p, v = j * s + t - p;
            if (h >= 0 && h < H && v >= 0 && v < W)
              sum += x[(c * H + h) * W + v] * w[(c * R + r) * R + t];
          }
        y[(c * OH + i) * OW + j] = sum;
      }
}

/// x: H x W x C; w: R x R x C; y: OH x OW x C. K is C.
SIZES void depthwise_nhwc(float *y, const float *x, const float *w, int C,
                          int H, int W, int K, int R, int s, int p) {
  int OH = (H + 2 * p - R) / s + 1, OW = (W + 2 * p - R) / s + 1;
  (void)K;
  for (int i = 0; i < OH; i++)
    for (int j = 0; j < OW; j++)
      for (int c = 0; c < C; c++) {
        float sum = 0;
        for (int r = 0; r < R; r++)
          for (int t = 0; t < R; t++) {
            int h = i * s + r - p, v = j * s + t - p;
            if (h >= 0 && h < H && v >= 0 && v < W)
              sum += x[(h * W + v) * C + c] * w[(r * R + t) * C + c];
          }
        y[(i * OW + j) * C + c] = sum;
      }
}

/// The same with weights of C x R x R.
SIZES void depthwise_nhwc_front(float *y, const float *x, const float *w, int C,
                                int H, int W, int K, int R, int s, int p) {
  int OH = (H + 2 * p - R) / s + 1, OW = (W + 2 * p - R) / s + 1;
  (void)K;
  for (int i = 0; i < OH; i++)
    for (int j = 0; j < OW; j++)
      for (int c = 0; c < C; c++) {
        float sum = 0;
        for (int r = 0; r < R; r++)
          for (int t = 0; t < R; t++) {
            int h = i * s + r - p, v = j * s + t - p;
            if (h >= 0 && h < H && v >= 0 && v < W)
              sum += x[(h * W + v) * C + c] * w[(c * R + r) * R + t];
          }
        y[(i * OW + j) * C + c] = sum;
      }
}

/// x: C x H x W; y: C x OH x OW: the greatest of each window. K is C.
SIZES void maxpool_nchw(float *y, const float *x, const float *w, int C, int H,
                        int W, int K, int R, int s, int p) {
  int OH = (H + 2 * p - R) / s + 1, OW = (W + 2 * p - R) / s + 1;
  (void)C, (void)w;
  for (int c = 0; c < K; c++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float most = -3.4e38f;
        for (int r = 0; r < R; r++)
          for (int t = 0; t < R; t++) {
            int h = i * s + r - p, v = j * s + t - p;
            if (h >= 0 && h < H && v >= 0 && v < W &&
                x[(c * H + h) * W + v] > most)
              most = x[(c * H + h) * W + v];
          }
        y[(c * OH + i) * OW + j] = most;
      }
}

/// x: C x H x W; y: C x OH x OW: the mean of each window, borders counted as
/// zeros. K is C.
SIZES void avgpool_nchw(float *y, const float *x, const float *w, int C, int H,
                        int W, int K, int R, int s, int p) {
  int OH = (H + 2 * p - R) / s + 1, OW = (W + 2 * p - R) / s + 1;
  (void)C, (void)w;
  for (int c = 0; c < K; c++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float sum = 0;
        for (int r = 0; r < R; r++)
          for (int t = 0; t < R; t++) {
            int h = i * s + r - p, v = j * s + t - p;
            if (h >= 0 && h < H && v >= 0 && v < W)
              sum += x[(c * H + h) * W + v];
          }
        y[(c * OH + i) * OW + j] = sum / (R * R);
      }
}

#define SHAPE(NAME, KERNEL, C, H, W, K, R, S, P)                               \
  void NAME(float *y, const float *x, const float *w) {                        \
    KERNEL(y, x, w, C, H, W, K, R, S, P);                                      \
  }
SHAPES
