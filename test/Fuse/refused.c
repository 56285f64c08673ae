// Loops over the same memory that stay apart.
// RUN: %emit -gline-tables-only %s | %opt -passes='dl-prepare<all>,dl-fuse<prepared>,verify' -pass-remarks=dl-fuse -pass-remarks-analysis=dl-fuse -disable-output 2>&1 | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu -gline-tables-only %s | %opt -passes='dl-prepare<all>,dl-fuse<prepared>,verify' -pass-remarks=dl-fuse -pass-remarks-analysis=dl-fuse -disable-output 2>&1 | FileCheck %s
// What stays apart stays as it was, unless it is a row program (rows.c).
// RUN: %emit -DAPART %s | %opt -passes='dl-prepare<all>,function(simplifycfg,lcssa)' -S -o %t.before
// RUN: %emit -DAPART %s | %opt -passes='dl-prepare<all>,dl-fuse<prepared>,function(simplifycfg,lcssa)' -S -o %t.after
// RUN: cmp %t.before %t.after
// CHECK-NOT: joined

float expf(float);

// CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} not joined: loops over the same memory run another number of times
void extents(long n, float *restrict o, float *restrict t, const float *a) {
  for (long i = 0; i < n; i++)
    t[i] = a[i] + 1.0f;
  for (long i = 0; i < n - 1; i++)
    o[i] = t[i] * 3.0f;
}

// CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} not joined: an iteration of a later loop uses what another iteration of an earlier one writes, or the other way round
void behind(long n, float *restrict o, float *restrict t, const float *a) {
  for (long i = 0; i < n; i++)
    t[i] = a[i] + 1.0f;
  for (long i = 0; i < n; i++)
    o[i] = t[i + 1] * 3.0f;
}

// The first loop reads what the second one writes, one iteration later.
// CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} not joined: an iteration of a later loop uses what another iteration of an earlier one writes, or the other way round
void before(long n, float *restrict o, float *restrict t) {
  for (long i = 0; i < n; i++)
    o[i] = t[i + 1] + 1.0f;
  for (long i = 0; i < n; i++)
    t[i] = 3.0f * o[i];
}

// Few products a row: LLVM unrolls them, and clears all results by one call.
// CHECK-DAG: refused.c:[[#@LINE+3]]:{{.*}} not joined: two loops over the same memory are faster apart: lanes can share one, or one is a matrix product
void few_products(const float *restrict a, const float *restrict b,
                  float *restrict c) {
  for (long i = 0; i < 64; i++)
    for (long j = 0; j < 3; j++)
      c[i * 3 + j] = 0;
  for (long i = 0; i < 64; i++)
    for (long k = 0; k < 3; k++)
      for (long j = 0; j < 3; j++)
        c[i * 3 + j] += a[i * 3 + k] * b[k * 3 + j];
}

// Two matrices beside each other: what both only write is no reason.
// CHECK-DAG: refused.c:[[#@LINE+3]]:{{.*}} not joined: two loops over the same memory are faster apart: lanes can share one, or one is a matrix product
void beside(const float *restrict a, const float *restrict b,
            float *restrict c) {
  for (long i = 0; i < 64; i++)
    c[i] = a[i];
  for (long i = 0; i < 64; i++)
    c[64 + i] = b[i];
}

#ifndef APART
// The whole sum is needed.
// CHECK-DAG: refused.c:[[#@LINE+3]]:{{.*}} not joined: two loops over the same memory are faster apart: lanes can share one, or one is a matrix product
void mean(long n, float *restrict x) {
  float s = 0;
  for (long i = 0; i < n; i++)
    s += x[i];
  s /= n;
  for (long i = 0; i < n; i++)
    x[i] -= s;
}

// CHECK-DAG: refused.c:[[#@LINE+3]]:{{.*}} not joined: what lies between two loops over the same memory needs the first, and the second needs it
float between(long n, const float *x, const float *y) {
  float s = 0, v = 0;
  for (long i = 0; i < n; i++)
    s += x[i];
  s /= n;
  for (long i = 0; i < n; i++)
    v += (x[i] - s) * y[i];
  return v;
}
#endif

// A store between the loops to what both use.
// CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} not joined: what lies between two loops over the same memory needs the first, and the second needs it
void store(long n, float *restrict o, float *restrict t, const float *a) {
  for (long i = 0; i < n; i++)
    t[i] = a[i] + 1.0f;
  t[0] = 0;
  for (long i = 0; i < n; i++)
    o[i] = t[i] * 3.0f;
}

// One is a chain in its order, the other can be in lanes.
// CHECK-DAG: refused.c:[[#@LINE+3]]:{{.*}} not joined: two loops over the same memory are faster apart: lanes can share one, or one is a matrix product
void chain(long n, float *restrict o, const float *restrict a, float *sum) {
  float s = *sum;
  for (long i = 0; i < n; i++)
    s += a[i];
  for (long i = 0; i < n; i++)
    o[i] = a[i] * 3.0f;
  *sum = s;
}

// Two products are better apart.
// CHECK-DAG: refused.c:[[#@LINE+3]]:{{.*}} not joined: two loops over the same memory are faster apart: lanes can share one, or one is a matrix product
void products(long n, float *restrict c, float *restrict d,
              const float *a, const float *b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < n; k++)
        s += c[i * n + k] * b[k * n + j];
      d[i * n + j] = s;
    }
}

// Conditions that hold for a whole row are tested once in front of its loop, not for
// every element that they store.
// CHECK-DAG: refused.c:[[#@LINE+3]]:{{.*}} not joined: two loops over the same memory are faster apart: lanes can share one, or one is a matrix product
void conditional_rows(long m, long n, float *restrict y, const float *x,
                      const float *bias, long top, long bottom) {
  for (long i = 0; i < m; i++) {
    if (i >= top)
      for (long j = 0; j < n; j++)
        y[i * n + j] += x[j];
    if (i < bottom)
      for (long j = 0; j < n; j++)
        y[i * n + j] += bias[j];
  }
}

// The last of the loops may be left in two ways.
float two_exits(long n, float *restrict a, const float *b) {
  for (long i = 0; i < n; i++)
    a[i] = b[i];
  long k = 0;
  while (k < n && k < 200) {
    a[k] += b[k];
    k++;
  }
  if (k == 7)
    return b[0];
  return 2;
}

// A convolution has a script, which nothing that follows is a part of.
// CHECK-DAG: refused.c:[[#@LINE+3]]:{{.*}} not joined: two loops over the same memory are faster apart
void convolution_and_pool(float y[restrict 16][28][28], const float x[8][30][30],
                          const float w[16][8][3][3], float z[restrict 16][14][14]) {
  for (int f = 0; f < 16; f++)
    for (int i = 0; i < 28; i++)
      for (int j = 0; j < 28; j++) {
        float s = 0;
        for (int c = 0; c < 8; c++)
          for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++)
              s += x[c][i + r][j + q] * w[f][c][r][q];
        y[f][i][j] = s;
      }
  for (int f = 0; f < 16; f++)
    for (int i = 0; i < 14; i++)
      for (int j = 0; j < 14; j++)
        z[f][i][j] = y[f][2 * i][2 * j] + y[f][2 * i + 1][2 * j + 1];
}

// The same where steps and sizes are arguments, and of windows without channels
// that move by two.
// CHECK-DAG: refused.c:[[#@LINE+4]]:{{.*}} not joined: two loops over the same memory are faster apart
void convolution_and_bias(float *restrict y, const float *restrict x, const float *restrict w,
                          const float *restrict b, int f, int c, int h, int v, int oh, int ow,
                          int k, int s, int p) {
  for (int e = 0; e < f; e++)
    for (int i = 0; i < oh; i++)
      for (int j = 0; j < ow; j++) {
        float sum = 0;
        for (int d = 0; d < c; d++)
          for (int r = 0; r < k; r++)
            for (int q = 0; q < k; q++) {
              int m = i * s + r - p, n = j * s + q - p;
              if (m >= 0 && m < h && n >= 0 && n < v)
                sum += x[(d * h + m) * v + n] * w[((e * c + d) * k + r) * k + q];
            }
        y[(e * oh + i) * ow + j] = sum;
      }
  for (int e = 0; e < f; e++)
    for (int i = 0; i < oh * ow; i++)
      y[e * oh * ow + i] += b[e];
}

// CHECK-DAG: refused.c:[[#@LINE+3]]:{{.*}} not joined: two loops over the same memory are faster apart
void mean_and_bias(float y[restrict 16][28 * 28], const float x[16][57][57],
                   const float b[16]) {
  for (int f = 0; f < 16; f++)
    for (int i = 0; i < 28; i++)
      for (int j = 0; j < 28; j++) {
        float s = 0;
        for (int r = 0; r < 3; r++)
          for (int q = 0; q < 3; q++)
            s += x[f][2 * i + r][2 * j + q];
        y[f][28 * i + j] = s / 9;
      }
  for (int f = 0; f < 16; f++)
    for (int i = 0; i < 28 * 28; i++)
      y[f][i] += b[f];
}
