// Functions with windows are copied for the numbers that calls pass.
// RUN: %clang -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -march=x86-64-v3 --target=x86_64-linux-gnu %s -o %t.in.ll
// RUN: %opt -passes='dl-prepare,verify' -S %t.in.ll | FileCheck %s
// RUN: %opt -passes='dl-prepare,dl-vectorize<prepared>,verify' -disable-output -pass-remarks=dl-vectorize %t.in.ll 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: env DLOPT_OPTIONS=disable=size-copies %opt -passes='dl-prepare' -S %t.in.ll | FileCheck %s --check-prefix=OFF
// OFF-NOT: .sizes
//
// Other targets.
// RUN: %clang -O2 -Xclang -disable-llvm-passes -S -emit-llvm --target=aarch64-linux-gnu %s -o - | %opt -passes='dl-prepare,dl-vectorize<prepared>,verify' -disable-output -pass-remarks=dl-vectorize 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: %clang -O2 -Xclang -disable-llvm-passes -S -emit-llvm --target=nvptx64-nvidia-cuda %s -o - | %opt -passes='dl-prepare,verify' -S | FileCheck %s --check-prefix=OFF
//
// With debug information, and in C++, where others may have the function, too.
// RUN: %clang -g -O2 -Xclang -disable-llvm-passes -S -emit-llvm --target=x86_64-linux-gnu -march=x86-64-v3 -x c++ -DLINKAGE=inline %s -o - | %opt -passes='dl-prepare,verify' -S | FileCheck %s --check-prefix=CXX
// CXX-DAG: define internal void @{{.*}}convolution{{.*}}.sizes(
// CXX-DAG: define linkonce_odr {{.*}}void @{{.*}}convolution{{.*}}(
#ifndef LINKAGE
#define LINKAGE static
#endif

// DONE-DAG: 32 x 28 x 28 x 16 x 3 x 3: exact, by the script packed
// DONE-DAG: matmul.nn f32, 64 x 784 x 32: exact
// DONE-DAG: 24 x 14 x 14 x 16 x 5 x 5: exact, by the script packed
// DONE-DAG: 12 x 30 x 30 x 12 x 3 x 3: exact, by the script

// Nobody calls it with other numbers: it is gone.
// CHECK-NOT: define {{.*}} @convolution(
LINKAGE void convolution(const float *in, const float *w, float *out, int channels, int height, int width, int filters, int size, int step, int pad) {
  int oh = (height + 2 * pad - size) / step + 1, ow = (width + 2 * pad - size) / step + 1;
  for (int f = 0; f < filters; f++)
    for (int y = 0; y < oh; y++)
      for (int x = 0; x < ow; x++) {
        float s = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < size; r++)
            for (int q = 0; q < size; q++) {
              int i = y * step + r - pad, j = x * step + q - pad;
              if (i >= 0 && i < height && j >= 0 && j < width)
                s += in[(c * height + i) * width + j] * w[((f * channels + c) * size + r) * size + q];
            }
        out[(f * oh + y) * ow + x] = s;
      }
}

// What is passed on, by a function that is copied as well.
static void layer(const float *in, const float *w, float *out, int channels, int image, int filters) {
  int step = 2, size = 5, pad = size / 2;
  convolution(in, w, out, channels, image, image, filters, size, step, pad);
}

// CHECK-LABEL: define {{.*}}net(
// CHECK: call void @convolution.sizes{{[.0-9]*}}(
// CHECK: call void @convolution.sizes{{[.0-9]*}}(
// CHECK: call void @layer.sizes(
void net(const float *in, const float *w, float *out) {
  convolution(in, w, out, 16, 28, 28, 32, 3, 1, 1);
  convolution(out, w, out + 100000, 32, 28, 28, 64, 1, 1, 0);
  layer(out, w, out + 200000, 16, 28, 24);
}

// A function that others may call stays, and is copied for the calls that are here.
// CHECK-LABEL: define {{.*}}known(
void known(const float *in, const float *w, float *out, int channels, int height, int width, int filters, int size, int pad) {
  for (int f = 0; f < filters; f++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        float s = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < size; r++)
            for (int q = 0; q < size; q++) {
              int i = y + r - pad, j = x + q - pad;
              if (i >= 0 && i < height && j >= 0 && j < width)
                s += in[(c * height + i) * width + j] * w[((f * channels + c) * size + r) * size + q];
            }
        out[(f * height + y) * width + x] = s;
      }
}

// Variables that are set once are numbers; others are not.
// CHECK-LABEL: define {{.*}}calls(
// CHECK: call void @known.sizes(
// CHECK: call void @known(
void calls(const float *in, const float *w, float *out, int n) {
  int image = 30, channels = 12, rows = 3;
  known(in, w, out, channels, image, image, channels, 3, 1);
  rows = n;
  int size = 3;
  int *p = &size;
  known(in, w, out, n, n, rows, n, *p, n);
}

// Nor those whose address is known, or that are volatile.
// CHECK-LABEL: define {{.*}}others(
// CHECK-NOT: .sizes(
// CHECK: ret void
void change(int *);
void others(const float *in, const float *w, float *out, int n) {
  int size = 3;
  change(&size);
  volatile int pad = 1;
  known(in, w, out, n, n, n, n, size, pad);
}

// What is not to be inlined, or may be another function at the end, is not copied.
__attribute__((noinline)) static void kept(const float *in, const float *w, float *out, int height, int width, int size) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float s = 0;
      for (int r = 0; r < size; r++)
        for (int q = 0; q < size; q++)
          s += in[(y + r) * width + x + q] * w[r * size + q];
      out[y * width + x] = s;
    }
}
__attribute__((weak)) void another(const float *in, const float *w, float *out, int height, int width, int size) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float s = 0;
      for (int r = 0; r < size; r++)
        for (int q = 0; q < size; q++)
          s += in[(y + r) * width + x + q] * w[r * size + q];
      out[y * width + x] = s;
    }
}
// CHECK-LABEL: define {{.*}}neither(
// CHECK-NEXT: entry:
// CHECK-NOT: .sizes
// CHECK: ret void
void neither(const float *in, const float *w, float *out) {
  kept(in, w, out, 30, 32, 3);
  another(in, w, out, 30, 32, 3);
}

// Nor is what has no windows: products are as fast for any size.
static void product(const float *a, const float *b, float *c, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int p = 0; p < k; p++)
        s += a[i * k + p] * b[p * n + j];
      c[i * n + j] = s;
    }
}
// CHECK-LABEL: define {{.*}}multiply(
// CHECK: call void @product(
void multiply(const float *a, const float *b, float *c) {
  product(a, b, c, 64, 64, 64);
}
