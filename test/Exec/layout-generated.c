// A network in the form that onnx2c gives its code, in each of its three kinds of storage:
// static unions, static arrays, unions on the stack. Padded, grouped and 1x1 convolutions,
// batch normalization, poolings, concatenation, flat loops. The bits of plain clang.
//
// REQUIRES: native-x86, avx2
// DEFINE: %{mode} = 1
// DEFINE: %{flags} = -O3 -march=haswell -ffp-contract=off -DMODE=%{mode} %s -lm
// DEFINE: %{check} = %clang %{flags} -o %t.plain && %t.plain > %t.want && \
// DEFINE:   %clang_dl %{flags} -Rpass=dl-layout -o %t.dl 2> %t.txt && %t.dl | diff %t.want -
//
// RUN: %{check} && FileCheck %s --input-file=%t.txt --check-prefixes=CHECK,UNIONS
// REDEFINE: %{mode} = 2
// RUN: %{check} && FileCheck %s --input-file=%t.txt --check-prefixes=CHECK,ARRAYS
// REDEFINE: %{mode} = 3
// RUN: %{check} && FileCheck %s --input-file=%t.txt --check-prefixes=CHECK,STACK
// CHECK-DAG: remark: w_conv0: 16 channels innermost, 27 elements each
// CHECK-DAG: remark: w_dw: 16 channels innermost, 9 elements each
// UNIONS-DAG: remark: tu0: 16 channels innermost, 196 elements each
// UNIONS-DAG: remark: tu0: 16 channels innermost, 49 elements each
// UNIONS-DAG: remark: tu1: 16 channels innermost, 196 elements each
// UNIONS-DAG: remark: tu1: 16 channels innermost, 49 elements each
// UNIONS-DAG: remark: tu2: 16 channels innermost, 49 elements each
// UNIONS-DAG: remark: tu3: 32 channels innermost, 49 elements each
// ARRAYS-DAG: remark: t_c0: 16 channels innermost, 196 elements each
// ARRAYS-DAG: remark: t_bn: 16 channels innermost, 196 elements each
// ARRAYS-DAG: remark: t_re: 16 channels innermost, 196 elements each
// ARRAYS-DAG: remark: t_mp: 16 channels innermost, 49 elements each
// ARRAYS-DAG: remark: t_dw: 16 channels innermost, 49 elements each
// ARRAYS-DAG: remark: t_pw: 16 channels innermost, 49 elements each
// ARRAYS-DAG: remark: t_ca: 32 channels innermost, 49 elements each
// STACK-COUNT-6: remark: a local array: 16 channels innermost
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stddef.h>
static const float w_conv0[16][3][3][3] = {{{{0.5f,-1,2}},{{1}}},{{{2}}},{{{-1,3}}}};
static const float b_conv0[16] = {1,2,3};
static const float bn_s[16]={1,2,.5f,1,1,1,1,1,1,1,1,1,1,1,1,3}, bn_b[16]={.5f}, bn_m[16]={1,2}, bn_v[16]={1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7};
static const float w_dw[16][1][3][3] = {{{{1,2,3},{4}}},{{{2}}},{{{-1}}}};
static const float w_pw[16][16][1][1] = {{{{1}},{{2}}},{{{3}}}};
static const float b_pw[16] = {0.25f};
static const float w_fc[10][32] = {{1,2,3},{-1,2},{.5f}};
static const float b_fc[10] = {1,2};
#define T_c0 float t_c0[1][16][14][14]
#define T_bn float t_bn[1][16][14][14]
#define T_re float t_re[1][16][14][14]
#define T_mp float t_mp[1][16][7][7]
#define T_dw float t_dw[1][16][7][7]
#define T_pw float t_pw[1][16][7][7]
#define T_ca float t_ca[1][32][7][7]
#define T_ga float t_ga[1][32][1][1]
#define T_fl float t_fl[1][32]
#if MODE == 2
#define S(n,t) t
static T_c0; static T_bn; static T_re; static T_mp; static T_dw; static T_pw; static T_ca; static T_ga; static T_fl;
#else
union tensor_union_0 { T_c0; T_re; T_dw; T_ga; };
union tensor_union_1 { T_bn; T_mp; };
union tensor_union_2 { T_pw; T_fl; };
union tensor_union_3 { T_ca; };
#define S(n,t) tu##n.t
#if MODE == 1
static union tensor_union_0 tu0; static union tensor_union_1 tu1; static union tensor_union_2 tu2; static union tensor_union_3 tu3;
#endif
#endif
static inline void node_conv0(const float x[1][3][14][14], const float w[16][3][3][3], const float bias[16], float y[1][16][14][14]) {
  for (uint32_t b = 0; b < 1; b++) {
  for (uint32_t m = 0; m < 16; m++) {
    for (int32_t o0 = 0, i0 = -1; o0 < 14; o0++, i0 += 1) {
    for (int32_t o1 = 0, i1 = -1; o1 < 14; o1++, i1 += 1) {
      y[b][m][o0][o1] = bias[m];
      for (int32_t c = 0; c < 3; c++) {
      for (uint32_t k0 = 0; k0 < 3; k0++) {
      for (uint32_t k1 = 0; k1 < 3; k1++) {
        int ii0 = i0 + k0 * 1;
        int ii1 = i1 + k1 * 1;
        if (ii0 >= 0 && ii0 < 14 && ii1 >= 0 && ii1 < 14) {
          y[b][m][o0][o1] += x[b][c][ii0][ii1] * w[m][c][k0][k1];
        }
      } } }
    } } } }
}
static inline void node_bn(const float X[1][16][14][14], const float scale[16], const float bias[16], const float mean[16], const float var[16], float output[1][16][14][14]) {
  for (int32_t b = 0; b < 1; b++) {
  for (int32_t c = 0; c < 16; c++) {
  for (uint32_t i2 = 0; i2 < 14; i2++) {
  for (uint32_t i3 = 0; i3 < 14; i3++) {
    float tmp_X = (X[b][c][i2][i3] - mean[c]) / (var[c]);
    output[b][c][i2][i3] = tmp_X * scale[c] + bias[c];
  } } } }
}
static inline void node_relu(const float X[1][16][14][14], float Y[1][16][14][14]) {
  float *X_ptr = (float *)X;
  float *Y_ptr = (float *)Y;
  uint32_t i;
  for (i = 0; i < 3136; i++)
    Y_ptr[i] = X_ptr[i] > 0 ? X_ptr[i] : 0;
}
static inline void node_maxpool(const float x[1][16][14][14], float y[1][16][7][7]) {
  for (uint32_t b = 0; b < 1; b++) {
  for (uint32_t m = 0, c = 0; m < 16; m++, c = m) {
    for (int32_t o0 = 0, i0 = 0; o0 < 7; o0++, i0 += 2) {
    for (int32_t o1 = 0, i1 = 0; o1 < 7; o1++, i1 += 2) {
      float curmax = (float)-INFINITY;
      for (uint32_t k0 = 0; k0 < 2; k0++) {
      for (uint32_t k1 = 0; k1 < 2; k1++) {
        int ii0 = i0 + k0 * 1;
        int ii1 = i1 + k1 * 1;
        if (curmax < x[b][c][ii0][ii1]) {
          curmax = x[b][c][ii0][ii1];
        }
      } }
      y[b][m][o0][o1] = curmax;
    } } } }
}
static inline void node_dw(const float x[1][16][7][7], const float w[16][1][3][3], float y[1][16][7][7]) {
  for (uint32_t b = 0; b < 1; b++) {
  uint32_t go = 1;
  uint32_t gi = 1;
  for (uint32_t g = 0; g < 16; g++) {
  for (uint32_t m = go * g; m < go * (g + 1); m++) {
    for (int32_t o0 = 0, i0 = -1; o0 < 7; o0++, i0 += 1) {
    for (int32_t o1 = 0, i1 = -1; o1 < 7; o1++, i1 += 1) {
      y[b][m][o0][o1] = 0;
      for (int32_t c = gi * g; c < gi * (g + 1); c++) {
      for (uint32_t k0 = 0; k0 < 3; k0++) {
      for (uint32_t k1 = 0; k1 < 3; k1++) {
        int ii0 = i0 + k0 * 1;
        int ii1 = i1 + k1 * 1;
        if (ii0 >= 0 && ii0 < 7 && ii1 >= 0 && ii1 < 7) {
          y[b][m][o0][o1] += x[b][c][ii0][ii1] * w[m][c - (gi * g)][k0][k1];
        }
      } } }
    } } } } }
}
static inline void node_pw(const float x[1][16][7][7], const float w[16][16][1][1], const float bias[16], float y[1][16][7][7]) {
  for (uint32_t b = 0; b < 1; b++) {
  for (uint32_t m = 0; m < 16; m++) {
    for (int32_t o0 = 0, i0 = 0; o0 < 7; o0++, i0 += 1) {
    for (int32_t o1 = 0, i1 = 0; o1 < 7; o1++, i1 += 1) {
      y[b][m][o0][o1] = bias[m];
      for (int32_t c = 0; c < 16; c++) {
      for (uint32_t k0 = 0; k0 < 1; k0++) {
      for (uint32_t k1 = 0; k1 < 1; k1++) {
        int ii0 = i0 + k0 * 1;
        int ii1 = i1 + k1 * 1;
        y[b][m][o0][o1] += x[b][c][ii0][ii1] * w[m][c][k0][k1];
      } } }
    } } } }
}
static inline void node_concat(const float input_0[1][16][7][7], const float input_1[1][16][7][7], float concat_result[1][32][7][7]) {
  for (size_t i0 = 0; i0 < 1; i0++)
  for (size_t i1 = 0; i1 < 16; i1++)
  for (size_t i2 = 0; i2 < 7; i2++)
  for (size_t i3 = 0; i3 < 7; i3++)
  {
    concat_result[i0][0 + i1][i2][i3] = input_0[i0][i1][i2][i3];
  }
  for (size_t i0 = 0; i0 < 1; i0++)
  for (size_t i1 = 0; i1 < 16; i1++)
  for (size_t i2 = 0; i2 < 7; i2++)
  for (size_t i3 = 0; i3 < 7; i3++)
  {
    concat_result[i0][16 + i1][i2][i3] = input_1[i0][i1][i2][i3];
  }
}
static inline void node_gap(const float input[1][32][7][7], float output[1][32][1][1]) {
  for (int32_t b = 0; b < 1; b++) {
  for (int32_t c = 0; c < 32; c++) {
    float dimsum = 0.0f;
    for (int32_t d0 = 0; d0 < 7; d0++) {
    for (int32_t d1 = 0; d1 < 7; d1++) {
      dimsum += input[b][c][d0][d1];
    } }
    output[b][c][0][0] = dimsum / 49;
  } }
}
static inline void node_flat(const float input[1][32][1][1], float output[1][32]) {
  float *input_ = (float *)input;
  float *output_ = (float *)output;
  for (uint32_t i = 0; i < 32; i++)
    output_[i] = input_[i];
}
static inline void node_gemm(const float A[1][32], const float B[10][32], const float C[10], float Y[1][10]) {
  const int M = 1;
  const int K = 32;
  const int N = 10;
  float alpha = 1;
  float beta = 1;
  float (*C_)[10] = (float (*)[10])C;
  for (uint32_t r = 0; r < M; r++)
    for (uint32_t c = 0; c < N; c++) {
      float ABrc = 0;
      for (uint32_t i = 0; i < K; i++) {
        float B_el = B[c][i];
        ABrc += A[r][i] * B_el;
      }
      float tmp = ABrc * alpha;
      tmp += C_[0][c] * beta;
      Y[r][c] = tmp;
    }
}
void entry(const float x[1][3][14][14], float y[1][10]) {
#if MODE == 3
  union tensor_union_0 tu0; union tensor_union_1 tu1; union tensor_union_2 tu2; union tensor_union_3 tu3;
#endif
  node_conv0(x, w_conv0, b_conv0, S(0,t_c0));
  node_bn(S(0,t_c0), bn_s, bn_b, bn_m, bn_v, S(1,t_bn));
  node_relu(S(1,t_bn), S(0,t_re));
  node_maxpool(S(0,t_re), S(1,t_mp));
  node_dw(S(1,t_mp), w_dw, S(0,t_dw));
  node_pw(S(0,t_dw), w_pw, b_pw, S(2,t_pw));
  node_concat(S(2,t_pw), S(1,t_mp), S(3,t_ca));
  node_gap(S(3,t_ca), S(0,t_ga));
  node_flat(S(0,t_ga), S(2,t_fl));
  node_gemm(S(2,t_fl), w_fc, b_fc, y);
}
int main(void) {
  static float x[1][3][14][14], y[1][10];
  for (int r = 0; r < 3; r++) {
    for (int i = 0; i < 588; i++) x[0][0][0][i] = (i * 7 + r) % 23 - 11;
    entry(x, y);
    for (int i = 0; i < 10; i++) printf("%a ", y[0][i]);
    puts("");
  }
}
