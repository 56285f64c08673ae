// Indices that are divided get axes of their own: subscripts become linear, and the
// loops are vectorized, as they are or in lanes.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -pass-remarks-missed=dl- -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
// RUN: FileCheck %s --input-file=%t.remarks
// Without it they stay as they are.
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=quotients %opt -mattr=+avx2 -S -passes=dl-vectorize | FileCheck %s --check-prefix=OFF
// OFF-NOT: dl.guard
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=MISSED
// Compiled as usual, no element is divided for.
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -mavx2 -S -emit-llvm -o %t.o2.ll %s
// RUN: FileCheck %s --input-file=%t.o2.ll --check-prefix=O2

// A whole number of rows, which is tested, and enough elements.
// CHECK: add f32, {{.*}}: exact, loops without quotients in subscripts, kernel number{{s?}} 1
// IR-LABEL: define {{.*}} @bias(
// IR: icmp sge i64 {{.*}}, 64
// IR: srem i64
// IR: br i1 {{.*}}, label %dl.fast, label %dl.original
// O2-LABEL: define {{.*}} @bias(
// O2: fadd <8 x float>
void bias(float *y, const float *x, const float *b, int n, int c) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] + b[i % c];
}

// CHECK: batchnorm.inference f32, {{.*}}: exact, loops without quotients in subscripts, kernel number{{s?}} 2
// O2-LABEL: define {{.*}} @normalize(
// O2: fmul <8 x float>
void normalize(float *restrict y, const float *restrict x, const float *restrict m,
               const float *restrict s, int n, int c, int size) {
  for (int i = 0; i < n * c * size; i++)
    y[i] = (x[i] - m[i / size % c]) * s[i / size % c];
}

// Pairs are one vector.
// CHECK: upsample.nearest f32, {{.*}}: exact, loops without quotients in subscripts, kernel number{{s?}} 3
// O2-LABEL: define {{.*}} @upsample(
// O2: shufflevector
// O2: store <16 x float>
void upsample(float *restrict y, const float *restrict x, int h, int w) {
  for (int i = 0; i < 2 * h; i++)
    for (int j = 0; j < 2 * w; j++)
      y[i * 2 * w + j] = x[i / 2 * w + j / 2];
}

// Bits of both indices.
// CHECK: pixel-shuffle f32, {{.*}}: exact, loops without quotients in subscripts, kernel number{{s?}} 4
// O2-LABEL: define {{.*}} @shuffle(
// O2: store <16 x float>
void shuffle(float *restrict y, const float *restrict x, int h, int w) {
  for (int i = 0; i < 2 * h; i++)
    for (int j = 0; j < 2 * w; j++)
      y[i * 2 * w + j] = x[((i % 2 * 2 + j % 2) * h + i / 2) * w + j / 2];
}

// Numbers that are read as signed and as unsigned; then a transpose in lanes.
// CHECK: permute f32, {{.*}}: exact, loops without quotients in subscripts, kernel number{{s?}} 5
// CHECK: permute f32, {{.*}}: exact, iterations of k in 1 vectors of 8, past the caches from 8388608 bytes on, kernel number{{s?}} 6
// O2-LABEL: define {{.*}} @channels_last(
// O2: call {{.*}}@dl.lanes.map.f32
void channels_last(float *restrict y, const float *restrict x, int n, int c,
                   int h, int w) {
  if (c <= 0 || w <= 0 || h <= 0)
    return;
  for (int i = 0; i < n * c * h * w; i++) {
    int k = i % c, t = i / c, q = t % w, p = t / w % h, m = t / w / h;
    y[i] = x[((m * c + k) * h + p) * w + q];
  }
}

// Sums keep their order.
// CHECK: generic f32, {{.*}}: exact, loops without quotients in subscripts, kernel number{{s?}} 7
// O2-LABEL: define {{.*}} @scan(
void scan(float *restrict y, const float *restrict x, int n, int c) {
  for (int i = 1; i < n; i++)
    y[i] = y[i - 1] * x[i % c];
}
// O2-LABEL: define {{.*}} @two(

// Neither of both divides the other.
// MISSED: quotients.c:[[#@LINE+2]]:{{.*}} left alone: recognized; no schedule for this kind yet
void two(float *restrict y, const float *restrict b, int n) {
  for (int i = 0; i < n; i++)
    y[i] = b[i % 2] + b[i % 3];
}

// Not the index alone.
// MISSED: quotients.c:[[#@LINE+2]]:{{.*}} left alone: recognized; no schedule for this kind yet
void resize(float *restrict y, const float *restrict x, int n, int m) {
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i * m / n];
}

// Not the innermost one: LLVM divides once a row.
// MISSED: quotients.c:[[#@LINE+2]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void rows(float *restrict y, const float *restrict x, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i * m + j] = 2 * x[i / 2 * m + j];
}

// Never enough.
// MISSED: quotients.c:[[#@LINE+2]]:{{.*}} left alone: the extents are too small to pay
void few(float *restrict y, const float *restrict x) {
  for (int i = 0; i < 12; i++)
    y[i] = 2 * x[i % 3];
}
