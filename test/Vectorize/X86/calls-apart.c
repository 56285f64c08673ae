// Functions of sums that no product is made of get loops of their own, too:
// lanes of the sums stay wide.
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=row-blocks %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes=dl-vectorize -pass-remarks=dl-vectorize -pass-remarks-missed=dl- 2> %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %emit --target=aarch64-linux-gnu %s | env DLOPT_OPTIONS=disable=row-blocks %opt -S -o %t.ll \
// RUN:   -passes=dl-vectorize -pass-remarks=dl-vectorize -pass-remarks-missed=dl- 2> %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=apart %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes=dl-vectorize -pass-remarks=dl-vectorize 2> %t.txt
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=OFF
// RUN: %emit --target=nvptx64-nvidia-cuda %s | %opt -S -passes=dl-vectorize | FileCheck %s --check-prefix=PTX
// REQUIRES: x86-registered-target, aarch64-registered-target, nvptx-registered-target

// OFF-NOT: apart
// PTX-NOT: dl.lanes
float atanf(float);
float sqrtf(float);
#define FOR(I, E) for (long I = 0; I < E; I++)

// CHECK: generic f32, {{.*}}: exact, loops apart from calls
// CHECK: conv2d{{.*}} f32, {{.*}}: exact, iterations of k in
void convolution(float *restrict y, const float *x, const float *w,
                 const float *b, long channels, long h, long n, long filters) {
  FOR(o, filters) FOR(i, h - 2) FOR(j, n - 2) {
    float s = b[o];
    FOR(c, channels)
    for (int u = 0; u < 3; u++)
      for (int v = 0; v < 3; v++)
        s += x[(c * h + i + u) * n + j + v] * w[(o * channels + c) * 9 + u * 3 + v];
    y[(o * (h - 2) + i) * (n - 2) + j] = atanf(s);
  }
}

// CHECK: generic f32, {{.*}}: exact, loops apart from calls
// CHECK: squared-distance f32, {{.*}}: exact, iterations of j in
void radial(float *restrict c, const float *a, const float *b, long m, long n,
            long d, float g) {
  FOR(i, m) FOR(j, n) {
    float s = 0;
    FOR(k, d) {
      float t = a[i * d + k] - b[j * d + k];
      s += t * t;
    }
    c[i * n + j] = atanf(-g * s);
  }
}

// In the loops of a nest that goes on in order.
// CHECK: generic f32, {{.*}}: exact, loops apart from calls
// CHECK: generic f32, {{.*}}: exact, iterations of j, j in
void perceptron(float *restrict out, const float *x, const float *w,
                const float *b, const float *v, long n, long in) {
  FOR(k, n) {
    float hidden[128];
    FOR(j, 128) {
      float s = b[j];
      FOR(i, in) s += x[k * in + i] * w[i * 128 + j];
      hidden[j] = atanf(s);
    }
    FOR(o, 10) {
      float s = 0;
      FOR(j, 128) s += hidden[j] * v[j * 10 + o];
      out[k * 10 + o] = s;
    }
  }
}

// Inside loops that no kernel can be made of.
// CHECK-NOT: apart
// CHECK: generic f32, {{.*}}: exact, loops apart from products
// CHECK: matvec f32,
void step(void);
void steps(float *restrict y, const float *x, const float *w, long times,
           long n, long m) {
  FOR(t, times) {
    step();
    FOR(i, n) {
      float s = 0;
      FOR(j, m) s += w[i * m + j] * x[j];
      y[i] = atanf(s);
    }
  }
}

// Roots are taken in lanes.
// CHECK-NOT: apart
// CHECK: distance f32, {{.*}}: exact, iterations of j in
void distances(float *restrict c, const float *a, const float *b, long m,
               long n, long d) {
  FOR(i, m) FOR(j, n) {
    float s = 0;
    FOR(k, d) {
      float t = a[i * d + k] - b[j * d + k];
      s += t * t;
    }
    c[i * n + j] = sqrtf(s);
  }
}

// Two sums cannot wait in one place.
// CHECK-NOT: apart
// CHECK: generic f32, {{.*}}: exact, iterations of j in
void gated(float *restrict h, const float *x, const float *w, const float *v,
           long d, long n) {
  FOR(t, n) FOR(i, n) {
    float a = 0, b = 0;
    FOR(j, d) {
      a += w[i * d + j] * x[t * d + j];
      b += v[i * d + j] * x[t * d + j];
    }
    h[t * n + i] = a / (1 + atanf(-a)) * b;
  }
}
// CHECK-NOT: apart
