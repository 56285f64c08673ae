//===- Rows.cpp - Plain C++ row programs, recurrences and gathers ---------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "References.h"
#include <algorithm>
#include <limits>

using namespace dlopt;

static constexpr float Infinity = std::numeric_limits<float>::infinity();

void dlopt::checkSoftmax(Case &C, int64_t A, int64_t B) {
  C.param("R", A);
  C.param("C", B);
  float *X = C.array<float>("x", A * B);
  C.array<float>("y", A * B);
  if (A * B > 4)
    X[2] = -Infinity;
  if (!C.run())
    return;
  std::vector<float> Y(A * B);
  for (int64_t R = 0; R < A; ++R) {
    float Max = -Infinity, Sum = 0;
    for (int64_t J = 0; J < B; ++J)
      if (X[R * B + J] > Max)
        Max = X[R * B + J];
    for (int64_t J = 0; J < B; ++J) {
      Y[R * B + J] = expf(X[R * B + J] - Max);
      Sum += Y[R * B + J];
    }
    for (int64_t J = 0; J < B; ++J)
      Y[R * B + J] /= Sum;
  }
  C.expect("y", Y);
}

void dlopt::checkOnlineSoftmax(Case &C, int64_t A, int64_t B) {
  C.param("R", A);
  C.param("C", B);
  const float *X = C.array<float>("x", A * B);
  C.array<float>("y", A * B);
  if (!C.run())
    return;
  std::vector<float> Y(A * B);
  for (int64_t R = 0; R < A; ++R) {
    float Max = -Infinity, Sum = 0;
    for (int64_t J = 0; J < B; ++J) {
      float V = X[R * B + J], New = V > Max ? V : Max;
      Sum = C.mulAdd(Sum, expf(Max - New), expf(V - New));
      Max = New;
    }
    for (int64_t J = 0; J < B; ++J)
      Y[R * B + J] = expf(X[R * B + J] - Max) / Sum;
  }
  C.expect("y", Y);
}

void dlopt::checkLayerNorm(Case &C, int64_t A, int64_t B) {
  float Eps = 1e-5f;
  C.param("R", A);
  C.param("C", B);
  C.param("eps", Eps);
  const float *X = C.array<float>("x", A * B);
  const float *Gamma = C.array<float>("gamma", B);
  const float *Beta = C.array<float>("beta", B);
  C.array<float>("y", A * B);
  if (!C.run())
    return;
  std::vector<float> Y(A * B);
  for (int64_t R = 0; R < A; ++R) {
    const float *Row = X + R * B;
    float Sum = 0, Var = 0;
    for (int64_t J = 0; J < B; ++J)
      Sum += Row[J];
    float Mean = Sum / static_cast<float>(B);
    for (int64_t J = 0; J < B; ++J)
      Var = C.mulAdd(Row[J] - Mean, Row[J] - Mean, Var);
    float RStd = 1.0f / sqrtf(Var / static_cast<float>(B) + Eps);
    for (int64_t J = 0; J < B; ++J)
      Y[R * B + J] = C.mulAdd((Row[J] - Mean) * RStd, Gamma[J], Beta[J]);
  }
  C.expect("y", Y);
}

void dlopt::checkAttention(Case &C, int64_t A, int64_t B) {
  int64_t Heads = 2, T = A, D = B;
  float Scale = 0.37f;
  C.param("NH", Heads);
  C.param("T", T);
  C.param("D", D);
  C.param("scale", Scale);
  const float *Q = C.array<float>("q", Heads * T * D);
  const float *K = C.array<float>("k", Heads * T * D);
  const float *V = C.array<float>("v", Heads * T * D);
  C.array<float>("out", Heads * T * D);
  if (!C.run())
    return;
  std::vector<float> Out(Heads * T * D);
  for (int64_t Base = 0; Base < Heads * T * D; Base += T * D)
    for (int64_t I = 0; I < T; ++I) {
      std::vector<float> Row(I + 1);
      float Max = -Infinity, Sum = 0;
      for (int64_t J = 0; J <= I; ++J) {
        float Acc = 0;
        for (int64_t L = 0; L < D; ++L)
          Acc = C.mulAdd(Q[Base + I * D + L], K[Base + J * D + L], Acc);
        Row[J] = Acc * Scale;
        Max = Row[J] > Max ? Row[J] : Max;
      }
      for (float &S : Row) {
        S = expf(S - Max);
        Sum += S;
      }
      for (int64_t L = 0; L < D; ++L) {
        float Acc = 0;
        for (int64_t J = 0; J <= I; ++J)
          Acc = C.mulAdd(Row[J] / Sum, V[Base + J * D + L], Acc);
        Out[Base + I * D + L] = Acc;
      }
    }
  C.expect("out", Out);
}

static float sigmoid(float X) { return 1.0f / (1.0f + expf(-X)); }

void dlopt::checkLSTM(Case &C, int64_t A, int64_t B) {
  int64_t T = A + 1, N = 2, I = A, H = B;
  C.param("T", T);
  C.param("N", N);
  C.param("I", I);
  C.param("H", H);
  const float *X = C.array<float>("x", T * N * I);
  const float *WX = C.array<float>("wx", 4 * H * I);
  const float *WH = C.array<float>("wh", 4 * H * H);
  const float *Bias = C.array<float>("b", 4 * H);
  C.array<float>("out", T * N * H);
  if (!C.run())
    return;
  std::vector<float> Out(T * N * H);
  for (int64_t S = 0; S < N; ++S) {
    std::vector<float> Hid(H), Cell(H);
    for (int64_t Step = 0; Step < T; ++Step) {
      std::vector<float> Next(H);
      for (int64_t J = 0; J < H; ++J) {
        float Gate[4];
        for (int64_t G = 0; G < 4; ++G) {
          Gate[G] = Bias[G * H + J];
          for (int64_t L = 0; L < I; ++L)
            Gate[G] = C.mulAdd(X[(Step * N + S) * I + L],
                               WX[(G * H + J) * I + L], Gate[G]);
          for (int64_t L = 0; L < H; ++L)
            Gate[G] = C.mulAdd(Hid[L], WH[(G * H + J) * H + L], Gate[G]);
        }
        Cell[J] =
            sigmoid(Gate[1]) * Cell[J] + sigmoid(Gate[0]) * tanhf(Gate[2]);
        Next[J] = sigmoid(Gate[3]) * tanhf(Cell[J]);
        Out[(Step * N + S) * H + J] = Next[J];
      }
      Hid = Next;
    }
  }
  C.expect("out", Out);
}

void dlopt::checkArgMax(Case &C, int64_t A, int64_t B) {
  C.param("R", A);
  C.param("C", B);
  float *X = C.array<float>("x", A * B);
  C.array<int32_t>("y", A);
  if (B > 2) // A tie, and a NaN that never wins.
    for (int64_t R = 0; R < A; ++R) {
      X[R * B + 2] = X[R * B];
      X[R * B + 1] = std::numeric_limits<float>::quiet_NaN();
    }
  if (!C.run())
    return;
  std::vector<int32_t> Y;
  for (int64_t R = 0; R < A; ++R) {
    float Best = -Infinity;
    int32_t At = -1;
    for (int64_t J = 0; J < B; ++J)
      if (X[R * B + J] > Best) {
        Best = X[R * B + J];
        At = static_cast<int32_t>(J);
      }
    Y.push_back(At);
  }
  C.expect("y", Y);
}

void dlopt::checkEmbedding(Case &C, int64_t A, int64_t B) {
  int64_t T = A * 2, D = B, Rows = 5;
  C.param("T", T);
  C.param("D", D);
  int32_t *Index = C.array<int32_t>("idx", T);
  const float *Table = C.array<float>("table", Rows * D);
  const float *Grad = C.array<float>("grad", Rows * D);
  C.array<float>("out", T * D);
  for (int64_t I = 0; I < T; ++I)
    Index[I] = std::abs(Index[I] % static_cast<int32_t>(Rows));
  std::vector<float> Sum(Grad, Grad + Rows * D), Out;
  if (!C.run())
    return;
  for (int64_t I = 0; I < T; ++I)
    for (int64_t J = 0; J < D; ++J) {
      Out.push_back(Table[Index[I] * D + J]);
      Sum[Index[I] * D + J] += Out.back();
    }
  C.expect("out", Out);
  C.expect("grad", Sum);
}
