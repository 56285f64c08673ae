//===- products.c - Products with other layouts and types -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// One row per kernel of kernels.py: C (M x N) from A (M x K) and B (K x N),
// which are stored as the two subscripts say. Each as a sum in a local variable
// (ijk) and as a sum in memory (ikj); sgemm itself is in sgemm.c.
#include "../../../test/Exec/Inputs/matmul/forms.h"

#define PRODUCT(NAME, REAL, A_IK, B_KJ)                                        \
  KERNEL void NAME##_ijk(int M, int N, int K, const REAL *A, const REAL *B,    \
                         REAL *C) {                                            \
    for (int i = 0; i < M; i++)                                                \
      for (int j = 0; j < N; j++) {                                            \
        REAL sum = 0;                                                          \
        for (int k = 0; k < K; k++)                                            \
          sum += A[A_IK] * B[B_KJ];                                            \
        C[i * N + j] = sum;                                                    \
      }                                                                        \
  }                                                                            \
  KERNEL void NAME##_ikj(int M, int N, int K, const REAL *A, const REAL *B,    \
                         REAL *C) {                                            \
    for (int i = 0; i < M; i++)                                                \
      for (int k = 0; k < K; k++)                                              \
        for (int j = 0; j < N; j++)                                            \
          C[i * N + j] += A[A_IK] * B[B_KJ];                                   \
  }                                                                            \
  static void run_##NAME##_ijk(const struct problem *P) {                      \
    NAME##_ijk((int)P->M, (int)P->N, (int)P->K, (const void *)P->A,            \
               (const void *)P->B, (void *)P->C);                              \
  }                                                                            \
  static void run_##NAME##_ikj(const struct problem *P) {                      \
    NAME##_ikj((int)P->M, (int)P->N, (int)P->K, (const void *)P->A,            \
               (const void *)P->B, (void *)P->C);                              \
  }

// y (M) from x (K) and a matrix M x K.
#define MATVEC(NAME, REAL, A_IK)                                               \
  KERNEL void NAME##_ijk(int M, int K, const REAL *A, const REAL *x,           \
                         REAL *y) {                                            \
    for (int i = 0; i < M; i++) {                                              \
      REAL sum = 0;                                                            \
      for (int k = 0; k < K; k++)                                              \
        sum += A[A_IK] * x[k];                                                 \
      y[i] = sum;                                                              \
    }                                                                          \
  }                                                                            \
  KERNEL void NAME##_ikj(int M, int K, const REAL *A, const REAL *x,           \
                         REAL *y) {                                            \
    for (int k = 0; k < K; k++)                                                \
      for (int i = 0; i < M; i++)                                              \
        y[i] += A[A_IK] * x[k];                                                \
  }                                                                            \
  static void run_##NAME##_ijk(const struct problem *P) {                      \
    NAME##_ijk((int)P->M, (int)P->K, (const void *)P->A, (const void *)P->B,   \
               (void *)P->C);                                                  \
  }                                                                            \
  static void run_##NAME##_ikj(const struct problem *P) {                      \
    NAME##_ikj((int)P->M, (int)P->K, (const void *)P->A, (const void *)P->B,   \
               (void *)P->C);                                                  \
  }

PRODUCT(sgemm_nt, float, i *K + k, j *K + k)
PRODUCT(sgemm_tn, float, k *M + i, k *N + j)
PRODUCT(sgemm_tt, float, k *M + i, j *K + k)
PRODUCT(dgemm, double, i *K + k, k *N + j)
MATVEC(sgemv, float, i *K + k)
MATVEC(sgemv_t, float, k *M + i)

#define FORMS(NAME, FLAGS)                                                     \
  {#NAME "_ijk", run_##NAME##_ijk, FLAGS}, {                                   \
    #NAME "_ikj", run_##NAME##_ikj, FLAGS                                      \
  }

const struct form forms_plain[] = {FORMS(sgemm_nt, TIGHT | B_TRANS),
                                   FORMS(sgemm_tn, TIGHT | A_TRANS),
                                   FORMS(sgemm_tt, TIGHT | A_TRANS | B_TRANS),
                                   FORMS(dgemm, TIGHT),
                                   FORMS(sgemv, TIGHT),
                                   FORMS(sgemv_t, TIGHT | A_TRANS),
                                   {0, 0, 0}};
