//===- eigen.cc - Eigen as a contestant of dlbench ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <Eigen/Core>

using Matrix =
    Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<>;

extern "C" void peer_sgemm(long m, long n, long k, const float *a, long lda,
                           const float *b, long ldb, float *c, long ldc) {
  Eigen::Map<const Matrix, 0, Stride> A(a, m, k, Stride(lda));
  Eigen::Map<const Matrix, 0, Stride> B(b, k, n, Stride(ldb));
  Eigen::Map<Matrix, 0, Stride> C(c, m, n, Stride(ldc));
  C.noalias() = A * B;
}
