// Naive reductions and transposes of float for loopbench.cc.
#include "loops.h"
#include <math.h>

static void rowsum(long m, long n, const float *a, float *c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    c[i] = s;
  }
}
static void rowmax(long m, long n, const float *a, float *c) {
  for (long i = 0; i < m; i++) {
    float s = a[i * n];
    for (long j = 0; j < n; j++)
      s = a[i * n + j] > s ? a[i * n + j] : s;
    c[i] = s;
  }
}
static void rowargmax(long m, long n, const float *a, float *c) {
  for (long i = 0; i < m; i++) {
    float best = -3e38f;
    int at = 0;
    for (long j = 0; j < n; j++)
      if (a[i * n + j] > best) {
        best = a[i * n + j];
        at = j;
      }
    c[i] = at;
  }
}
// The first half of the elements by the second.
static void dot(long m, long n, const float *a, float *c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n / 2; j++)
      s += a[i * n + j] * a[i * n + n / 2 + j];
    c[i] = s;
  }
}
static void colsum(long m, long n, const float *a, float *c) {
  for (long j = 0; j < n; j++) {
    float s = 0;
    for (long i = 0; i < m; i++)
      s += a[i * n + j];
    c[j] = s;
  }
}
static void variance(long m, long n, const float *a, float *c) {
  for (long i = 0; i < m; i++) {
    float s = 0, v = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    float mean = s / n;
    for (long j = 0; j < n; j++)
      v += (a[i * n + j] - mean) * (a[i * n + j] - mean);
    c[i] = v / n;
  }
}
static void transpose(long m, long n, const float *a, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[j * m + i] = a[i * n + j];
}
// m channels, images of 56 rows of n / 56.
static void nchw_nhwc(long m, long n, const float *a, float *c) {
  for (long y = 0; y < 56; y++)
    for (long x = 0; x < n / 56; x++)
      for (long z = 0; z < m; z++)
        c[(y * (n / 56) + x) * m + z] = a[(z * 56 + y) * (n / 56) + x];
}

static void scale(long m, long n, const float *a, float *c) {
  for (long i = 0; i < m * n; i++)
    c[i] = 0.5f * a[i];
}
// The first half of the elements and the second.
static void add(long m, long n, const float *a, float *c) {
  for (long i = 0; i < m * n / 2; i++)
    c[i] = a[i] + a[m * n / 2 + i];
}

// Elements of a row in an order that is none.
static void gather(long m, long n, const float *a, float *c) {
  static int at[1024];
  if (!at[1])
    for (int j = 0; j < 1024; j++)
      at[j] = (j * 389 + 7) & 1023;
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[i * n + j] = 2 * a[i * n + at[j]];
}
// Two matrices beside each other, and the right half of one.
static void concat(long m, long n, const float *a, float *c) {
  const float *b = a + m * n / 2;
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n / 2; j++)
      c[i * n + j] = a[i * (n / 2) + j];
    for (long j = 0; j < n / 2; j++)
      c[i * n + n / 2 + j] = b[i * (n / 2) + j];
  }
}
static void slice(long m, long n, const float *a, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n / 2; j++)
      c[i * (n / 2) + j] = a[i * n + n / 2 + j];
}
// Windows of 3 x 3 of images of 56 rows, with a border of zeros; m / 9 channels.
static void im2col(long m, long n, const float *a, float *c) {
  int h = 56, w = (int)(n / 56);
  for (int k = 0; k < m; k++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        int p = y + k / 3 % 3 - 1, q = x + k % 3 - 1;
        c[(k * h + y) * w + x] =
            p < 0 || q < 0 || p >= h || q >= w ? 0 : a[(k / 9 * h + p) * w + q];
      }
}
// A bias of each of 64 channels and of each of 100 columns, by a flat index.
static void bias_flat(long m, long n, const float *a, float *c) {
  int count = (int)(m * n), size = (int)n, channels = (int)m;
  for (int i = 0; i < count; i++)
    c[i] = a[i] + a[i / size % channels];
}
static void bias_columns(long m, long n, const float *a, float *c) {
  int count = (int)(m * n), columns = (int)n;
  for (int i = 0; i < count; i++)
    c[i] = a[i] + a[i % columns];
}
// m rows of an image of four channels as one of twice the size.
static void pixel_shuffle(long m, long n, const float *a, float *c) {
  int h = (int)m / 2, w = (int)n / 2;
  for (int y = 0; y < 2 * h; y++)
    for (int x = 0; x < 2 * w; x++)
      c[y * 2 * w + x] = a[((y % 2 * 2 + x % 2) * h + y / 2) * w + x / 2];
}
static void upsample(long m, long n, const float *a, float *c) {
  int h = (int)m / 2, w = (int)n / 2;
  for (int y = 0; y < 2 * h; y++)
    for (int x = 0; x < 2 * w; x++)
      c[y * 2 * w + x] = a[y / 2 * w + x / 2];
}
static void flat_nhwc(long m, long n, const float *a, float *c) {
  int channels = (int)m, count = (int)(m * n), size = (int)n;
  for (int i = 0; i < count; i++)
    c[i] = a[i % channels * size + i / channels];
}

// Optimizers' steps of a third of the elements each: parameters, and one or two
// states of each.
static void sgd(long m, long n, const float *g, float *p) {
  for (long i = 0; i < m * n; i++)
    p[i] -= 0.01f * (g[i] + 1e-4f * p[i]);
}
static __attribute__((noinline)) void step_momentum(long n, const float *g,
                                                    float *v, float *p) {
  for (long i = 0; i < n; i++) {
    v[i] = 0.9f * v[i] + g[i];
    p[i] -= 0.01f * v[i];
  }
}
static void momentum(long m, long n, const float *g, float *p) {
  step_momentum(m * n / 2, g, p + m * n / 2, p);
}
static __attribute__((noinline)) void step_adam(long n, const float *g,
                                                float *m, float *v, float *p) {
  float lr = 1e-3f, c1 = 0.1f, c2 = 0.01f;
  for (long i = 0; i < n; i++) {
    m[i] = 0.9f * m[i] + 0.1f * g[i];
    v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
    float mh = m[i] / c1, vh = v[i] / c2;
    p[i] -= lr * mh / (sqrtf(vh) + 1e-8f);
  }
}
static void adam(long m, long n, const float *g, float *p) {
  long count = m * n / 3;
  step_adam(count, g, p + count, p + 2 * count, p);
}

const struct Loop loops[] = {
    {"rowsum", 1024, 1024, 0, rowsum},
    {"rowmax", 1024, 1024, 0, rowmax},
    {"rowargmax", 1024, 1024, 0, rowargmax},
    {"rowsum", 1, 1 << 20, 0, rowsum},
    {"dot", 1, 1 << 20, 0, dot},
    {"rowmax", 1, 1 << 20, 0, rowmax},
    {"rowargmax", 1, 1 << 20, 0, rowargmax},
    {"rowargmax", 1 << 16, 16, 0, rowargmax},
    {"colsum", 1024, 1024, 0, colsum},
    {"variance", 1024, 1024, 0, variance},
    {"transpose", 1024, 1024, 1, transpose},
    {"transpose", 1000, 1000, 1, transpose},
    {"nchw_nhwc", 64, 56 * 56, 1, nchw_nhwc},
    {"gather", 1024, 1024, 1, gather},
    {"concat", 1024, 1024, 1, concat},
    {"slice", 1024, 1024, 1, slice},
    {"im2col", 9 * 16, 56 * 56, 1, im2col},
    {"bias_flat", 64, 56 * 56, 1, bias_flat},
    {"bias_columns", 2000, 100, 1, bias_columns},
    {"pixel_shuffle", 512, 512, 1, pixel_shuffle},
    {"upsample", 512, 512, 1, upsample},
    {"flat_nhwc", 64, 56 * 56, 1, flat_nhwc},
    {"scale", 1024, 1024, 1, scale},
    {"scale", 1, 10000000, 1, scale},
    {"add", 1, 20000000, 1, add},
    {"sgd", 1, 10000000, 0, sgd, 1},
    {"momentum", 1, 20000000, 0, momentum, 2},
    {"adam", 3, 2000, 0, adam, 3},
    {"adam", 3, 10000000, 0, adam, 3},
    {0, 0, 0, 0, 0, 0},
};
