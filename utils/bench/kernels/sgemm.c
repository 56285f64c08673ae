//===- sgemm.c - The naive sources of the figures -------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What every compiler of the comparison gets. All the other ways to write the
// product are in test/Exec/Inputs/matmul (scripts/bench --sizes=forms). No
// leading dimensions here: they keep Polly busy for minutes.
#include "../../../test/Exec/Inputs/matmul/forms.h"

KERNEL void ijk(int M, int N, int K, const float *A, const float *B, float *C) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < K; k++)
        sum += A[i * K + k] * B[k * N + j];
      C[i * N + j] = sum;
    }
}

KERNEL void ikj(int M, int N, int K, const float *A, const float *B, float *C) {
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
}

// Polly leaves extents known only at run time alone; it is given constant ones,
// SHAPES being a list of SHAPE(M, N, K), where nobody else is.
#ifdef SHAPES
#define SHAPE(M, N, K)                                                         \
  KERNEL void ijk_##M##_##N##_##K(const float A[M][K], const float B[K][N],    \
                                  float C[M][N]) {                             \
    for (int i = 0; i < M; i++)                                                \
      for (int j = 0; j < N; j++) {                                            \
        float sum = 0;                                                         \
        for (int k = 0; k < K; k++)                                            \
          sum += A[i][k] * B[k][j];                                            \
        C[i][j] = sum;                                                         \
      }                                                                        \
  }
SHAPES
#undef SHAPE
#endif

static void run_ijk(const struct problem *P) {
#ifdef SHAPES
#define SHAPE(m, n, k)                                                         \
  if (P->M == m && P->N == n && P->K == k) {                                   \
    ijk_##m##_##n##_##k((void *)P->A, (void *)P->B, (void *)P->C);             \
    return;                                                                    \
  }
  SHAPES
#endif
  ijk((int)P->M, (int)P->N, (int)P->K, P->A, P->B, P->C);
}
static void run_ikj(const struct problem *P) {
  ikj((int)P->M, (int)P->N, (int)P->K, P->A, P->B, P->C);
}

const struct form forms_plain[] = {
    {"ijk", run_ijk, TIGHT}, {"ikj", run_ikj, TIGHT}, {0, 0, 0}};
