// Sums of bytes, each with a scale and a zero point of its own; truth values.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
typedef signed char byte;
double round(double);

// CHECK-DAG: bytes.c:[[#@LINE+3]]:{{.*}} kernel: add i8
void add(int n, const byte *x, float xs, float xz, const byte *y, float ys, float yz, float s,
         float z, byte *restrict o) {
  for (int i = 0; i < n; ++i) {
    float a = (x[i] - xz) * xs, b = (y[i] - yz) * ys;
    int sum = round((a + b) / s + z);
    o[i] = sum < -128 ? -128 : sum > 127 ? 127 : sum;
  }
}
// CHECK-DAG: bytes.c:[[#@LINE+3]]:{{.*}} kernel: add i8
void unclamped(int n, const byte *x, float xs, int xz, const byte *y, float ys, int yz, float s,
               int z, byte *restrict o) {
  for (int i = 0; i < n; ++i)
    o[i] = (byte)((((float)x[i] - xz) * xs + ((float)y[i] - yz) * ys) / s + z);
}
// The difference is none, nor is the sum of three.
// CHECK-DAG: bytes.c:[[#@LINE+3]]:{{.*}} kernel: map i8
void difference(int n, const byte *x, float xs, float xz, const byte *y, float ys, float yz,
                float s, float z, byte *restrict o) {
  for (int i = 0; i < n; ++i)
    o[i] = (byte)((((float)x[i] - xz) * xs - ((float)y[i] - yz) * ys) / s + z);
}
// CHECK-DAG: bytes.c:[[#@LINE+2]]:{{.*}} kernel: mask f32
void where(int n, const _Bool *m, const float *x, float *restrict o) {
  for (int i = 0; i < n; ++i)
    o[i] = m[i] > 0 ? x[i] : 0;
}
// CHECK-DAG: bytes.c:[[#@LINE+4]]:{{.*}} kernel: matvec i8
// A bias in what scale ever, rounding and shifts.
void connected(int n, int m, const byte *x, const byte *w, const byte *bias, int left, int right,
               byte *restrict y) {
  for (int i = 0; i < m; ++i) {
    int s = (bias[i] << left) + ((1 << right) >> 1);
    for (int j = 0; j < n; ++j)
      s += x[j] * w[i * n + j];
    s >>= right;
    y[i] = s < -128 ? -128 : s > 127 ? 127 : s;
  }
}

// CHECK-DAG: bytes.c:[[#@LINE+2]]:{{.*}} kernel: clamp f32
void clamp(int n, const float *x, float low, float high, float *restrict o) {
  for (int i = 0; i < n; ++i)
    o[i] = x[i] > high ? high : x[i] < low ? low : x[i];
}

// Sums by integers and a shift, cut off by a chain of comparisons; a product is neither a sum nor
// one of its factors by another scale.
// CHECK-DAG: bytes.c:[[#@LINE+2]]:{{.*}} kernel: add i8
void add_by_shift(int n, const byte *x, const byte *y, byte *restrict o, int b, int p, int q, int s, int z) {
  for (int i = 0; i < n; ++i) {
    int v = ((b + x[i] * p + y[i] * q) >> s) + z;
    o[i] = v < -128 ? -128 : v > 127 ? 127 : v;
  }
}
// CHECK-DAG: bytes.c:[[#@LINE+2]]:{{.*}} kernel: add i8
void add_between(int n, const byte *x, const byte *y, byte *restrict o, int b, int p, int q, int s, int least, int most) {
  for (int i = 0; i < n; ++i) {
    int v = (b + x[i] * p + y[i] * q) >> s;
    v = v < least ? least : v;
    o[i] = v > most ? most : v;
  }
}
// CHECK-DAG: bytes.c:[[#@LINE+2]]:{{.*}} kernel: requantize i8
void rescale_by_shift(int n, const byte *x, byte *restrict o, int b, int p, int s, int z) {
  for (int i = 0; i < n; ++i) {
    int v = ((b + x[i] * p) >> s) + z;
    o[i] = v < -128 ? -128 : v > 127 ? 127 : v;
  }
}
// CHECK-DAG: bytes.c:[[#@LINE+2]]:{{.*}} kernel: {{multiply|map}} i8
void product_by_shift(int n, const byte *x, const byte *y, byte *restrict o, int b, int p, int s, int z) {
  for (int i = 0; i < n; ++i) {
    int v = ((b + x[i] * y[i] * p) >> s) + z;
    o[i] = v < -128 ? -128 : v > 127 ? 127 : v;
  }
}
// Cut off in the middle: what is too great becomes the least number.
// CHECK-DAG: bytes.c:[[#@LINE+2]]:{{.*}} kernel: map i8
void folded(int n, const byte *x, byte *restrict o, int b, int p, int s, int z) {
  for (int i = 0; i < n; ++i) {
    int v = ((b + x[i] * p) >> s) + z;
    o[i] = v < -128 ? -128 : v > 127 ? -128 : v;
  }
}
