// Convolutions run by scripts. With channels in front filters are lanes: weights of
// some channels are packed, sums of a few rows wait on the stack, rows outside are
// bounds, columns outside are tested once for a run of pixels.
// DEFINE: %{attr} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt %{attr} -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
// RUN: opt -passes='default<O3>' %{attr} %t.ll -S | llc %{attr} -O3 -o - | FileCheck %s --check-prefix=ASM
// With 16 registers blocks are smaller, and a machine without masks has narrower
// vectors for what is left.
// REDEFINE: %{attr} = -mattr=+avx2,+fma
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefix=AVX2
// REDEFINE: %{attr} =
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefix=SSE2
// A program for any machine chooses when it runs, and rounds products.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=dispatch=1 %opt -S -o %t.any.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize,verify' 2>%t.any
// RUN: FileCheck %s --input-file=%t.any --check-prefix=ANY
// RUN: FileCheck %s --input-file=%t.any.ll --check-prefix=ANY-IR
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=schedules %opt -mattr=+avx2,+fma -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes=dl-vectorize 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: by the script

// CHECK: schedules.c:[[#@LINE+57]]:{{.*}} %filters x %h x %w x %channels x 3 x 3: exact, by the script packed, kernel number{{s?}} {{[0-9]+}}
// CHECK: script packed:
// CHECK-NEXT: assume %h >= 2
// CHECK-NEXT: assume %w >= 2
// CHECK-NEXT: assume %filters >= 10
// CHECK-NEXT: split f F upto 16
// CHECK-NEXT: split p1 Y upto 20
// CHECK-NEXT: split x V upto 14
// CHECK-NEXT: split x X 14 7 3 1
// CHECK-NEXT: split r1 D upto 8
// CHECK-NEXT: order F Y V p1 X x f
// CHECK-NEXT: buffer sums f32 288,16 V
// CHECK-NEXT: through t1 D sums[p1*14+X+x,f]
// CHECK-NEXT: fission f f o
// CHECK-NEXT: fission x
// CHECK-NEXT: fission X
// CHECK-NEXT: fission p1
// CHECK-NEXT: order D p1 X x f
// CHECK-NEXT: expand t1 f 16
// CHECK-NEXT: expand t1 x 14
// CHECK-NEXT: fission f
// CHECK-NEXT: fission x
// CHECK-NEXT: order p1 o X x
// CHECK-NEXT: collapse X,x z
// CHECK-NEXT: split z Z 16 rest
// CHECK-NEXT: order Z o z
// CHECK-NEXT: stage sums Z turned 256 z,o = 16*o+z
// CHECK-NEXT: order r1 r2 x r3 f
// CHECK-NEXT: skew x r3 t
// CHECK-NEXT: stage %wt D packed 1280 r1,r2,r3,f = 144*r1+48*r2+16*r3+f
// CHECK-NEXT: bounds r2
// CHECK-NEXT: case r1 V + X > 0, V + X + size(X) < %w
// CHECK-NEXT: order f_ r1_ r2_ r3_
// CHECK-NEXT: collapse r1_,r2_,r3_ e
// CHECK-NEXT: mode t unroll
// CHECK-NEXT: mode x unroll
// CHECK-NEXT: mode r3 unroll
// CHECK-NEXT: mode f,z,e,o_ lanes 16
// CHECK-NEXT: mode z_,f_ row interleave16
// AVX2: split f F upto 8
// AVX2-NEXT: split p1 Y upto 23
// AVX2-NEXT: split x V upto 12
// AVX2-NEXT: split x X 12 6 3 1
// AVX2: mode z_,f_ row interleave8
// SSE2: split f F upto 4
// SSE2: split x X 11 5 2 1
// SSE2: mode f,z,e,o_ lanes 4
// ANY: by the script packed, avx512 at run time, avx2 at run time, kernel number{{s?}} {{[0-9]+}}
// ANY-IR: define internal {{.*}} @dl.schedule.0.avx512(
// ANY-IR-NOT: llvm.fmuladd.v
// ANY-IR: define internal {{.*}} @dl.schedule.0.avx2(
// ANY-IR: define internal {{.*}} @dl.schedule.0.plain(
// IR-LABEL: define {{.*}} @front(
// IR: icmp sge i64 {{.*}}, 256
// IR: call void @dl.schedule.{{[0-9]+}}(
// ASM-LABEL: dl.schedule.0:
void front(int filters, int channels, int h, int w, const float *in, const float *wt, float *out) {
  for (int f = 0; f < filters; f++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        float acc = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
              int yy = y + r - 1, xx = x + s - 1;
              if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                acc += in[(c * h + yy) * w + xx] * wt[((f * channels + c) * 3 + r) * 3 + s];
            }
        out[(f * h + y) * w + x] = acc;
      }
}

// With channels behind weights are lanes as they are, and pixels share what is loaded.
// CHECK: schedules.c:[[#@LINE+16]]:{{.*}} by the script tiles, kernel number{{s?}} {{[0-9]+}}
// CHECK: split x X 32 16 rest
// CHECK-NEXT: split f F 8 4 2 1
// CHECK-NEXT: order p1 X p2 F f x
// CHECK: expand t1 x 32
// CHECK: order r1 r2 r3 f x
// CHECK-NEXT: bounds r1
// CHECK-NEXT: case r1 all F > 0, F + size(F) < %w
// CHECK: mode x lanes 16
// AVX2: script tiles:
// AVX2-NEXT: assume %filters >= 2
// AVX2-NEXT: split x X 16 8 rest
// AVX2-NEXT: split f F 4 1
// SSE2: script tiles:
// SSE2-NEXT: split x X 8 4 2 1
void behind(int n, int filters, int channels, int h, int w, const float *in, const float *wt, const float *bias, float *out) {
  for (int i = 0; i < n; i++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        for (int f = 0; f < filters; f++) {
          float acc = bias[f];
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
              int yy = y + r - 1, xx = x + s - 1;
              if (yy < 0 || yy >= h || xx < 0 || xx >= w)
                continue;
              for (int c = 0; c < channels; c++)
                acc += in[((i * h + yy) * w + xx) * channels + c] * wt[((r * 3 + s) * channels + c) * filters + f];
            }
          out[((i * h + y) * w + x) * filters + f] = acc > 0 ? acc : 0;
        }
}

// Sums in memory are in registers, also where the source adds a channel at a time.
// What is known of sizes is used: all rows are whole runs, all blocks are full.
// CHECK: schedules.c:[[#@LINE+16]]:{{.*}} by the script packed, kernel number{{s?}} {{[0-9]+}}
// CHECK-NEXT: script packed:
// CHECK-NEXT: split f F 16
// CHECK-NEXT: split p1 Y upto 5
// CHECK-NEXT: split x X 14
// CHECK-NEXT: split r1 D 8
// CHECK-NEXT: order F Y p1 X x f
// CHECK: collapse p1,X,x z
// CHECK-NOT: case
// CHECK: mode f,z,e,o_ lanes 16
// ASM-LABEL: dl.schedule.2:
// ASM: {{^}}.LBB{{.*}} %r2.body
// ASM-COUNT-42: vfmadd{{.*}} %zmm
// ASM-NOT: {{vmov.*zmm.*rsp}}
// ASM: j{{[a-z]+}} {{.*}}.LBB
void memory(const float in[64][58][58], const float w[64][64][3][3], float out[64][56][56]) {
  for (int f = 0; f < 64; f++)
    for (int c = 0; c < 64; c++)
      for (int y = 0; y < 56; y++)
        for (int x = 0; x < 56; x++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              out[f][y][x] += in[c][y + r][x + s] * w[f][c][r][s];
}

// What was joined with the loop around a sum gets loops of its own.
// CHECK: schedules.c:[[#@LINE+5]]:{{.*}} loops apart from convolutions, kernel number{{s?}} {{[0-9]+}}
// CHECK: by the script packed, kernel number{{s?}} {{[0-9]+}}
// IR-LABEL: define {{.*}} @joined(
// IR: call void @dl.schedule.{{[0-9]+}}(
void joined(const float in[64][58][58], const float w[64][64][3][3], const float *b, float out[64][56][56]) {
  for (int f = 0; f < 64; f++) {
    for (int y = 0; y < 56; y++)
      for (int x = 0; x < 56; x++)
        out[f][y][x] = b[f];
    for (int c = 0; c < 64; c++)
      for (int y = 0; y < 56; y++)
        for (int x = 0; x < 56; x++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              out[f][y][x] += in[c][y + r][x + s] * w[f][c][r][s];
  }
}

// Longer rows are cut, the same number of columns each time, or whole runs.
// CHECK: schedules.c:[[#@LINE+23]]:{{.*}} by the script packed, kernel number{{s?}} {{[0-9]+}}
// CHECK: split x V 50
// CHECK-NEXT: split x X 13 11
// CHECK: order p1 o X x
// CHECK: schedules.c:[[#@LINE+20]]:{{.*}} by the script packed, kernel number{{s?}} {{[0-9]+}}
// CHECK: split x V upto 42
// CHECK-NEXT: split x X 14 7 3 1
// With few filters lanes would be idle.
// CHECK: schedules.c:[[#@LINE+17]]:{{.*}} by the script tiles, kernel number{{s?}} {{[0-9]+}}
// CHECK: split f F 9{{$}}
#define ROWS(NAME, FILTERS, COLUMNS)                                             \
  void NAME(const float in[64][58][COLUMNS + 2], const float w[FILTERS][64][3][3], float out[FILTERS][56][COLUMNS]) { \
    for (int f = 0; f < FILTERS; f++)                                            \
      for (int y = 0; y < 56; y++)                                               \
        for (int x = 0; x < COLUMNS; x++) {                                      \
          float acc = 0;                                                         \
          for (int c = 0; c < 64; c++)                                           \
            for (int r = 0; r < 3; r++)                                          \
              for (int s = 0; s < 3; s++)                                        \
                acc += in[c][y + r][x + s] * w[f][c][r][s];                      \
          out[f][y][x] = acc;                                                    \
        }                                                                        \
  }
ROWS(cut_evenly, 64, 100)
ROWS(cut, 64, 83)
ROWS(few_filters, 9, 56)

// Where strides are 1, and there is a channel: else nothing is to be stored.
// CHECK: schedules.c:[[#@LINE+5]]:{{.*}} by the script tiles, kernel number{{s?}} {{[0-9]+}}
// IR-LABEL: define {{.*}} @strides(
// IR: icmp sge i64 %channels, 1
// IR: call void @dl.schedule.{{[0-9]+}}(
void strides(long n, long m, long channels, long sx, long so, float *out, const float *in, const float *w) {
  for (long f = 0; f < m; f++)
    for (long x = 0; x < n; x++)
      for (long c = 0; c < channels; c++)
        for (long s = 0; s < 3; s++)
          out[f * n + x * so] += in[c * (n + 2) + (x + s) * sx] * w[(f * channels + c) * 3 + s];
}

// One filter for each channel has nothing to share.
// CHECK: schedules.c:[[#@LINE+7]]:{{.*}} by the script strips, kernel number{{s?}} {{[0-9]+}}
// CHECK: split x X 48 32 16 rest
// CHECK: bounds r1
// CHECK-NEXT: case r1 all X > 0, X + size(X) < %w
// CHECK-NEXT: mode r2 unroll
// CHECK-NEXT: mode x lanes 16
void depthwise(int channels, int h, int w, const float *in, const float *wt, float *out) {
  for (int c = 0; c < channels; c++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        float acc = 0;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            int yy = y + r - 1, xx = x + s - 1;
            if (yy >= 0 && yy < h && xx >= 0 && xx < w)
              acc += in[(c * h + yy) * w + xx] * wt[(c * 3 + r) * 3 + s];
          }
        out[(c * h + y) * w + x] = acc;
      }
}

// The same again is the same function.
// CHECK: schedules.c:[[#@LINE+4]]:{{.*}} by the script strips, kernel number{{s?}} {{[0-9]+}}
// IR-LABEL: define {{.*}} @depthwise_again(
// IR: call void @dl.schedule.{{[0-9]+}}(
void depthwise_again(int n, int rows, int columns, const float *image, const float *weights, float *result) {
  for (int c = 0; c < n; c++)
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < columns; x++) {
        float acc = 0;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            int yy = y + r - 1, xx = x + s - 1;
            if (yy >= 0 && yy < rows && xx >= 0 && xx < columns)
              acc += image[(c * rows + yy) * columns + xx] * weights[(c * 3 + r) * 3 + s];
          }
        result[(c * rows + y) * columns + x] = acc;
      }
}

// Not by scripts: elements that are far apart, integers, fewer rounds than a block
// takes to begin, products without a window.
// CHECK-NOT: by the script
void strided(long n, long m, const float *restrict in, const float *restrict w, float *restrict out) {
  for (long f = 0; f < m; f++)
    for (long x = 0; x < n; x++) {
      float acc = 0;
      for (long s = 0; s < 3; s++)
        acc += in[5 * x + s] * w[f * 3 + s];
      out[f * n + x] = acc;
    }
}
void integers(long n, long m, const int *restrict in, const int *restrict w, int *restrict out) {
  for (long f = 0; f < m; f++)
    for (long x = 0; x < n; x++) {
      int acc = 0;
      for (long s = 0; s < 3; s++)
        acc += in[x + s] * w[f * 3 + s];
      out[f * n + x] = acc;
    }
}
void few(const float *restrict in, const float *restrict w, float *restrict out) {
  for (long f = 0; f < 5; f++)
    for (long x = 0; x < 17; x++) {
      float acc = 0;
      for (long s = 0; s < 3; s++)
        acc += in[x + s] * w[f * 3 + s];
      out[f * 17 + x] = acc;
    }
}
void product(long n, long m, long k, const float *restrict a, const float *restrict b, float *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      float acc = 0;
      for (long s = 0; s < k; s++)
        acc += a[i * k + s] * b[s * m + j];
      c[i * m + j] = acc;
    }
}
