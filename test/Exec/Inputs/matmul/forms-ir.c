//===- forms-ir.c - The table of forms-ir.ll ------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "forms.h"

#define FORM(NAME, T)                                                          \
  void CAT(NAME, BUILD)(T M, T N, T K, const float *A, T lda, const float *B,  \
                        T ldb, float *C, T ldc);                               \
  static void CAT(run_##NAME, BUILD)(const struct problem *P) {                \
    CAT(NAME, BUILD)((T)P->M, (T)P->N, (T)P->K, P->A, (T)P->lda, P->B,         \
                     (T)P->ldb, P->C, (T)P->ldc);                              \
  }
FORM(typed_rotated, long)
FORM(bytes_memory, long)
FORM(pointer_phis, long)
FORM(narrow, int)

const struct form CAT(forms, BUILD)[] = {
    {"typed_rotated", CAT(run_typed_rotated, BUILD), SIGNED | WIDE},
    {"bytes_memory", CAT(run_bytes_memory, BUILD), SIGNED | WIDE},
    {"pointer_phis", CAT(run_pointer_phis, BUILD), SIGNED | WIDE},
    {"narrow", CAT(run_narrow, BUILD), SIGNED},
    {0, 0, 0},
};
