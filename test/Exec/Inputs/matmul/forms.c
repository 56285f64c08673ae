//===- forms.c - Matrix products as C programmers write them --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "forms.h"
#include <stddef.h>

#define IDX int
#define FN(NAME) CAT(NAME##_int, BUILD)
#include "orders.inc"
#define IDX long
#define FN(NAME) CAT(NAME##_long, BUILD)
#include "orders.inc"
#define IDX unsigned
#define FN(NAME) CAT(NAME##_unsigned, BUILD)
#include "orders.inc"
#define IDX size_t
#define FN(NAME) CAT(NAME##_size, BUILD)
#include "orders.inc"

#define FN(NAME) CAT(NAME, BUILD)

// Two-dimensional arrays.
KERNEL void FN(vla)(int M, int N, int K, float A[M][K], float B[K][N],
                    float C[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = 0;
      for (int k = 0; k < K; k++)
        acc += A[i][k] * B[k][j];
      C[i][j] = acc;
    }
}
KERNEL void FN(vla_memory)(size_t M, size_t N, size_t K, const float A[M][K],
                           const float B[K][N], float C[M][N]) {
  for (size_t i = 0; i < M; i++)
    for (size_t k = 0; k < K; k++)
      for (size_t j = 0; j < N; j++)
        C[i][j] += A[i][k] * B[k][j];
}
KERNEL void FN(vla_strided)(int M, int N, int K, int lda, const float (*A)[lda],
                            int ldb, const float (*B)[ldb], int ldc,
                            float (*C)[ldc]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      C[i][j] = 0;
      for (int k = 0; k < K; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
}
KERNEL void FN(fixed)(const float A[FixedM][FixedK],
                      const float B[FixedK][FixedN], float C[FixedM][FixedN]) {
  for (int i = 0; i < FixedM; i++)
    for (int j = 0; j < FixedN; j++) {
      float acc = 0;
      for (int k = 0; k < FixedK; k++)
        acc += A[i][k] * B[k][j];
      C[i][j] = acc;
    }
}
KERNEL void FN(fixed_memory)(const float A[FixedM][FixedK],
                             const float B[FixedK][FixedN],
                             float C[FixedM][FixedN]) {
  for (int i = 0; i < FixedM; i++)
    for (int k = 0; k < FixedK; k++)
      for (int j = 0; j < FixedN; j++)
        C[i][j] += A[i][k] * B[k][j];
}

// Other ways to write the same loops.
KERNEL void FN(restricted)(int M, int N, int K, const float *restrict A,
                           int lda, const float *restrict B, int ldb,
                           float *restrict C, int ldc) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = 0;
      for (int k = 0; k < K; k++)
        acc += A[i * lda + k] * B[k * ldb + j];
      C[i * ldc + j] = acc;
    }
}
KERNEL void FN(while_loops)(int M, int N, int K, const float *A, int lda,
                            const float *B, int ldb, float *C, int ldc) {
  int i = 0, j, k;
  while (i < M) {
    j = 0;
    while (j < N) {
      float acc = 0;
      k = 0;
      while (k < K) {
        acc += A[i * lda + k] * B[k * ldb + j];
        k++;
      }
      C[i * ldc + j] = acc;
      j++;
    }
    i++;
  }
}
KERNEL void FN(walking_pointers)(long M, long N, long K, const float *A,
                                 long lda, const float *B, long ldb, float *C,
                                 long ldc) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      const float *a = A + i * lda, *b = B + j;
      float acc = 0;
      for (long k = 0; k < K; k++) {
        acc += *a++ * *b;
        b += ldb;
      }
      C[i * ldc + j] = acc;
    }
}
KERNEL void FN(running_index)(int M, int N, int K, const float *A,
                              const float *B, float *C) {
  int c = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = 0;
      int b = j;
      for (int k = 0; k < K; k++, b += N)
        acc += A[i * K + k] * B[b];
      C[c++] = acc;
    }
}
KERNEL void FN(counting_down)(int M, int N, int K, const float *A, int lda,
                              const float *B, int ldb, float *C, int ldc) {
  for (int i = M - 1; i >= 0; i--)
    for (int j = N; j-- > 0;) {
      float acc = 0;
      for (int k = K - 1; k >= 0; k--)
        acc += A[i * lda + k] * B[k * ldb + j];
      C[i * ldc + j] = acc;
    }
}
KERNEL void FN(down_in_memory)(long M, long N, long K, const float *A, long lda,
                               const float *B, long ldb, float *C, long ldc) {
  for (long i = 0; i < M; i++)
    for (long k = K; k-- > 0;)
      for (long j = 0; j < N; j++)
        C[i * ldc + j] += A[i * lda + k] * B[k * ldb + j];
}
KERNEL void FN(mirrored)(long M, long N, long K, const float *A, long lda,
                         const float *B, long ldb, float *C, long ldc) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += A[(M - 1 - i) * lda + k] * B[k * ldb + N - 1 - j];
      C[i * ldc + j] = acc;
    }
}
KERNEL void FN(row_pointers)(int M, int N, int K, const float *const *A,
                             const float *const *B, float *const *C) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = 0;
      for (int k = 0; k < K; k++)
        acc += A[i][k] * B[k][j];
      C[i][j] = acc;
    }
}
// Even steps of k, then odd ones.
KERNEL void FN(by_parity)(long M, long N, long K, const float *A, long lda,
                          const float *B, long ldb, float *C, long ldc) {
  for (long p = 0; p < 2; p++)
    for (long i = 0; i < M; i++)
      for (long j = 0; j < N; j++)
        for (long k = p; k < K; k += 2)
          C[i * ldc + j] += A[i * lda + k] * B[k * ldb + j];
}
struct matrix {
  int rows, cols, stride;
  float *data;
};
static inline float at(const struct matrix *m, int i, int j) {
  return m->data[i * m->stride + j];
}
static inline float *ref(struct matrix *m, int i, int j) {
  return &m->data[i * m->stride + j];
}
KERNEL void FN(struct_helpers)(const struct matrix *a, const struct matrix *b,
                               struct matrix *c) {
  for (int i = 0; i < c->rows; i++)
    for (int j = 0; j < c->cols; j++) {
      float acc = 0;
      for (int k = 0; k < a->cols; k++)
        acc += at(a, i, k) * at(b, k, j);
      *ref(c, i, j) = acc;
    }
}

// Neighbours of the plain product: transformed or not, the bits must agree.
KERNEL void FN(subtract)(int M, int N, int K, const float *A, int lda,
                         const float *B, int ldb, float *C, int ldc) {
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        C[i * ldc + j] -= A[i * lda + k] * B[k * ldb + j];
}
KERNEL void FN(double_accumulator)(int M, int N, int K, const float *A, int lda,
                                   const float *B, int ldb, float *C, int ldc) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      double acc = 0;
      for (int k = 0; k < K; k++)
        acc += A[i * lda + k] * B[k * ldb + j];
      C[i * ldc + j] = (float)acc;
    }
}
KERNEL void FN(alpha_beta)(int M, int N, int K, const float *A, int lda,
                           const float *B, int ldb, float *C, int ldc) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = 0;
      for (int k = 0; k < K; k++)
        acc += A[i * lda + k] * B[k * ldb + j];
      C[i * ldc + j] = 0.5f * acc + 0.25f * C[i * ldc + j];
    }
}
KERNEL void FN(bias_relu)(int M, int N, int K, const float *A, int lda,
                          const float *B, int ldb, float *C, int ldc,
                          const float *S) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = S[j];
      for (int k = 0; k < K; k++)
        acc += A[i * lda + k] * B[k * ldb + j];
      C[i * ldc + j] = acc > 0 ? acc : 0;
    }
}
KERNEL void FN(skip_zeros)(int M, int N, int K, const float *A, int lda,
                           const float *B, int ldb, float *C, int ldc) {
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++) {
      float a = A[i * lda + k];
      if (a == 0)
        continue;
      for (int j = 0; j < N; j++)
        C[i * ldc + j] += a * B[k * ldb + j];
    }
}
KERNEL void FN(lower_triangle)(int M, int N, int K, const float *A, int lda,
                               const float *B, int ldb, float *C, int ldc) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = 0;
      for (int k = 0; k <= i && k < K; k++)
        acc += A[i * lda + k] * B[k * ldb + j];
      C[i * ldc + j] = acc;
    }
}
KERNEL void FN(nt)(int M, int N, int K, const float *A, int lda, const float *B,
                   int ldb, float *C, int ldc) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = 0;
      for (int k = 0; k < K; k++)
        acc += A[i * lda + k] * B[j * ldb + k];
      C[i * ldc + j] = acc;
    }
}
KERNEL void FN(tn)(int M, int N, int K, const float *A, int lda, const float *B,
                   int ldb, float *C, int ldc) {
  for (int k = 0; k < K; k++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++)
        C[i * ldc + j] += A[k * lda + i] * B[k * ldb + j];
}
KERNEL void FN(tt)(int M, int N, int K, const float *A, int lda, const float *B,
                   int ldb, float *C, int ldc) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = 0;
      for (int k = 0; k < K; k++)
        acc += A[k * lda + i] * B[j * ldb + k];
      C[i * ldc + j] = acc;
    }
}

#define RUN(NAME, TYPE, ...)                                                   \
  static void FN(run_##NAME)(const struct problem *P) {                        \
    FN(NAME)((TYPE)P->M, (TYPE)P->N, (TYPE)P->K, __VA_ARGS__);                 \
  }
#define STRIDED(TYPE) P->A, (TYPE)P->lda, P->B, (TYPE)P->ldb, P->C, (TYPE)P->ldc
RUN(vla, int, (void *)P->A, (void *)P->B, (void *)P->C)
RUN(vla_memory, size_t, (void *)P->A, (void *)P->B, (void *)P->C)
RUN(vla_strided, int, (int)P->lda, (void *)P->A, (int)P->ldb, (void *)P->B,
    (int)P->ldc, (void *)P->C)
RUN(restricted, int, STRIDED(int))
RUN(while_loops, int, STRIDED(int))
RUN(walking_pointers, long, STRIDED(long))
RUN(running_index, int, P->A, P->B, P->C)
RUN(counting_down, int, STRIDED(int))
RUN(down_in_memory, long, STRIDED(long))
RUN(mirrored, long, STRIDED(long))
RUN(by_parity, long, STRIDED(long))
RUN(subtract, int, STRIDED(int))
RUN(double_accumulator, int, STRIDED(int))
RUN(alpha_beta, int, STRIDED(int))
RUN(bias_relu, int, STRIDED(int), P->S)
RUN(skip_zeros, int, STRIDED(int))
RUN(lower_triangle, int, STRIDED(int))
RUN(nt, int, STRIDED(int))
RUN(tn, int, STRIDED(int))
RUN(tt, int, STRIDED(int))
static void FN(run_fixed)(const struct problem *P) {
  FN(fixed)((void *)P->A, (void *)P->B, (void *)P->C);
}
static void FN(run_fixed_memory)(const struct problem *P) {
  FN(fixed_memory)((void *)P->A, (void *)P->B, (void *)P->C);
}
static void FN(run_struct_helpers)(const struct problem *P) {
  struct matrix a = {(int)P->M, (int)P->K, (int)P->lda, (float *)P->A};
  struct matrix b = {(int)P->K, (int)P->N, (int)P->ldb, (float *)P->B};
  struct matrix c = {(int)P->M, (int)P->N, (int)P->ldc, P->C};
  FN(struct_helpers)(&a, &b, &c);
}

static void FN(run_row_pointers)(const struct problem *P) {
  enum { Most = 4096 };
  static const float *A[Most], *B[Most];
  static float *C[Most];
  if (P->M > Most || P->K > Most)
    return;
  for (long i = 0; i < P->M; i++) {
    A[i] = P->A + i * P->lda;
    C[i] = P->C + i * P->ldc;
  }
  for (long k = 0; k < P->K; k++)
    B[k] = P->B + k * P->ldb;
  FN(row_pointers)((int)P->M, (int)P->N, (int)P->K, A, B, C);
}

#define ROW(NAME, FLAGS) {#NAME, FN(run_##NAME), FLAGS}
#define ORDERS(TYPE, FLAGS)                                                    \
  ROW(ijk_##TYPE, FLAGS), ROW(ikj_##TYPE, FLAGS), ROW(jik_##TYPE, FLAGS),      \
      ROW(jki_##TYPE, FLAGS), ROW(kij_##TYPE, FLAGS), ROW(kji_##TYPE, FLAGS),  \
      ROW(ijk_local_##TYPE, FLAGS), ROW(jik_local_##TYPE, FLAGS),              \
      ROW(local_bias_column_##TYPE, FLAGS), ROW(local_bias_row_##TYPE, FLAGS), \
      ROW(local_from_c_##TYPE, FLAGS), ROW(local_add_to_c_##TYPE, FLAGS),      \
      ROW(ijk_zero_##TYPE, FLAGS), ROW(ikj_zero_row_##TYPE, FLAGS),            \
      ROW(ikj_bias_row_##TYPE, (FLAGS) | NO_NULL),                             \
      ROW(kij_zero_all_##TYPE, FLAGS), ROW(hoisted_rows_##TYPE, FLAGS)
const struct form CAT(forms, BUILD)[] = {
    ORDERS(int, SIGNED),
    ORDERS(long, SIGNED | WIDE),
    ORDERS(unsigned, WRAPS),
    ORDERS(size, WIDE),
    ROW(vla, TIGHT),
    ROW(vla_memory, TIGHT | WIDE),
    ROW(vla_strided, 0),
    ROW(fixed, TIGHT | FIXED),
    ROW(fixed_memory, TIGHT | FIXED),
    ROW(restricted, SIGNED | NO_OVERLAP),
    ROW(while_loops, SIGNED),
    ROW(walking_pointers, SIGNED | WIDE),
    ROW(running_index, TIGHT),
    ROW(counting_down, SIGNED),
    ROW(down_in_memory, SIGNED | WIDE),
    ROW(mirrored, SIGNED | WIDE),
    ROW(row_pointers, SIGNED),
    ROW(by_parity, SIGNED | WIDE),
    ROW(struct_helpers, SIGNED),
    ROW(subtract, SIGNED),
    ROW(double_accumulator, SIGNED),
    ROW(alpha_beta, SIGNED),
    ROW(bias_relu, SIGNED),
    ROW(skip_zeros, SIGNED | NO_NULL),
    ROW(lower_triangle, SIGNED),
    ROW(nt, SIGNED | B_TRANS),
    ROW(tn, SIGNED | A_TRANS),
    ROW(tt, SIGNED | A_TRANS | B_TRANS),
    {0, 0, 0},
};
