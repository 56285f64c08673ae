//===- narrow.c - Products, rows and maps of narrow numbers ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// As people write them. C is M x N, K products an element, B is K x N, or
// N x K where it is transposed (`nt`), all row-major; of images N is the number
// of filters, M that of rows and columns, K of channels. SHAPES: SHAPE(NAME,
// KERNEL, M, N, K) for each function that is wanted. SIZES: `static inline`
// functions whose sizes are constants where they are called, or
// `__attribute__((noinline))` ones that are given them.
#include <math.h>
#include <stdint.h>
#include <string.h>

#define PRODUCT(NAME, A, B, SUM, AT, CAST)                                     \
  SIZES void NAME(SUM *c, const A *a, const B *b, const float *scales, int M,  \
                  int N, int K) {                                              \
    for (int i = 0; i < M; i++)                                                \
      for (int j = 0; j < N; j++) {                                            \
        SUM sum = 0;                                                           \
        for (int k = 0; k < K; k++)                                            \
          sum += CAST(a[i * K + k]) * CAST(b[AT]);                             \
        c[i * N + j] = sum;                                                    \
      }                                                                        \
  }

static inline float fromBits(uint16_t x) {
  uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, sizeof(f));
  return f;
}

PRODUCT(u8s8_nn, uint8_t, int8_t, int32_t, k * N + j, (int32_t))
PRODUCT(u8s8_nt, uint8_t, int8_t, int32_t, j * K + k, (int32_t))
PRODUCT(s8s8_nn, int8_t, int8_t, int32_t, k * N + j, (int32_t))
PRODUCT(s8s8_nt, int8_t, int8_t, int32_t, j * K + k, (int32_t))
PRODUCT(s16s16_nn, int16_t, int16_t, int32_t, k * N + j, (int32_t))
PRODUCT(s16s16_nt, int16_t, int16_t, int32_t, j * K + k, (int32_t))
PRODUCT(bf16_nn, uint16_t, uint16_t, float, k * N + j, fromBits)
PRODUCT(bf16_nt, uint16_t, uint16_t, float, j * K + k, fromBits)
PRODUCT(bfloat_nn, __bf16, __bf16, float, k * N + j, (float))
PRODUCT(bfloat_nt, __bf16, __bf16, float, j * K + k, (float))
PRODUCT(f16_nt, _Float16, _Float16, float, j * K + k, (float))
PRODUCT(f32_nt, float, float, float, j * K + k, (float))

/// Images M x M of K channels behind, N filters of 3 x 3, a border of 1; a scale
/// for each filter, to bytes with rounding.
SIZES void conv_nhwc_s8(int8_t *y, const uint8_t *x, const int8_t *w,
                        const float *scales, int M, int N, int K) {
  for (int h = 0; h < M; h++)
    for (int v = 0; v < M; v++)
      for (int f = 0; f < N; f++) {
        int32_t sum = 0;
        for (int r = 0; r < 3; r++)
          for (int t = 0; t < 3; t++) {
            int p = h + r - 1, q = v + t - 1;
            if (p < 0 || p >= M || q < 0 || q >= M)
              continue;
            for (int c = 0; c < K; c++)
              sum += x[(p * M + q) * K + c] * w[((f * 3 + r) * 3 + t) * K + c];
          }
        float scaled = rintf((float)sum * scales[f]);
        scaled = scaled < -128 ? -128 : scaled;
        scaled = scaled > 127 ? 127 : scaled;
        y[(h * M + v) * N + f] = (int8_t)scaled;
      }
}

/// The same of channels in front.
SIZES void conv_nchw_s8(int8_t *y, const uint8_t *x, const int8_t *w,
                        const float *scales, int M, int N, int K) {
  for (int f = 0; f < N; f++)
    for (int h = 0; h < M; h++)
      for (int v = 0; v < M; v++) {
        int32_t sum = 0;
        for (int c = 0; c < K; c++)
          for (int r = 0; r < 3; r++)
            for (int t = 0; t < 3; t++) {
              int p = h + r - 1, q = v + t - 1;
              if (p >= 0 && p < M && q >= 0 && q < M)
                sum += x[(c * M + p) * M + q] * w[((f * K + c) * 3 + r) * 3 + t];
            }
        float scaled = rintf((float)sum * scales[f]);
        scaled = scaled < -128 ? -128 : scaled;
        scaled = scaled > 127 ? 127 : scaled;
        y[(f * M + h) * M + v] = (int8_t)scaled;
      }
}

/// Each of K channels, which are behind, has a filter of its own.
SIZES void depthwise_nhwc_s8(int8_t *y, const uint8_t *x, const int8_t *w,
                             const float *scales, int M, int N, int K) {
  for (int h = 0; h < M; h++)
    for (int v = 0; v < M; v++)
      for (int c = 0; c < K; c++) {
        int32_t sum = 0;
        for (int r = 0; r < 3; r++)
          for (int t = 0; t < 3; t++) {
            int p = h + r - 1, q = v + t - 1;
            if (p >= 0 && p < M && q >= 0 && q < M)
              sum += x[(p * M + q) * K + c] * w[(r * 3 + t) * K + c];
          }
        float scaled = rintf((float)sum * scales[c]);
        scaled = scaled < -128 ? -128 : scaled;
        scaled = scaled > 127 ? 127 : scaled;
        y[(h * M + v) * K + c] = (int8_t)scaled;
      }
}

/// N rows of K bytes times a vector of bytes.
SIZES void matvec_s8(int32_t *y, const int8_t *x, const int8_t *w,
                     const float *scales, int M, int N, int K) {
  for (int i = 0; i < N; i++) {
    int32_t sum = 0;
    for (int k = 0; k < K; k++)
      sum += w[(long)i * K + k] * x[k];
    y[i] = sum;
  }
}

/// The same in groups of 64, each with a scale.
SIZES void matvec_groups(float *y, const int8_t *x, const int8_t *w,
                         const float *scales, int M, int N, int K) {
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int g = 0; g < K / 64; g++) {
      int32_t part = 0;
      for (int k = 0; k < 64; k++)
        part += w[(long)i * K + g * 64 + k] * x[g * 64 + k];
      sum += (float)part * scales[g];
    }
    y[i] = sum;
  }
}

/// Blocks of 32 bytes with a half that is their scale (ggml's Q8_0).
struct Q8 {
  _Float16 d;
  int8_t q[32];
};

SIZES void matvec_q8(float *y, const struct Q8 *x, const struct Q8 *w,
                     const float *scales, int M, int N, int K) {
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int b = 0; b < K / 32; b++) {
      const struct Q8 *v = w + (long)i * (K / 32) + b;
      int part = 0;
      for (int k = 0; k < 32; k++)
        part += v->q[k] * x[b].q[k];
      sum += part * ((float)v->d * (float)x[b].d);
    }
    y[i] = sum;
  }
}

/// Blocks of 32 halves of bytes (ggml's Q4_0).
struct Q4 {
  _Float16 d;
  uint8_t q[16];
};

SIZES void matvec_q4(float *y, const struct Q8 *x, const struct Q4 *w,
                     const float *scales, int M, int N, int K) {
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int b = 0; b < K / 32; b++) {
      const struct Q4 *v = w + (long)i * (K / 32) + b;
      int low = 0, high = 0;
      for (int k = 0; k < 16; k++) {
        low += ((v->q[k] & 15) - 8) * x[b].q[k];
        high += ((v->q[k] >> 4) - 8) * x[b].q[k + 16];
      }
      sum += (low + high) * (float)v->d * (float)x[b].d;
    }
    y[i] = sum;
  }
}

/// M rows of N floats to bytes and a scale each.
SIZES void quantize(int8_t *y, const float *x, const void *w, float *scales,
                    int M, int N, int K) {
  for (int i = 0; i < M; i++) {
    float most = 0;
    for (int j = 0; j < N; j++) {
      float a = fabsf(x[i * N + j]);
      if (a > most)
        most = a;
    }
    float scale = most / 127;
    scales[i] = scale;
    for (int j = 0; j < N; j++)
      y[i * N + j] = (int8_t)rintf(x[i * N + j] / scale);
  }
}

SIZES void dequantize(float *y, const int8_t *x, const void *w,
                      const float *scales, int M, int N, int K) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      y[i * N + j] = (float)x[i * N + j] * scales[i];
}

SIZES void widen(float *y, const uint16_t *x, const void *w,
                 const float *scales, int M, int N, int K) {
  for (int i = 0; i < M * N; i++)
    y[i] = fromBits(x[i]);
}

/// To the nearest, ties to even.
SIZES void narrow(uint16_t *y, const float *x, const void *w,
                  const float *scales, int M, int N, int K) {
  for (int i = 0; i < M * N; i++) {
    uint32_t bits;
    memcpy(&bits, &x[i], sizeof(bits));
    y[i] = (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
  }
}

/// M heads of N queries and keys of K numbers: q, k and v behind each other.
#define ATTENTION(NAME, LAST)                                                  \
  SIZES void NAME(float *y, const float *x, const void *w, float *scales,      \
                  int M, int N, int K) {                                       \
    const float *q = x, *k = q + M * N * K, *v = k + M * N * K;                \
    float s[1024];                                                             \
    for (int h = 0; h < M; h++)                                                \
      for (int i = 0; i < N; i++) {                                            \
        const float *row = q + (h * N + i) * K;                                \
        float most = -INFINITY, sum = 0;                                       \
        for (int j = 0; j < LAST; j++) {                                       \
          float dot = 0;                                                       \
          for (int d = 0; d < K; d++)                                          \
            dot += row[d] * k[(h * N + j) * K + d];                            \
          s[j] = dot * 0.125f;                                                 \
          most = s[j] > most ? s[j] : most;                                    \
        }                                                                      \
        for (int j = 0; j < LAST; j++) {                                       \
          s[j] = expf(s[j] - most);                                            \
          sum += s[j];                                                         \
        }                                                                      \
        for (int d = 0; d < K; d++) {                                          \
          float dot = 0;                                                       \
          for (int j = 0; j < LAST; j++)                                       \
            dot += s[j] * v[(h * N + j) * K + d];                              \
          y[(h * N + i) * K + d] = dot / sum;                                  \
        }                                                                      \
      }                                                                        \
  }

ATTENTION(attention, N)
ATTENTION(attention_causal, i + 1)

/// One query a head.
SIZES void attention_one(float *y, const float *x, const void *w, float *scales,
                         int M, int N, int K) {
  const float *q = x, *k = q + M * K, *v = k + M * N * K;
  for (int h = 0; h < M; h++) {
    float most = -INFINITY, sum = 0;
    for (int j = 0; j < N; j++) {
      float dot = 0;
      for (int d = 0; d < K; d++)
        dot += q[h * K + d] * k[(h * N + j) * K + d];
      scales[j] = dot * 0.125f;
      most = scales[j] > most ? scales[j] : most;
    }
    for (int j = 0; j < N; j++) {
      scales[j] = expf(scales[j] - most);
      sum += scales[j];
    }
    for (int d = 0; d < K; d++) {
      float dot = 0;
      for (int j = 0; j < N; j++)
        dot += scales[j] * v[(h * N + j) * K + d];
      y[h * K + d] = dot / sum;
    }
  }
}

/// As three nests, with all scores stored.
SIZES void attention_nests(float *y, const float *x, const void *w,
                           float *scales, int M, int N, int K) {
  const float *q = x, *k = q + M * N * K, *v = k + M * N * K;
  for (int h = 0; h < M; h++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        float dot = 0;
        for (int d = 0; d < K; d++)
          dot += q[(h * N + i) * K + d] * k[(h * N + j) * K + d];
        scales[i * N + j] = dot * 0.125f;
      }
    for (int i = 0; i < N; i++) {
      float most = -INFINITY, sum = 0;
      for (int j = 0; j < N; j++)
        most = scales[i * N + j] > most ? scales[i * N + j] : most;
      for (int j = 0; j < N; j++) {
        scales[i * N + j] = expf(scales[i * N + j] - most);
        sum += scales[i * N + j];
      }
      for (int j = 0; j < N; j++)
        scales[i * N + j] /= sum;
    }
    for (int i = 0; i < N; i++)
      for (int d = 0; d < K; d++) {
        float dot = 0;
        for (int j = 0; j < N; j++)
          dot += scales[i * N + j] * v[(h * N + j) * K + d];
        y[(h * N + i) * K + d] = dot;
      }
  }
}

#define SHAPE(NAME, KERNEL, ...)                                               \
  void NAME(void *y, void *x, void *w, void *scales) {                         \
    KERNEL(y, x, w, scales, __VA_ARGS__);                                      \
  }
SHAPES
