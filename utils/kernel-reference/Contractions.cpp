//===- Contractions.cpp - Plain C++ matrix products and windows -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "References.h"
#include <algorithm>

using namespace dlopt;

void dlopt::checkMatmulNT(Case &C, int64_t A, int64_t B) {
  int64_t M = A, N = B, K = A + B;
  C.param("B", M);
  C.param("O", N);
  C.param("I", K);
  const float *X = C.array<float>("inp", M * K);
  const float *W = C.array<float>("weight", N * K);
  const float *Bias = C.array<float>("bias", N);
  C.array<float>("out", M * N);
  if (!C.run())
    return;
  std::vector<float> Out(M * N);
  for (int64_t I = 0; I < M; ++I)
    for (int64_t J = 0; J < N; ++J) {
      float Acc = Bias[J];
      for (int64_t L = 0; L < K; ++L)
        Acc = C.mulAdd(X[I * K + L], W[J * K + L], Acc);
      Out[I * N + J] = Acc;
    }
  C.expect("out", Out);
}

void dlopt::checkConv2D(Case &C, int64_t A, int64_t B) {
  int64_t N = 2, Ch = A, OC = B, H = A + 2, W = B + 3, KH = 3, KW = 2, S = 2,
          P = 1, OH = (H + 2 * P - KH) / S + 1, OW = (W + 2 * P - KW) / S + 1;
  std::pair<const char *, int64_t> Params[] = {
      {"N", N},   {"C", Ch},  {"H", H},   {"W", W}, {"OC", OC}, {"KH", KH},
      {"KW", KW}, {"OH", OH}, {"OW", OW}, {"S", S}, {"P", P}};
  for (auto [Name, Value] : Params)
    C.param(Name, Value);
  const float *In = C.array<float>("in", N * Ch * H * W);
  const float *Wt = C.array<float>("w", OC * Ch * KH * KW);
  const float *Bias = C.array<float>("b", OC);
  C.array<float>("out", N * OC * OH * OW);
  if (!C.run())
    return;
  std::vector<float> Out;
  for (int64_t I = 0; I < N; ++I)
    for (int64_t O = 0; O < OC; ++O)
      for (int64_t Y = 0; Y < OH; ++Y)
        for (int64_t X = 0; X < OW; ++X) {
          float Acc = Bias[O];
          for (int64_t L = 0; L < Ch; ++L)
            for (int64_t R = 0; R < KH; ++R)
              for (int64_t Q = 0; Q < KW; ++Q) {
                int64_t IY = Y * S + R - P, IX = X * S + Q - P;
                if (IY < 0 || IY >= H || IX < 0 || IX >= W)
                  continue;
                Acc = C.mulAdd(In[((I * Ch + L) * H + IY) * W + IX],
                               Wt[((O * Ch + L) * KH + R) * KW + Q], Acc);
              }
          Out.push_back(Acc);
        }
  C.expect("out", Out);
}

void dlopt::checkDepthwise(Case &C, int64_t A, int64_t B) {
  int64_t H = A, W = B, Ch = 3;
  C.param("H", H);
  C.param("W", W);
  C.param("C", Ch);
  const float *In = C.array<float>("in", H * W * Ch);
  const float *K = C.array<float>("k", 9 * Ch);
  C.array<float>("out", H * W * Ch);
  if (!C.run())
    return;
  std::vector<float> Out;
  for (int64_t Y = 0; Y < H; ++Y)
    for (int64_t X = 0; X < W; ++X)
      for (int64_t L = 0; L < Ch; ++L) {
        float Acc = 0;
        for (int64_t R = -1; R <= 1; ++R)
          for (int64_t Q = -1; Q <= 1; ++Q)
            if (Y + R >= 0 && Y + R < H && X + Q >= 0 && X + Q < W)
              Acc = Acc + In[((Y + R) * W + X + Q) * Ch + L] *
                              K[((R + 1) * 3 + Q + 1) * Ch + L];
        Out.push_back(Acc);
      }
  C.expect("out", Out);
}

void dlopt::checkAvgPool(Case &C, int64_t A, int64_t B) {
  int64_t Ch = 2, H = A + 1, W = B + 1, OH = (H + 1) / 2, OW = (W + 1) / 2;
  C.param("C", Ch);
  C.param("H", H);
  C.param("W", W);
  C.param("OH", OH);
  C.param("OW", OW);
  const float *In = C.array<float>("in", Ch * H * W);
  C.array<float>("out", Ch * OH * OW);
  if (!C.run())
    return;
  std::vector<float> Out;
  for (int64_t L = 0; L < Ch; ++L)
    for (int64_t Y = 0; Y < OH; ++Y)
      for (int64_t X = 0; X < OW; ++X) {
        float Sum = 0;
        int Count = 0;
        for (int64_t IY = 2 * Y - 1; IY <= 2 * Y + 1; ++IY)
          for (int64_t IX = 2 * X - 1; IX <= 2 * X + 1; ++IX)
            if (IY >= 0 && IY < H && IX >= 0 && IX < W) {
              Sum += In[(L * H + IY) * W + IX];
              ++Count;
            }
        Out.push_back(Sum / Count);
      }
  C.expect("out", Out);
}

void dlopt::checkInt8Matmul(Case &C, int64_t A, int64_t B) {
  int64_t M = A, N = B, K = A * 5 + B;
  int32_t AZero = 121, OutZero = 131;
  C.param("M", M);
  C.param("N", N);
  C.param("K", K);
  C.param("azp", int64_t(AZero));
  C.param("ozp", int64_t(OutZero));
  const uint8_t *X = C.array<uint8_t>("a", M * K);
  const int8_t *Y = C.array<int8_t>("b", K * N);
  int32_t *Bias = C.array<int32_t>("bias", N);
  float *Scale = C.array<float>("scale", N);
  C.array<uint8_t>("out", M * N);
  for (int64_t J = 0; J < N; ++J) {
    Bias[J] %= 10000;
    Scale[J] /= 300;
  }
  if (!C.run())
    return;
  std::vector<uint8_t> Out;
  for (int64_t I = 0; I < M; ++I)
    for (int64_t J = 0; J < N; ++J) {
      int32_t Acc = Bias[J];
      for (int64_t L = 0; L < K; ++L)
        Acc += (X[I * K + L] - AZero) * Y[L * N + J];
      int32_t Q =
          static_cast<int32_t>(std::rint(static_cast<float>(Acc) * Scale[J])) +
          OutZero;
      Out.push_back(static_cast<uint8_t>(std::clamp(Q, 0, 255)));
    }
  C.expect("out", Out);
}
