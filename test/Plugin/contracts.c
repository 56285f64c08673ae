// Functions say by annotations which kernels they keep; what is lost is an error at
// the place where it is.
//
// REQUIRES: x86-registered-target
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{cc} = %clang_dl --target=x86_64-linux-gnu -mavx2 -mfma
//
// RUN: %{cc} -O3 -g -c %t/kept.c -o %t/kept.o 2>&1 | count 0
// RUN: not %{cc} -O3 -gline-tables-only -c %t/lost.c -o %t/lost.o 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %{cc} -O3 -g -fsave-optimization-record -c %t/lost.c -o %t/lost.o 2>&1 | FileCheck %s --implicit-check-not=error:
// CHECK: lost.c:10:7: error: DLOpt: 'logged' requires the kernel matmul, and its loops here are left alone: a call that may have side effects: 'log_it'; what helps: its definition in the same file, {{.*}} [UnknownCall]
// CHECK: lost.c:17:3: error: DLOpt: 'total' requires the kernel sum, and its loops here are left alone: recognized; exact results need reductions in the order of the source {{.*}} [SumOrder]
// CHECK: lost.c:22:{{.*}} error: DLOpt: 'scaled' requires the kernel softmax, and has others: scale f32
// CHECK: lost.c:27:{{.*}} error: DLOpt: 'none' requires a kernel, and has no loops that could be one
// CHECK: lost.c:31:{{.*}} error: DLOpt: 'off' requires a kernel, and its loops here are left alone: switched off by an attribute, a pragma or the deny list [Denied]
// CHECK: lost.c:38:3: error: DLOpt: 'two' requires the kernel sum, and its loops here are left alone: {{.*}} [SumOrder]
//
// The listener leaves the file of remarks to who wants it.
// RUN: FileCheck %s --check-prefix=YAML --input-file=%t/lost.opt.yaml
// YAML: Name: SumOrder
// YAML: Kernel: 'sum f32, %{{.*}}'
// YAML: Pass: {{[^d]}}
//
// Without debug locations clang knows where functions are.
// RUN: not %{cc} -O3 -c %t/lost.c -o %t/lost.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: lost.c:4:6: error: DLOpt: 'logged' requires the kernel matmul
//
// Contracts change no code.
// RUN: sed 's/^__attribute__.*//' %t/kept.c > %t/plain/kept.c
// RUN: cd %t && %{cc} -O3 -c kept.c -o kept.o
// RUN: cd %t/plain && %{cc} -O3 -c kept.c -o kept.o
// RUN: cmp %t/kept.o %t/plain/kept.o
// RUN: %{cc} -O3 -c %t/kept.c -o %t/kept.o -Rpass=dl-vectorize 2>&1 | FileCheck %s --check-prefix=COPIES
// COPIES-DAG: matmul.nn f32, 64 x 784 x 32: exact
// COPIES-DAG: reduce f32, 32 x 28 x 28 x 16 x 3 x 3: exact
// RUN: %{cc} -O3 -S -emit-llvm %t/other.c -o - | FileCheck %s --check-prefix=OTHER
// OTHER: @llvm.global.annotations = appending global [1 x { ptr, {{.*}} }] [{{.*}} { ptr @other,
// OTHER: define {{.*}} @other({{.*}} #[[OTHER:[0-9]+]] {
// OTHER: attributes #[[OTHER]] = { {{.*}} "dl-fp"="fast" "dl-pack"="0" "dl-stack"="8k"
//
// Where nothing runs nothing is lost.
// RUN: %{cc} -O0 -c %t/lost.c -o %t/lost.o
// RUN: %{cc} -Os -c %t/lost.c -o %t/lost.o
// RUN: env DLOPT_OPTIONS=enable=0 %{cc} -O3 -c %t/lost.c -o %t/lost.o
//
// A kernel that nobody works on is lost.
// RUN: not %{cc} -O3 -g -mllvm -dl-disable=dl-vectorize -c %t/kept.c -o %t/kept.o 2>&1 | FileCheck %s --check-prefix=DISABLED
// DISABLED: error: DLOpt: 'layer' requires the kernel matmul.nn, of which nothing is made: passes are switched off
//
// Kernels of several loops are lost loop by loop.
// RUN: %{cc} -O3 -g -c %t/row.c -o %t/row.o
// RUN: not %{cc} -O3 -g -mllvm -dl-disable=lanes -c %t/row.c -o %t/row.o 2>&1 | FileCheck %s --check-prefix=ROW --implicit-check-not=error:
// ROW: row.c:4:3: error: DLOpt: 'row' requires the kernel softmax, and its loops here are left alone: recognized; no schedule for this kind yet; what helps: a schedule of your own (docs/schedules.md) [NoStrategy]
//
// RUN: not %{cc} -O3 -c %t/wrong.c -o %t/wrong.o 2>&1 | FileCheck %s --check-prefix=WRONG --implicit-check-not=error:
// WRONG: error: DLOpt: function 'misspelled': unknown kind 'matmull', perhaps 'matmul'; accepted: any, matmul, matmul.nn, {{.*}}, softmax, {{.*}}, fill{{$}}
// WRONG: error: DLOpt: function 'empty': unknown attribute 'dl-require()'; accepted: dl-KEY with KEY one of enable=0|1, {{.*}}, require=KIND[,KIND]
// WRONG: error: DLOpt: function 'value': bad value 'quick' for 'fp'; accepted: fp=exact|fast

//--- kept.c
// One nest becomes tiles, LLVM does as well with the next.
__attribute__((annotate("dl:require(matmul.nn, relu)")))
void layer(int m, int n, int k, const float *restrict a, const float *restrict b,
           float *restrict c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int p = 0; p < k; ++p)
        s += a[i * k + p] * b[p * n + j];
      c[i * n + j] = s;
    }
  for (int i = 0; i < m * n; ++i)
    c[i] = c[i] > 0 ? c[i] : 0;
}

// Joined with others, a kernel has another name.
__attribute__((annotate("dl:require=scale, sigmoid")))
void joined(int n, const float *restrict x, float *restrict y) {
  for (int i = 0; i < n; ++i)
    y[i] = 3 * x[i];
  for (int i = 0; i < n; ++i)
    y[i] = 1 / (1 + __builtin_expf(-y[i]));
}

// In copies for sizes that calls pass, kernels may have other names: the second one
// is a product.
__attribute__((annotate("dl:require(conv2d)")))
static void window(const float *restrict in, const float *restrict w, float *restrict out, int channels, int height, int width, int filters, int size, int pad) {
  int oh = height + 2 * pad - size + 1, ow = width + 2 * pad - size + 1;
  for (int f = 0; f < filters; f++)
    for (int y = 0; y < oh; y++)
      for (int x = 0; x < ow; x++) {
        float s = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < size; r++)
            for (int q = 0; q < size; q++) {
              int i = y + r - pad, j = x + q - pad;
              if (i >= 0 && i < height && j >= 0 && j < width)
                s += in[(c * height + i) * width + j] * w[((f * channels + c) * size + r) * size + q];
            }
        out[(f * oh + y) * ow + x] = s;
      }
}
void net(const float *restrict in, const float *restrict w, float *restrict out, float *restrict last) {
  window(in, w, out, 16, 28, 28, 32, 3, 1);
  window(out, w, last, 32, 28, 28, 64, 1, 0);
}

//--- lost.c
int log_it(float x);

__attribute__((annotate("dl:require(matmul)")))
void logged(int m, int n, int k, const float *a, const float *b, float *c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int p = 0; p < k; ++p)
        s += a[i * k + p] * b[p * n + j];
      log_it(s);
      c[i * n + j] = s;
    }
}
__attribute__((annotate("dl:require(sum)")))
float total(int n, const float *x) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}
__attribute__((annotate("dl:require(softmax)")))
void scaled(int n, const float *x, float *y) {
  for (int i = 0; i < n; ++i)
    y[i] = 2 * x[i];
}
__attribute__((annotate("dl:require(any)")))
int none(int x) {
  return x + 1;
}
__attribute__((annotate("dl:off;require(any)")))
void off(int n, const float *x, float *y) {
  for (int i = 0; i < n; ++i)
    y[i] = 2 * x[i];
}
// One of two is kept.
__attribute__((annotate("dl:require(sum)"))) float two(int n, const float *x, const float *y, float *z) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  for (int i = 0; i < n; ++i) {
    float t = 0;
    for (int j = 0; j < n; ++j)
      t += y[i * n + j];
    z[i] = t;
  }
  return s;
}
__attribute__((annotate("dl:require(sum)"), annotate("dl:fp=fast")))
float fast_total(int n, const float *x) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}

//--- plain/empty
//--- row.c
__attribute__((annotate("dl:require(softmax)")))
void row(int n, const float *restrict x, float *restrict y) {
  float m = x[0], s = 0;
  for (int i = 1; i < n; ++i)
    m = x[i] > m ? x[i] : m;
  for (int i = 0; i < n; ++i) {
    y[i] = __builtin_expf(x[i] - m);
    s += y[i];
  }
  for (int i = 0; i < n; ++i)
    y[i] /= s;
}

//--- other.c
// Annotations of others stay.
__attribute__((annotate("other"), annotate("dl:fp=fast; no-pack;stack=8k")))
void other(void) {}
//--- wrong.c
__attribute__((annotate("dl:require(matmull)"))) void misspelled(void) {}
__attribute__((annotate("dl:require()"))) void empty(void) {}
__attribute__((annotate("dl:fp=quick"))) void value(void) {}
__attribute__((annotate("dl:off"))) extern void elsewhere(void);
__attribute__((annotate("dl:off"))) int number;
