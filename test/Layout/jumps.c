// Functions that return twice (L20): what is behind such a call may run again when
// another tensor is in the array.
// REQUIRES: x86-registered-target
// DEFINE: %{break} =
// DEFINE: %{layout} = %clang --target=x86_64-linux-gnu -march=x86-64-v3 -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %{break} %s -o %t.in.ll && \
// DEFINE:   %opt -passes='dl-prepare<all>' -S %t.in.ll -o %t.ll && \
// DEFINE:   %opt -passes='dl-layout<prepared;to=nhwc>,verify' -pass-remarks=dl-layout -pass-remarks-missed=dl-layout -S %t.ll -o %t.out.ll 2> %t.txt
//
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=BOTH
// BOTH-DAG: remark: {{.*}}: both: 16 channels innermost, 64 elements each
// BOTH-DAG: remark: {{.*}}: both: 32 channels innermost, 32 elements each
//
// One array, in one order.
// REDEFINE: %{break} = -DAGAIN='setjmp(env)'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=ONE
// REDEFINE: %{break} = -DAGAIN='pure()'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=ONE
// ONE-COUNT-1: : both:
// ONE-NOT: : both:
//
// A function that has such a call and an element of the array is not changed, so the
// array is not either.
// REDEFINE: %{break} = -DUSER='*out>1'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=WHOLE
// WHOLE: remark: {{.*}}: both: {{[0-9]+}} channels innermost
// REDEFINE: %{break} = -DUSER='setjmp(env)'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=USER
// USER: left alone: {{.*}}setjmp{{.*}}: both
// USER-NOT: both: {{[0-9]+}} channels
#ifndef AGAIN
#define AGAIN in[0] > 1
#endif
int setjmp(int *) __attribute__((returns_twice));
int pure(void) __attribute__((returns_twice, const, nothrow));
int env[64];
static union {
  float a[16][8][8];
  float b[32][4][8];
} both;
static const float weights[16][32] = {{1}, {2, 3}}, more[32][32] = {{4}, {5, 6}};
#define NOINLINE __attribute__((noinline)) static

NOINLINE void first(const float *restrict in) {
  for (int c = 0; c < 16; c++)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        float s = 0;
        for (int l = 0; l < 32; l++)
          s += in[l * 64 + i * 8 + j] * weights[c][l];
        both.a[c][i][j] = s;
      }
}

NOINLINE void second(const float *restrict in) {
  for (int c = 0; c < 32; c++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 8; j++) {
        float s = 0;
        for (int l = 0; l < 32; l++)
          s += in[l * 64 + i * 8 + j] * more[c][l];
        both.b[c][i][j] = s;
      }
}

NOINLINE void get_first(float *restrict out) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      for (int c = 0; c < 16; c++)
        out[(i * 8 + j) * 16 + c] = both.a[c][i][j] * 2;
}

NOINLINE void get_second(float *restrict out) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 8; j++)
      for (int c = 0; c < 32; c++)
        out[(i * 8 + j) * 32 + c] = both.b[c][i][j] * 2;
}

void net(const float *in, float *out) {
  first(in);
  if (AGAIN)
    *out = 1;
  get_first(out);
  second(in);
  get_second(out + 1024);
}

#ifdef USER
void user(float *out) {
  if (USER)
    *out = both.a[1][2][3];
}
#endif
