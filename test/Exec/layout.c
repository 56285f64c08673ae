// Private tensors that functions share, that one call leaves for the next, that hold one
// thing after the other, of which single elements are set and read, with initial values:
// the bits of plain clang, whatever their order is.
//
// REQUIRES: native-x86, avx2
// DEFINE: %{flags} = -O2 -march=haswell
// DEFINE: %{to} = to=auto
// DEFINE: %{filecheck} = FileCheck %s
// DEFINE: %{check} = \
// DEFINE:   %clang %{flags} %s -c -o %t.driver.o && \
// DEFINE:   %clang %{flags} -DKERNELS %s -c -o %t.plain.o && \
// DEFINE:   %clang %{flags} -DKERNELS -Xclang -disable-llvm-passes -emit-llvm %s -c -o %t.bc && \
// DEFINE:   %opt -passes='dl-prepare<all>,dl-layout<prepared;%{to}>,verify' -pass-remarks=dl-layout %t.bc -o %t.l.bc 2>&1 | %{filecheck} && \
// DEFINE:   %clang -O2 -march=haswell -Wno-override-module %t.l.bc -c -o %t.l.o && \
// DEFINE:   %clang %t.driver.o %t.plain.o -o %t.plain && %clang %t.driver.o %t.l.o -o %t && \
// DEFINE:   %t.plain > %t.want && %t > %t.got && cmp %t.want %t.got
//
// RUN: %{check}
// REDEFINE: %{to} = to=nhwc
// REDEFINE: %{filecheck} = FileCheck %s --check-prefixes=CHECK,ALL
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -ffp-contract=off
// RUN: %{check}
// REDEFINE: %{to} = to=blocked
// REDEFINE: %{filecheck} = FileCheck %s --check-prefix=BLOCKS
// RUN: %{check}
// BLOCKS-DAG: remark: {{.*}}: state: 4 channels innermost, 64 elements each, in 4 blocks
// BLOCKS-DAG: remark: {{.*}}: w: 4 channels innermost, 9 elements each, in 4 blocks
// REDEFINE: %{to} = to=nchw
// REDEFINE: %{filecheck} = FileCheck %s --check-prefix=FIRST --allow-empty
// RUN: %{check}
// FIRST-NOT: state:
// CHECK-DAG: remark: {{.*}}: state: 16 channels innermost
// CHECK-DAG: remark: {{.*}}: sums: 16 channels innermost
// ALL-DAG: remark: {{.*}}: first: {{.*}} channels innermost
// ALL-DAG: remark: {{.*}}: second: {{.*}} channels innermost
// ALL-DAG: remark: {{.*}}: third: {{.*}} channels innermost
#ifdef KERNELS
#include <string.h>
static float state[16][8][8];
static float sums[16][6][6] = {{{1, 2, 3}, {4}}, {{5}}};
static const float w[16][3][3] = {
    {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {{.5f, .25f}}, {{3}}};
static struct {
  float a[16][8][8];
  float b[32][4][8];
  int n;
} s;
void set(const float *in) {
  for (int c = 0; c < 16; c++)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        state[c][i][j] = in[(c * 8 + i) * 8 + j] * 2;
}
void step(void) {
  for (int c = 0; c < 16; c++)
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        float t = 0;
        for (int r = 0; r < 3; r++)
          for (int q = 0; q < 3; q++)
            t += state[c][i + r][j + q] * w[c][r][q];
        sums[c][i][j] += t;
      }
}
void get(float *out) {
  for (int c = 0; c < 16; c++)
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        out[(c * 6 + i) * 6 + j] = sums[c][i][j];
}
void clear(void) { memset(sums, 0, sizeof sums); }
float one(void) { return sums[3][2][1]; }
void put(int c, float v) { sums[c][1][1] = v; }
void run(const float *in, float *out) {
  for (int e = 0; e < 3; e++) {
    for (int c = 0; c < 16; c++)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
          s.a[c][i][j] = in[(c * 8 + i) * 8 + j] + e;
    for (int c = 0; c < 32; c++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++) {
          float t = 0;
          for (int k = 0; k < 2; k++)
            t += s.a[c / 2][2 * i + k][j];
          s.b[c][i][j] = t;
        }
    for (int c = 0; c < 32; c++)
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++) {
          float t = 0;
          for (int k = 0; k < 2; k++)
            for (int l = 0; l < 2; l++)
              t += s.b[c][2 * i + k][2 * j + l];
          out[(c * 2 + i) * 4 + j] += t;
        }
  }
}
/* state that one call leaves for the next, in one buffer */
static float buf[1024];
void ring(const float *in, float *out, int flag) {
  if (flag)
    for (int c = 0; c < 16; c++)
      for (int p = 0; p < 64; p++)
        buf[c * 64 + p] = in[c * 64 + p];
  for (int c = 0; c < 16; c++)
    for (int p = 0; p < 32; p++)
      out[c * 32 + p] = buf[c * 64 + 2 * p] + buf[c * 64 + 2 * p + 1];
  for (int c = 0; c < 32; c++)
    for (int p = 0; p < 32; p++)
      buf[c * 32 + p] = in[c * 32 + p] * 3;
  for (int c = 0; c < 32; c++)
    for (int p = 0; p < 16; p++)
      out[512 + c * 16 + p] = buf[c * 32 + 2 * p] - buf[c * 32 + 2 * p + 1];
}
/* whole arrays, rows and parts that are copied and set */
static float first[16][64], second[16][64], third[32][32];
void copies(const float *in, float *out) {
  memcpy(first, in, sizeof first);
  for (int c = 0; c < 16; c++)
    for (int p = 0; p < 64; p++)
      first[c][p] = first[c][p] * in[c] + in[p];
  memcpy(second, first, sizeof second);
  memset(second[3], 0, 2 * sizeof second[3]);
  memmove(second[8], first[2], 5 * sizeof first[2]);
  memcpy(third, second, sizeof third);
  memset(first, 1, sizeof first);
  for (int c = 0; c < 16; c++)
    for (int p = 0; p < 32; p++)
      out[c * 32 + p] = second[c][2 * p] - second[c][2 * p + 1] + first[c][p];
  for (int c = 0; c < 32; c++)
    for (int p = 0; p < 16; p++)
      out[512 + c * 16 + p] = third[c][2 * p] - third[c][2 * p + 1];
  memcpy(out + 1024, first[5], 7 * sizeof first[5]);
}
/* orders that must stay: sums, ties, states that run through rows and planes */
static float st[16][8][8];
void orders(const float *in, float *out) {
  for (int c = 0; c < 15; c++)
    for (int p = 0; p < 64; p++)
      st[c][0][p] = in[(c * 64 + p) * 7 % 1000] - 5;
  for (int c = 0; c < 16; c++)
    for (int p = 1; p < 64; p++)
      st[c][0][p] += st[c][0][p - 1] * 0.7f;
  for (int c = 1; c < 16; c++)
    for (int p = 0; p < 64; p++)
      st[c][0][p] += st[c - 1][0][p] * 0.3f;
  float s = 0, best = -1;
  int at = 0;
  for (int i = 0; i < 1024; i++)
    s += st[0][0][i];
  for (int i = 0; i < 1024; i++)
    if ((int)st[0][0][i] / 4 > best) {
      best = (int)st[0][0][i] / 4;
      at = i;
    }
  out[0] = s;
  out[1] = at;
  out[2] = 0;
  for (int i = 0; i < 1024; i++)
    if (st[0][0][i] > out[2]) {
      out[2] = st[0][0][i];
      out[3] = i;
    }
}
static int ib[12][5][5];
static short sb[40][3][3];
static double db[8][9][9];
void mixed(const int *in, int *out) {
  for (int c = 0; c < 12; c++)
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < 5; j++)
        ib[c][i][j] = in[c * 25 + i * 5 + j] ^ c;
  int m = -1;
  for (int i = 0; i < 300; i++)
    m = (&ib[0][0][0])[i] > m ? (&ib[0][0][0])[i] : m;
  for (int c = 0; c < 40; c++)
    for (int p = 0; p < 9; p++)
      sb[c][0][p] = in[c * 7 % 300 + p] + m;
  for (int c = 0; c < 12; c++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        int t = 0;
        for (int k = 0; k < 2; k++)
          for (int l = 0; l < 2; l++)
            t += ib[c][i + k][j + l];
        out[(c * 4 + i) * 4 + j] = t;
      }
  for (int c = 0; c < 40; c++)
    for (int p = 0; p < 9; p++)
      out[200 + c * 9 + p] = sb[39 - c][0][8 - p] * 3;
  for (int c = 0; c < 8; c++)
    for (int i = 0; i < 9; i++)
      for (int j = 0; j < 9; j++)
        db[c][i][j] = in[(c * 81 + i * 9 + j) % 300] / 3.0;
  for (int c = 0; c < 8; c++)
    for (int i = 0; i < 9; i++) {
      double t = 0;
      for (int j = 0; j <= i; j++)
        t += db[c][i][j];
      out[600 + c * 9 + i] = (int)(t * 1000);
    }
}
#else
#include <stdint.h>
#include <stdio.h>
#include <string.h>
void set(const float *);
void step(void);
void get(float *);
void clear(void);
float one(void);
void put(int, float);
void run(const float *, float *);
void ring(const float *, float *, int);
void mixed(const int *, int *);
void copies(const float *, float *);
void orders(const float *, float *);
static float in[4096], out[8192];
static int iin[400], iout[800];
static void show(const char *n) {
  uint64_t h = 1;
  for (unsigned i = 0; i < sizeof out; i++)
    h = h * 31 + ((uint8_t *)out)[i];
  for (unsigned i = 0; i < sizeof iout; i++)
    h = h * 31 + ((uint8_t *)iout)[i];
  printf("%s %llx\n", n, (unsigned long long)h);
}
int main() {
  for (int i = 0; i < 4096; i++)
    in[i] = (i * 37 % 101) / 7.0f;
  for (int i = 0; i < 400; i++)
    iin[i] = i * i % 173;
  get(out);
  show("init");
  set(in);
  step();
  step();
  get(out);
  show("get");
  printf("%a\n", one());
  put(2, 5);
  put(15, 7);
  step();
  get(out);
  show("put");
  clear();
  step();
  get(out);
  show("clear");
  run(in, out);
  show("run");
  run(in, out);
  show("run");
  ring(in, out, 1);
  show("ring");
  ring(in + 5, out, 0);
  show("ring0");
  ring(in + 9, out, 1);
  show("ring1");
  ring(in, out, 0);
  show("ring0");
  copies(in + 3, out);
  show("copies");
  copies(in + 77, out);
  show("copies");
  orders(in, out);
  show("orders");
  orders(in + 9, out);
  show("orders");
  mixed(iin, iout);
  show("mixed");
  mixed(iin + 10, iout);
  show("mixed");
}
#endif
