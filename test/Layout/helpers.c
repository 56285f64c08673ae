// Arrays that functions are passed which stay functions, and the same program with
// exactly one thing broken: then the array stays as it is, and a remark says why.
// REQUIRES: aarch64-registered-target, nvptx-registered-target, x86-registered-target
// DEFINE: %{break} =
// DEFINE: %{compile} = %clang --target=x86_64-linux-gnu -march=x86-64-v3 -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm
// DEFINE: %{layout} = %{compile} %{break} %s -o %t.in.ll && \
// DEFINE:   %opt -passes='dl-prepare<all>' -S %t.in.ll -o %t.ll && \
// DEFINE:   %opt -passes='dl-layout<prepared>,verify' -pass-remarks=dl-layout -pass-remarks-missed=dl-layout -S %t.ll -o %t.out.ll 2> %t.txt
// DEFINE: %{kept} = %{layout} && FileCheck %s --input-file=%t.out.ll --check-prefix=KEPT
//
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// DONE-DAG: remark: {{.*}}: buf: 16 channels innermost, 64 elements each
// DONE-DAG: remark: {{.*}}: weights: 16 channels innermost, 32 elements each
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=IR
// IR: define internal void @pool(ptr noundef %x, ptr noundef %out)
// IR-NOT: @buf
//
// Other targets.
// DEFINE: %{target} = --target=aarch64-linux-gnu
// DEFINE: %{other} = %clang %{target} -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | \
// DEFINE:   %opt -passes='dl-prepare<all>,dl-layout<prepared>,verify' -pass-remarks=dl-layout -pass-remarks-missed=dl-layout -disable-output 2>&1
// RUN: %{other} | FileCheck %s --check-prefix=DONE
// REDEFINE: %{target} = --target=nvptx64-nvidia-cuda
// RUN: %{other} | FileCheck %s --check-prefix=GPU
// GPU-NOT: innermost
// GPU: left alone: recognized; no schedule for this target: {{net|buf}}
// GPU-NOT: innermost
//
// What prepares functions for the pipeline knows of both, and of nothing that is not
// changed then.
// RUN: %{compile} %s -o - | %opt -passes='dl-prepare' -S | FileCheck %s --check-prefix=LIGHT
// LIGHT: define internal void @conv({{.*}} [[LIGHT:#[0-9]+]] {
// LIGHT: define internal void @pool({{.*}} [[LIGHT]] {
// LIGHT: attributes [[LIGHT]] = {{.*}}"dl-light"
//
// One array that holds one tensor after the other, in an order of its own each: calls are
// where it is written and read.
// REDEFINE: %{break} = -DUNION
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=UNION
// UNION-DAG: remark: {{.*}}: both: 16 channels innermost, 64 elements each
// UNION-DAG: remark: {{.*}}: both: 32 channels innermost, 16 elements each
// A call that may return without writing it begins no tensor.
// REDEFINE: %{break} = -DUNION -DONLY='if(in[0]>0)'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=ONE
// ONE-COUNT-1: : both:
// ONE-NOT: : both:
//
// An array of the caller.
// REDEFINE: %{break} = -DLOCAL
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// An element that a function uses outside of loops.
// REDEFINE: %{break} = -DFIRST='out[0]+=x[2][1][3];'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=FIRST
// FIRST: getelementptr {{.*}}, ptr %x, i64 {{178|712}}
//
// KEPT: @buf = internal global [16 x [8 x [8 x float]]] zeroinitializer, align 16{{$}}
// L3 - another array for the same function, which is copied, if it may be.
// REDEFINE: %{break} = -DTHEN='pool(other,out);'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=COPY
// COPY: define internal void @pool(
// COPY: define internal void @pool.layout(
// REDEFINE: %{break} = -DTHEN='pool(other,out);' -DFIRST='once();'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=SHARED
// RUN: not grep '@pool.layout' %t.out.ll
// REDEFINE: %{break} = -DTHEN='pool(buf+1,out);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=SHARED
// SHARED: left alone: a function gets it that gets other arrays, too: buf: pool
// One function for two steps, each with two of three arrays: a copy for each.
// REDEFINE: %{break} = -DCHAIN=
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=CHAIN
// CHAIN-DAG: remark: {{.*}}: a: {{[0-9]+}} channels innermost
// CHAIN-DAG: remark: {{.*}}: b: {{[0-9]+}} channels innermost
// CHAIN-DAG: remark: {{.*}}: c: {{[0-9]+}} channels innermost
// REDEFINE: %{break} = -DCHAIN='once();'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=UNCHAINED
// UNCHAINED: left alone: a function gets it that gets other arrays, too: {{[abc]}}: step
// UNCHAINED-NOT: : {{[abc]}}: {{[0-9]+}} channels
// Calls that are not known.
// REDEFINE: %{break} = -DTHEN='kept=pool;'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=UNKNOWN
// REDEFINE: %{break} = -DSTATIC=
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=UNKNOWN
// REDEFINE: %{break} = -DMORE=,...
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=UNKNOWN
// REDEFINE: %{break} = -DFIRST='if(out[0]>1)pool(x,out+1);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=UNKNOWN
// REDEFINE: %{break} = -DFIRST='if(out[0]>1)again(x,out+1);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=UNKNOWN
// UNKNOWN: left alone: what is done with the array's address is not understood: buf: pool
// Twice the same array.
// REDEFINE: %{break} = -DTHEN='pool(buf,buf[0][0]);'
// RUN: %{kept}

#ifndef STATIC
#define STATIC static
#endif
#ifndef FIRST
#define FIRST
#endif
#ifndef THEN
#define THEN
#endif
#ifndef MORE
#define MORE
#endif
#ifndef ONLY
#define ONLY
#endif
#define NOINLINE __attribute__((noinline))

static const float weights[16][32] = {{1}, {2}}, more[32][32] = {{3}, {4}};
static float other[16][8][8];
#ifdef UNION
static union {
  float a[16][8][8];
  float b[32][4][4];
} both;
#define BUF both.a
#else
#define BUF buf
#ifndef LOCAL
static float buf[16][8][8];
#endif
#endif
void once(void) __attribute__((noduplicate));
void (*kept)(float x[16][8][8], float *out);
static void again(float x[16][8][8], float *out);

NOINLINE static void conv(const float *restrict in, float y[restrict 16][8][8]) {
  for (int c = 0; c < 16; c++)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        float s = 0;
        for (int l = 0; l < 32; l++)
          s += in[l * 64 + i * 8 + j] * weights[c][l];
        y[c][i][j] = s;
      }
}

NOINLINE STATIC void pool(float x[16][8][8], float *out MORE) {
  FIRST
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int c = 0; c < 16; c++) {
        float s = x[c][2 * i][2 * j];
        for (int k = 0; k < 2; k++)
          for (int l = 0; l < 2; l++)
            s = s > x[c][2 * i + k][2 * j + l] ? s : x[c][2 * i + k][2 * j + l];
        out[(i * 4 + j) * 16 + c] = s;
      }
}

NOINLINE static void again(float x[16][8][8], float *out) {
  pool(x, out);
}

#ifdef UNION
NOINLINE static void half(const float *restrict in, float y[restrict 32][4][4]) {
  ONLY
  for (int c = 0; c < 32; c++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        float s = 0;
        for (int l = 0; l < 32; l++)
          s += in[l * 64 + i * 8 + j] * more[c][l];
        y[c][i][j] = s;
      }
}

NOINLINE static void sum(float x[32][4][4], float *restrict out) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int c = 0; c < 32; c++)
        out[(i * 4 + j) * 32 + c] = x[c][i][j] + 1;
}
#endif

#ifdef CHAIN
static float a[16][8][8], b[16][8][8], c[16][8][8];

NOINLINE static void step(const float x[16][8][8], float y[16][8][8]) {
  CHAIN
  for (int k = 0; k < 16; k++)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        float s = 0;
        for (int r = 0; r < 3; r++)
          for (int q = 0; q < 3; q++)
            if (i + r < 8 && j + q < 8)
              s += x[k][i + r][j + q] * weights[k][r * 3 + q];
        y[k][i][j] = s;
      }
}
#endif

void net(const float *in, float *out) {
#ifdef CHAIN
  for (int k = 0; k < 1024; k++)
    a[0][0][k] = in[k] * 2;
  step(a, b);
  step(b, c);
  pool(c, out);
#else
#ifdef LOCAL
  float buf[16][8][8];
#endif
  conv(in, BUF);
  pool(BUF, out);
#endif
#ifdef UNION
  half(in, both.b);
  sum(both.b, out + 500);
#endif
  THEN
}
