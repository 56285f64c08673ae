//===- bounds.cpp - Loops whose bounds and pointers are in memory ---------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: bounds NAME...
///
/// Each loop as it is written, and with locals and `restrict` by hand: for each
/// NAME (all, if there is none) a line with the name and the ns that both take,
/// least of many runs.
///
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

#define NOINLINE __attribute__((noinline))

struct Bytes {
  std::vector<int8_t> X, Y;
  NOINLINE void add() {
    for (size_t I = 0; I < Y.size(); I++)
      Y[I] += X[I];
  }
  NOINLINE void addByHand() {
    int8_t *__restrict Out = Y.data();
    const int8_t *__restrict In = X.data();
    for (size_t I = 0, N = Y.size(); I < N; I++)
      Out[I] += In[I];
  }
};

struct Words {
  std::vector<int32_t> X, Y;
  int N;
  NOINLINE void add() {
    for (int I = 0; I < N; I++)
      Y[I] += X[I];
  }
  NOINLINE void addByHand() {
    int32_t *__restrict Out = Y.data();
    const int32_t *__restrict In = X.data();
    for (int I = 0, End = N; I < End; I++)
      Out[I] += In[I];
  }
};

// What an outlined parallel region is: captures by reference.
struct Captures {
  int8_t **Y, **X;
  int *N;
};
NOINLINE static void region(Captures *C) {
  for (int I = 0; I < *C->N; I++)
    (*C->Y)[I] += (*C->X)[I];
}
NOINLINE static void regionByHand(Captures *C) {
  int8_t *__restrict Out = *C->Y;
  const int8_t *__restrict In = *C->X;
  for (int I = 0, End = *C->N; I < End; I++)
    Out[I] += In[I];
}

struct Quantized {
  float Scale;
  int N;
  float *X;
  int8_t *Q;
};
NOINLINE static void quantize(Quantized *P) {
  for (int I = 0; I < P->N; I++)
    P->Q[I] = static_cast<int8_t>(P->X[I] * P->Scale);
}
NOINLINE static void quantizeByHand(Quantized *P) {
  int8_t *__restrict Out = P->Q;
  const float *__restrict In = P->X;
  float Scale = P->Scale;
  for (int I = 0, End = P->N; I < End; I++)
    Out[I] = static_cast<int8_t>(In[I] * Scale);
}

struct Layer {
  int In, Out, Shift;
  int8_t *W, *X, *Y;
};
NOINLINE static void layer(Layer *L) {
  for (int O = 0; O < L->Out; O++) {
    int Sum = 0;
    for (int I = 0; I < L->In; I++)
      Sum += L->W[O * L->In + I] * L->X[I];
    L->Y[O] = static_cast<int8_t>(Sum >> L->Shift);
  }
}
NOINLINE static void layerByHand(Layer *L) {
  int8_t *__restrict Y = L->Y;
  const int8_t *__restrict W = L->W, *__restrict X = L->X;
  int In = L->In, Out = L->Out, Shift = L->Shift;
  for (int O = 0; O < Out; O++) {
    int Sum = 0;
    for (int I = 0; I < In; I++)
      Sum += W[O * In + I] * X[I];
    Y[O] = static_cast<int8_t>(Sum >> Shift);
  }
}

// Both sums of a round are in memory.
struct Sums {
  int N, M;
  double *A, *S, *Q, *P, *R;
};
NOINLINE static void bicg(Sums *B) {
  double *A = B->A, *S = B->S, *Q = B->Q, *P = B->P, *R = B->R;
  int N = B->N, M = B->M;
  for (int J = 0; J < M; J++)
    S[J] = 0;
  for (int I = 0; I < N; I++) {
    Q[I] = 0;
    for (int J = 0; J < M; J++) {
      S[J] += R[I] * A[I * M + J];
      Q[I] += A[I * M + J] * P[J];
    }
  }
}
NOINLINE static void bicgByHand(Sums *B) {
  double *__restrict A = B->A, *__restrict S = B->S, *__restrict Q = B->Q,
                     *__restrict P = B->P, *__restrict R = B->R;
  int N = B->N, M = B->M;
  for (int J = 0; J < M; J++)
    S[J] = 0;
  for (int I = 0; I < N; I++) {
    double Sum = 0;
    for (int J = 0; J < M; J++) {
      S[J] += R[I] * A[I * M + J];
      Sum += A[I * M + J] * P[J];
    }
    Q[I] = Sum;
  }
}

// Where nothing is to be gained: three neighbours, three arrays.
struct Rows {
  int M, N;
  float *A, *B, *C, *D, *E;
};
NOINLINE static void stencil(Rows *R) {
  float *A = R->A, *B = R->B;
  int M = R->M, N = R->N;
  for (int I = 0; I < M; I++)
    for (int J = 1; J < N - 1; J++)
      B[I * N + J] =
          (A[I * N + J - 1] + A[I * N + J] + A[I * N + J + 1]) * 0.3f;
}
NOINLINE static void stencilByHand(Rows *R) {
  float *__restrict A = R->A, *__restrict B = R->B;
  int M = R->M, N = R->N;
  for (int I = 0; I < M; I++)
    for (int J = 1; J < N - 1; J++)
      B[I * N + J] =
          (A[I * N + J - 1] + A[I * N + J] + A[I * N + J + 1]) * 0.3f;
}
NOINLINE static void five(Rows *R) {
  float *A = R->A, *B = R->B, *C = R->C, *D = R->D, *E = R->E;
  int N = R->N;
  for (int I = 0; I < N; I++)
    A[I] = B[I] * C[I] + D[I] * E[I];
}
NOINLINE static void fiveByHand(Rows *R) {
  float *__restrict A = R->A, *__restrict B = R->B, *__restrict C = R->C,
                    *__restrict D = R->D, *__restrict E = R->E;
  int N = R->N;
  for (int I = 0; I < N; I++)
    A[I] = B[I] * C[I] + D[I] * E[I];
}

/// Least ns of a call.
template <typename FnT> static double measure(FnT Run) {
  double Best = 1e18;
  for (int Round = 0; Round < 60; Round++) {
    timespec From, To;
    const int Times = 20;
    clock_gettime(CLOCK_MONOTONIC, &From);
    for (int I = 0; I < Times; I++)
      Run();
    clock_gettime(CLOCK_MONOTONIC, &To);
    Best = std::min(Best, ((To.tv_sec - From.tv_sec) * 1e9 +
                           static_cast<double>(To.tv_nsec - From.tv_nsec)) /
                              Times);
  }
  return Best;
}

template <typename FnT, typename HandT>
static void show(int Argc, char **Argv, const char *Name, FnT Run, HandT Hand) {
  for (int I = 1; I < Argc; I++)
    if (!strcmp(Argv[I], Name))
      Argc = 1;
  if (Argc > 1)
    return;
  double Mine = measure(Run);
  printf("%s %.1f %.1f\n", Name, Mine, measure(Hand));
}

int main(int Argc, char **Argv) {
  const int N = 16384;
  std::vector<int8_t> X8(N, 1), Y8(N, 2);
  Bytes B{X8, Y8};
  show(Argc, Argv, "vector.int8", [&] { B.add(); }, [&] { B.addByHand(); });
  Words W{std::vector<int32_t>(N, 1), std::vector<int32_t>(N, 2), N};
  show(Argc, Argv, "vector.int32", [&] { W.add(); }, [&] { W.addByHand(); });
  int8_t *Y = Y8.data(), *X = X8.data();
  int Count = N;
  Captures C{&Y, &X, &Count};
  show(
      Argc, Argv, "captures.int8", [&] { region(&C); },
      [&] { regionByHand(&C); });
  std::vector<float> F(N, 2.5f);
  Quantized Q{0.5f, N, F.data(), Y8.data()};
  show(
      Argc, Argv, "quantize", [&] { quantize(&Q); },
      [&] { quantizeByHand(&Q); });
  Layer L{256, 64, 7, X8.data(), Y8.data(), Y8.data() + 4096};
  show(Argc, Argv, "layer.int8", [&] { layer(&L); }, [&] { layerByHand(&L); });
  const int M = 512;
  std::vector<double> A(M * M, 0.5), S(M), P(M, 0.25), R(M, 0.5), T(M);
  Sums D{M, M, A.data(), S.data(), T.data(), P.data(), R.data()};
  show(Argc, Argv, "bicg", [&] { bicg(&D); }, [&] { bicgByHand(&D); });
  std::vector<float> V(5 * 8192, 0.5f);
  Rows G{128, 64, &V[0], &V[8192], &V[16384], &V[24576], &V[32768]};
  show(
      Argc, Argv, "stencil.64", [&] { stencil(&G); },
      [&] { stencilByHand(&G); });
  Rows H = G;
  H.N = 32;
  show(Argc, Argv, "five.32", [&] { five(&H); }, [&] { fiveByHand(&H); });
  return 0;
}
