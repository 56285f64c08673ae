//===- few-rows.c - Products of few rows, and of large blocks -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// B is beyond the first caches: some rows use it in place, panel by panel, if
// its rows start at lines of the cache, and others a copy of it, in blocks of
// two sizes. Meanwhile tiles fetch what comes next.
//
// REQUIRES: native-x86
//
// DEFINE: %{flags} =
// DEFINE: %{run} = %clang -O3 %{flags} -DNAME=plain -c %s -o %t.plain.o && %clang_dl -O3 %{flags} -DNAME=dl -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK && %clang -O1 -DMAIN %s %t.plain.o %t.dl.o -o %t && %t | FileCheck %s
// REDEFINE: %{flags} = -march=skylake-avx512 -mprefer-vector-width=512
// RUN: %if avx512 %{ %{run} %}
// REDEFINE: %{flags} = -march=haswell
// RUN: %if avx2 %{ %{run} %}
// REDEFINE: %{flags} =
// RUN: %if long %{ %{run} %}
//
// REMARK-COUNT-5: matmul
// CHECK: 0 of {{[1-9][0-9]*}} differ
#ifndef MAIN

#define CAT_(A, B) A##_##B
#define CAT(A, B) CAT_(A, B)
#define PRODUCT(KERNEL, T, START, SUM, RESULT)                                 \
  void CAT(KERNEL, NAME)(const void *a, const void *b, void *c, long m,        \
                         long n, long k) {                                     \
    const T *A = a, *B = b;                                                    \
    T *C = c;                                                                  \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < n; j++) {                                           \
        T s = START;                                                           \
        for (long q = 0; q < k; q++)                                           \
          s += SUM;                                                            \
        C[i * n + j] = RESULT;                                                 \
      }                                                                        \
  }
PRODUCT(nn, float, 0, A[i * k + q] * B[q * n + j], s)
PRODUCT(goes_on, float, C[i * n + j], A[i * k + q] * B[q * n + j], s)
PRODUCT(relu, float, 0, A[i * k + q] * B[q * n + j],
        (s + B[j] > 0 ? s + B[j] : 0))
PRODUCT(transposed, float, 0, A[q * m + i] * B[q * n + j], s)
PRODUCT(nn_double, double, 0, A[i * k + q] * B[q * n + j], s)

#else
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNELS(X)                                                             \
  X(nn, 4) X(goes_on, 4) X(relu, 4) X(transposed, 4) X(nn_double, 8)
typedef void kernel(const void *, const void *, void *, long, long, long);
#define DECLARE(K, SIZE) kernel K##_plain, K##_dl;
KERNELS(DECLARE)
#define ROW(K, SIZE) {#K, K##_plain, K##_dl, SIZE},
static const struct {
  const char *Name;
  kernel *Plain, *DL;
  size_t Size;
} Kernels[] = {KERNELS(ROW)};

// Around the rows of a tile and the limits of what is used in place; rows of B
// at lines and not, a power of two apart, of a part of a panel; steps of one
// block and of several; one product of large blocks.
static const long Sizes[][3] = {
    {1, 1024, 300},  {6, 1040, 300},  {7, 1040, 300},  {13, 1024, 300},
    {17, 1040, 65},  {18, 1040, 129}, {29, 1000, 300}, {40, 784, 300},
    {41, 2048, 130}, {71, 1040, 200}, {72, 1040, 200}, {12, 4112, 64},
    {30, 1008, 257}, {97, 1040, 400}, {200, 528, 400}, {520, 1040, 500}};

static void fill(char *P, long Count, size_t Size) {
  for (long I = 0; I < Count; ++I) {
    double X = rand() % 997 == 0 ? -0.0 : rand() % 2001 / 1000.0 - 1;
    float F = (float)X;
    memcpy(P + I * Size, Size == 4 ? (void *)&F : (void *)&X, Size);
  }
}

int main(void) {
  int Different = 0, Runs = 0;
  for (size_t S = 0; S < sizeof Sizes / sizeof *Sizes; ++S)
    for (size_t K = 0; K < sizeof Kernels / sizeof *Kernels; ++K) {
      long M = Sizes[S][0], N = Sizes[S][1], D = Sizes[S][2];
      size_t Size = Kernels[K].Size;
      char *A = aligned_alloc(64, (M * D * Size | 63) + 1);
      char *B = aligned_alloc(64, (D * N * Size | 63) + 1);
      char *C = malloc(M * N * Size), *E = malloc(M * N * Size);
      fill(A, M * D, Size);
      fill(B, D * N, Size);
      fill(C, M * N, Size);
      memcpy(E, C, M * N * Size);
      Kernels[K].Plain(A, B, E, M, N, D);
      Kernels[K].DL(A, B, C, M, N, D);
      Runs++;
      if (memcmp(C, E, M * N * Size)) {
        Different++;
        printf("%s %ld x %ld x %ld\n", Kernels[K].Name, M, N, D);
      }
      free(A), free(B), free(C), free(E);
    }
  printf("%d of %d differ\n", Different, Runs);
  return Different != 0;
}
#endif
