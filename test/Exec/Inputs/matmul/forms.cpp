//===- forms.cpp - Matrix products as C++ programmers write them ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "forms.h"
#include <cstddef>
#include <vector>

namespace CAT(ns, BUILD) {

using Vec = std::vector<float>;

KERNEL void vectors(int M, int N, int K, const Vec &A, const Vec &B, Vec &C) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float acc = 0.0f;
      for (int k = 0; k < K; ++k)
        acc += A[i * K + k] * B[k * N + j];
      C[i * N + j] = acc;
    }
}

KERNEL void vectors_memory(size_t M, size_t N, size_t K, const Vec &A,
                           const Vec &B, Vec &C) {
  for (size_t i = 0; i < M; ++i)
    for (size_t k = 0; k < K; ++k)
      for (size_t j = 0; j < N; ++j)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
}

KERNEL Vec vectors_returned(int M, int N, int K, const Vec &A, const Vec &B) {
  Vec C(static_cast<size_t>(M) * N);
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < K; ++k)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
  return C;
}

KERNEL void raw(int M, int N, int K, const float *A, int lda, const float *B,
                int ldb, float *C, int ldc) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float acc = 0;
      for (int k = 0; k < K; ++k)
        acc += A[i * lda + k] * B[k * ldb + j];
      C[i * ldc + j] = acc;
    }
}

// A matrix class with an inline call operator.
template <typename T> class Matrix {
public:
  Matrix(T *data, int rows, int cols, int stride)
      : Data(data), Rows(rows), Cols(cols), Stride(stride) {}
  T &operator()(int i, int j) { return Data[i * Stride + j]; }
  const T &operator()(int i, int j) const { return Data[i * Stride + j]; }
  int rows() const { return Rows; }
  int cols() const { return Cols; }

private:
  T *Data;
  int Rows, Cols, Stride;
};

template <typename T>
KERNEL void multiply(const Matrix<T> &A, const Matrix<T> &B, Matrix<T> &C) {
  for (int i = 0; i < C.rows(); ++i)
    for (int j = 0; j < C.cols(); ++j) {
      T acc{};
      for (int k = 0; k < A.cols(); ++k)
        acc += A(i, k) * B(k, j);
      C(i, j) = acc;
    }
}

// Operands are copied into vectors of exactly their size, and C back.
Vec load(const float *P, long N) { return N ? Vec(P, P + N) : Vec(); }
template <typename F> void withVectors(const problem *P, F Run) {
  Vec A = load(P->A, P->M * P->K), B = load(P->B, P->K * P->N);
  Vec C = load(P->C, P->M * P->N);
  Run(A, B, C);
  for (size_t I = 0; I < C.size(); ++I)
    P->C[I] = C[I];
}
void run_vectors(const problem *P) {
  withVectors(
      P, [&](Vec &A, Vec &B, Vec &C) { vectors(P->M, P->N, P->K, A, B, C); });
}
void run_vectors_memory(const problem *P) {
  withVectors(P, [&](Vec &A, Vec &B, Vec &C) {
    vectors_memory(P->M, P->N, P->K, A, B, C);
  });
}
void run_vectors_returned(const problem *P) {
  withVectors(P, [&](Vec &A, Vec &B, Vec &C) {
    C = vectors_returned(P->M, P->N, P->K, A, B);
  });
}
void run_vectors_same(const problem *P) { // C is also A and B
  withVectors(P, [&](Vec &, Vec &, Vec &C) {
    vectors_memory(P->M < P->N ? P->M : P->N, P->M < P->N ? P->M : P->N,
                   P->M < P->N ? P->M : P->N, C, C, C);
  });
}
void run_raw(const problem *P) {
  raw(P->M, P->N, P->K, P->A, P->lda, P->B, P->ldb, P->C, P->ldc);
}
void run_matrix(const problem *P) {
  Matrix<float> A(const_cast<float *>(P->A), P->M, P->K, P->lda);
  Matrix<float> B(const_cast<float *>(P->B), P->K, P->N, P->ldb);
  Matrix<float> C(P->C, P->M, P->N, P->ldc);
  multiply(A, B, C);
}

} // namespace CAT(ns,BUILD)

using namespace CAT(ns, BUILD);
extern "C" const form CAT(forms, BUILD)[] = {
    {"vectors", run_vectors, TIGHT | COPIES},
    {"vectors_memory", run_vectors_memory, TIGHT | COPIES | WIDE},
    {"vectors_returned", run_vectors_returned, TIGHT | COPIES},
    {"vectors_same", run_vectors_same, TIGHT | COPIES | WIDE},
    {"raw", run_raw, SIGNED},
    {"matrix_class", run_matrix, SIGNED},
    {nullptr, nullptr, 0},
};
