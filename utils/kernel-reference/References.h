//===- References.h - Plain C++ for the kernels of test/Kernel --*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNEL_REFERENCE_REFERENCES_H
#define DLOPT_KERNEL_REFERENCE_REFERENCES_H

#include "Case.h"

namespace dlopt {

/// Binds sizes made from \p A and \p B (0, 1, odd, even), runs the kernels of
/// the case and compares with loops that know nothing of the kernel model.
using Reference = void (*)(Case &C, int64_t A, int64_t B);

void checkMatmulNT(Case &C, int64_t A, int64_t B);
void checkConv2D(Case &C, int64_t A, int64_t B);
void checkDepthwise(Case &C, int64_t A, int64_t B);
void checkAvgPool(Case &C, int64_t A, int64_t B);
void checkInt8Matmul(Case &C, int64_t A, int64_t B);
void checkSoftmax(Case &C, int64_t A, int64_t B);
void checkOnlineSoftmax(Case &C, int64_t A, int64_t B);
void checkLayerNorm(Case &C, int64_t A, int64_t B);
void checkAttention(Case &C, int64_t A, int64_t B);
void checkLSTM(Case &C, int64_t A, int64_t B);
void checkArgMax(Case &C, int64_t A, int64_t B);
void checkEmbedding(Case &C, int64_t A, int64_t B);

} // namespace dlopt

#endif // DLOPT_KERNEL_REFERENCE_REFERENCES_H
