//===- forms.cpp - Products as people and generators write them -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What forms.py times beside the forms under differential test. Each computes
// the same product of rows without gaps.
#include "../../../test/Exec/Inputs/matmul/forms.h"
#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <vector>

using Vector = std::vector<float>;
using Rows = std::vector<Vector>;
typedef float Four __attribute__((vector_size(16), aligned(4)));

#define FORM(NAME)                                                             \
  KERNEL void NAME(int M, int N, int K, const float *A, const float *B,        \
                   float *C)
#define ALL(I, END) for (int I = 0; I < END; I++)
#define ALONG(K, END, STEP) for (int K = 0; K + STEP <= END; K += STEP)

namespace {

struct Matrix {
  int M, N;
  float *Data;
  float &operator()(int I, int J) { return Data[I * N + J]; }
  float operator()(int I, int J) const { return Data[I * N + J]; }
};

float dot(const float *A, const float *B, int Step, int K) {
  float Sum = 0;
  ALL(k, K) Sum += A[k] * B[k * Step];
  return Sum;
}

} // namespace

FORM(dot_helper) {
  ALL(i, M) ALL(j, N) C[i * N + j] = dot(A + i * K, B + j, N, K);
}
FORM(pointers_of_rows) {
  ALL(i, M) {
    const float *Row = A + i * K;
    float *To = C + i * N;
    ALL(j, N) {
      float Sum = 0;
      ALL(k, K) Sum += Row[k] * B[k * N + j];
      To[j] = Sum;
    }
  }
}
FORM(incremented) {
  for (int i = 0; i < M; i++, A += K) {
    const float *Column = B;
    for (int j = 0; j < N; j++, Column++) {
      const float *X = A, *Y = Column;
      float Sum = 0;
      for (int k = K; k--; Y += N)
        Sum += *X++ * *Y;
      *C++ = Sum;
    }
  }
}
FORM(index_outside) {
  int i, j, k;
  for (i = 0; i < M; i++)
    for (j = 0; j < N; j++) {
      C[i * N + j] = 0;
      for (k = 0; k < K; k++)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
    }
}
FORM(operator_call) {
  Matrix X = {M, K, const_cast<float *>(A)}, Y = {K, N, const_cast<float *>(B)},
         Z = {M, N, C};
  ALL(i, X.M) ALL(j, Y.N) {
    float Sum = 0;
    ALL(k, X.N) Sum += X(i, k) * Y(k, j);
    Z(i, j) = Sum;
  }
}
FORM(asserted) {
  ALL(i, M) ALL(j, N) {
    float Sum = 0;
    ALL(k, K) {
      assert(i >= 0 && i < M && j < N && k < K);
      Sum += A[i * K + k] * B[k * N + j];
    }
    C[i * N + j] = Sum;
  }
}
FORM(asserted_data) {
  ALL(i, M) {
    assert(C && "no result");
    ALL(j, N) {
      float Sum = 0;
      ALL(k, K) Sum += A[i * K + k] * B[k * N + j];
      C[i * N + j] = Sum;
    }
  }
}
FORM(left_early) {
  ALL(i, M) {
    if (K <= 0)
      return;
    ALL(j, N) {
      float Sum = 0;
      ALL(k, K) Sum += A[i * K + k] * B[k * N + j];
      C[i * N + j] = Sum;
    }
  }
}
template <int By>
static void unrolled(int M, int N, int K, const float *A, const float *B,
                     float *C) {
  ALL(i, M) ALL(j, N) {
    float Sum = 0;
    int k = 0;
    for (; k + By <= K; k += By)
#pragma clang loop unroll(full)
      for (int x = 0; x < By; x++)
        Sum += A[i * K + k + x] * B[(k + x) * N + j];
    for (; k < K; k++)
      Sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = Sum;
  }
}
FORM(unrolled_2) { unrolled<2>(M, N, K, A, B, C); }
FORM(unrolled_4) { unrolled<4>(M, N, K, A, B, C); }
FORM(unrolled_8) { unrolled<8>(M, N, K, A, B, C); }
FORM(start_inside) {
  ALL(i, M) ALL(j, N) ALL(k, K) {
    if (k == 0)
      C[i * N + j] = 0;
    C[i * N + j] += A[i * K + k] * B[k * N + j];
  }
}
FORM(set_in_front) {
  memset(C, 0, sizeof(float) * M * N);
  ALL(i, M) ALL(k, K) ALL(j, N) C[i * N + j] += A[i * K + k] * B[k * N + j];
}
FORM(nest_in_front) {
  ALL(i, M) ALL(j, N) C[i * N + j] = 0;
  ALL(i, M) ALL(j, N) ALL(k, K) C[i * N + j] += A[i * K + k] * B[k * N + j];
}
FORM(array_of_one) {
  ALL(i, M) ALL(j, N) {
    float Sum[1] = {0};
    ALL(k, K) Sum[0] += A[i * K + k] * B[k * N + j];
    C[i * N + j] = Sum[0];
  }
}
FORM(split_k) {
  ALL(i, M) ALL(j, N) {
    float Sum = 0;
    for (int o = 0; o < K / 16; o++)
      ALL(x, 16) Sum += A[i * K + o * 16 + x] * B[(o * 16 + x) * N + j];
    for (int k = K / 16 * 16; k < K; k++)
      Sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = Sum;
  }
}
FORM(flat) {
  ALL(x, M * N) {
    int i = x / N, j = x % N;
    float Sum = 0;
    ALL(k, K) Sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = Sum;
  }
}
FORM(wrapped) {
  ALL(i, M) ALL(j, N) {
    float Sum = 0;
    ALL(k, K) {
      int Row = i < 0 ? i + M : i, Column = j < 0 ? j + N : j;
      Sum += A[Row * K + k] * B[k * N + Column];
    }
    C[i * N + j] = Sum;
  }
}
FORM(counted_twice) {
  ALL(i, M) ALL(j, N) {
    float Sum = 0;
    for (int k = 0, Left = K; Left > 0; k++, Left--)
      Sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = Sum;
  }
}
#define ADD_ROW(X) Sum##X += A[(i + X) * K + k + z] * Row;
#define ADD_STEP(Z)                                                            \
  {                                                                            \
    const int z = Z;                                                           \
    Four Row = *reinterpret_cast<const Four *>(B + (k + z) * N + j);           \
    ADD_ROW(0) ADD_ROW(1) ADD_ROW(2) ADD_ROW(3)                                \
  }
#define STORE_ROW(X) *reinterpret_cast<Four *>(C + (i + X) * N + j) = Sum##X;
FORM(tiles_of_vectors) {
  ALONG(i, M, 4) ALONG(j, N, 4) {
    Four Sum0 = {}, Sum1 = {}, Sum2 = {}, Sum3 = {};
    ALONG(k, K, 4){ADD_STEP(0) ADD_STEP(1) ADD_STEP(2) ADD_STEP(3)} STORE_ROW(0)
        STORE_ROW(1) STORE_ROW(2) STORE_ROW(3)
  }
}
FORM(blocks) {
  memset(C, 0, sizeof(float) * M * N);
  for (int o = 0; o < M; o += 64)
    for (int p = 0; p < K; p += 64)
      for (int q = 0; q < N; q += 64)
        for (int i = o; i < std::min(o + 64, M); i++)
          for (int k = p; k < std::min(p + 64, K); k++)
            for (int j = q; j < std::min(q + 64, N); j++)
              C[i * N + j] += A[i * K + k] * B[k * N + j];
}
FORM(parallel) { // one of one threads' share of the rows
  int First = 0, Last = M;
  auto Body = [&](int i) {
    ALL(j, N) {
      float Sum = 0;
      ALL(k, K) Sum += A[i * K + k] * B[k * N + j];
      C[i * N + j] = Sum;
    }
  };
  for (int i = First; i < Last; i++)
    Body(i);
}
FORM(alpha) {
  const float Alpha = A[0];
  ALL(i, M) ALL(j, N) {
    float Sum = 0;
    ALL(k, K) Sum += Alpha * A[i * K + k] * B[k * N + j];
    C[i * N + j] = Sum;
  }
}
FORM(alpha_of_sums) {
  const float Alpha = A[0], Beta = B[0];
  ALL(i, M) ALL(j, N) {
    float Sum = 0;
    ALL(k, K) Sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = Alpha * Sum + Beta * C[i * N + j];
  }
}
FORM(outer_products) {
  memset(C, 0, sizeof(float) * M * N);
  ALL(k, K) ALL(i, M) ALL(j, N) C[i * N + j] += A[i * K + k] * B[k * N + j];
}

// Containers are filled once: their memory is what is timed.
static void vectors(const Vector &A, const Vector &B, Vector &C, size_t M,
                    size_t N, size_t K) {
  for (size_t i = 0; i < M; i++)
    for (size_t j = 0; j < N; j++) {
      float Sum = 0;
      for (size_t k = 0; k < K; k++)
        Sum += A[i * K + k] * B[k * N + j];
      C[i * N + j] = Sum;
    }
}
FORM(std_vectors) {
  static Vector X(A, A + long(M) * K), Y(B, B + long(K) * N), Z(long(M) * N);
  vectors(X, Y, Z, M, N, K);
  C[0] = Z[0];
}
static Rows rowsOf(const float *A, int M, int N) {
  Rows R(M, Vector(N));
  ALL(i, M) std::copy_n(A + long(i) * N, N, R[i].begin());
  return R;
}
KERNEL void multiplyRows(const Rows &A, const Rows &B, Rows &C) {
  for (size_t i = 0; i < A.size(); i++)
    for (size_t j = 0; j < B[0].size(); j++) {
      float Sum = 0;
      for (size_t k = 0; k < B.size(); k++)
        Sum += A[i][k] * B[k][j];
      C[i][j] = Sum;
    }
}
FORM(vectors_of_vectors) {
  static Rows X = rowsOf(A, M, K), Y = rowsOf(B, K, N), Z = rowsOf(C, M, N);
  multiplyRows(X, Y, Z);
}
constexpr int Size = 512;
using Array = std::array<std::array<float, Size>, Size>;
KERNEL void multiplyArrays(const Array &A, const Array &B, Array &C) {
  ALL(i, Size) ALL(j, Size) {
    float Sum = 0;
    ALL(k, Size) Sum += A[i][k] * B[k][j];
    C[i][j] = Sum;
  }
}
FORM(std_arrays) {
  if (M == Size && N == Size && K == Size)
    multiplyArrays(*reinterpret_cast<const Array *>(A),
                   *reinterpret_cast<const Array *>(B),
                   *reinterpret_cast<Array *>(C));
}

#define ROW(NAME)                                                              \
  {#NAME,                                                                      \
   [](const problem *P) {                                                      \
     NAME(int(P->M), int(P->N), int(P->K), P->A, P->B, P->C);                  \
   },                                                                          \
   TIGHT}
extern "C" const form CAT(forms, BUILD)[] = {
    ROW(dot_helper),
    ROW(pointers_of_rows),
    ROW(incremented),
    ROW(index_outside),
    ROW(operator_call),
    ROW(asserted),
    ROW(asserted_data),
    ROW(left_early),
    ROW(unrolled_2),
    ROW(unrolled_4),
    ROW(unrolled_8),
    ROW(start_inside),
    ROW(set_in_front),
    ROW(nest_in_front),
    ROW(array_of_one),
    ROW(split_k),
    ROW(flat),
    ROW(wrapped),
    ROW(counted_twice),
    ROW(tiles_of_vectors),
    ROW(blocks),
    ROW(parallel),
    ROW(alpha),
    ROW(alpha_of_sums),
    ROW(outer_products),
    ROW(std_vectors),
    ROW(vectors_of_vectors),
    ROW(std_arrays),
    {nullptr, nullptr, 0},
};
