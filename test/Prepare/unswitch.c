// A nest that reads something only if what does not change says so is two nests,
// if these are worth it.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -verify-each -S %t.ll | FileCheck %s
// RUN: %opt -passes=dl-vectorize -verify-each -pass-remarks=dl- -pass-remarks-missed=dl- -S %t.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang --target=aarch64-linux-gnu -march=armv8.2-a+dotprod -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -verify-each -S %t.ll | FileCheck %s
// RUN: %clang --target=nvptx64-nvidia-cuda -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -S %t.ll | FileCheck %s --check-prefix=NONE
// REQUIRES: x86-registered-target, aarch64-registered-target, nvptx-registered-target

// No kernel is transformed there, so no nest is copied.
// NONE-NOT: unswitched

// CHECK-LABEL: define {{.*}}@optional(
// CHECK:         [[HOLDS:%.*]] = icmp eq ptr %bias, null
// CHECK:         br i1 [[HOLDS]], label %{{.*}}.unswitched.preheader, label
// CHECK-NOT:     null
// CHECK:       }
// REMARK: matmul i32, {{.*}} by the script dots
// REMARK: matmul i32, {{.*}} by the script dots
void optional(int m, int n, int k, const signed char *restrict a,
              const signed char *restrict b, const int *restrict bias,
              int *restrict c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[j * k + l];
      if (bias)
        s += bias[j];
      c[i * n + j] = s;
    }
}

// Two tests are four nests.
// CHECK-LABEL: define {{.*}}@both(
// CHECK-COUNT-4: store i32
// CHECK-NOT:     {{store|null}}
// CHECK:       }
// REMARK: %m x %n x %k: exact, by the script dots
// REMARK: %m x %n x %k: exact, by the script dots
// REMARK: %m x %n x %k: exact, by the script dots
// REMARK: %m x %n x %k: exact, by the script dots
void both(int m, int n, int k, const signed char *restrict a,
          const signed char *restrict b, const int *restrict bias,
          const int *restrict more, int *restrict c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[j * k + l];
      if (bias)
        s += bias[j];
      if (more)
        s += more[i * n + j];
      c[i * n + j] = s;
    }
}

// What is transformed as it is stays one nest.
// CHECK-LABEL: define {{.*}}@floats(
// CHECK-NOT:     unswitched
// CHECK:       }
// REMARK: matmul.nt f32
void floats(int m, int n, int k, const float *restrict a,
            const float *restrict b, const float *restrict bias,
            float *restrict c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[j * k + l];
      if (bias)
        s += bias[j];
      c[i * n + j] = s;
    }
}

// What is tested changes, or is read in the nest.
// CHECK-LABEL: define {{.*}}@changes(
// CHECK-NOT:     unswitched
// CHECK:       }
// REMARK-NOT: by the script dots
void changes(int m, int n, int k, const signed char *restrict a,
             const signed char *restrict b, const int *restrict bias,
             int *restrict c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[j * k + l];
      if (s > n)
        s += bias[j];
      c[i * n + j] = s;
    }
}
// CHECK-LABEL: define {{.*}}@reads(
// CHECK-NOT:     unswitched
// CHECK:       }
void reads(int m, int n, int k, const signed char *restrict a,
           const signed char *restrict b, const int *const *biases,
           int *restrict c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[j * k + l];
      if (*biases)
        s += (*biases)[j];
      c[i * n + j] = s;
    }
}

// An axis that is an argument says which loop is a sum.
// CHECK-LABEL: define {{.*}}@axis(
// CHECK:         switch i64 %axis, label
// CHECK:         i64 0, label %{{.*}}.unswitched
// CHECK:         i64 1, label %{{.*}}.unswitched
// CHECK:       }
// REMARK: sum f32, %m x %n: exact, iterations of i
#ifndef __NVPTX__ // whose sums are kernels
void axis(float *restrict y, const float *restrict x, long m, long n, long axis) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      long c[] = {i, j};
      c[axis] = 0;
      y[c[0] * n + c[1]] += x[i * n + j];
    }
}
#endif
// But not if it is another one in each round.
// CHECK-LABEL: define {{.*}}@moves(
// CHECK-NOT:     unswitched
// CHECK:       }
void moves(float *restrict y, const float *restrict x, long m, long n,
           const long *restrict axis) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      long c[] = {i, j};
      c[axis[j]] = 0;
      y[c[0] * n + c[1]] += x[i * n + j];
    }
}

// Windows whose script is for sums without a test: of 3 x 3 by filters in lanes.
// CHECK-LABEL: define {{.*}}@windows(
// CHECK:         br i1 {{.*}}, label %{{.*}}.unswitched.preheader, label
// CHECK:       }
// REMARK: conv2d f32, %filters x {{.*}} by the script packed
// REMARK: conv2d f32, %filters x {{.*}} by the script packed
#define WINDOWS(PLANE, WEIGHT)                                                 \
  for (int o = 0; o < filters; o++)                                            \
    for (int i = 0; i < h; i++)                                                \
      for (int j = 0; j < w; j++) {                                            \
        float s = 0;                                                           \
        for (int c = 0; c < channels; c++)                                     \
          for (int r = 0; r < 3; r++)                                          \
            for (int q = 0; q < 3; q++)                                        \
              if (i + r >= 1 && i + r <= h && j + q >= 1 && j + q <= w)        \
                s += x[((PLANE)*h + i + r - 1) * w + j + q - 1] *              \
                     k[((WEIGHT)*3 + r) * 3 + q];                              \
        if (bias)                                                              \
          s += bias[o];                                                        \
        y[(o * h + i) * w + j] = s;                                            \
      }
void windows(float *restrict y, const float *restrict x,
             const float *restrict k, const float *restrict bias, int filters,
             int channels, int h, int w) {
  WINDOWS(c, o * channels + c)
}

// Lanes of pixels have it under the test.
// CHECK-LABEL: define {{.*}}@depthwise(
// CHECK-NOT:     unswitched
// CHECK:       }
// REMARK: by the script strips
void depthwise(float *restrict y, const float *restrict x,
               const float *restrict k, const float *restrict bias, int filters,
               int h, int w) {
  enum { channels = 1 };
  WINDOWS(o, o)
}
