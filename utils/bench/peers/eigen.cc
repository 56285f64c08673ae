//===- eigen.cc - Eigen as a contestant of dlbench ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// REAL is the type; TRANS_A, TRANS_B say whether an operand is stored
// transposed; with VECTOR, B and C are vectors.
#include <Eigen/Core>

template <int Trans>
using Matrix = Eigen::Matrix<REAL, Eigen::Dynamic, Eigen::Dynamic,
                             Trans ? Eigen::ColMajor : Eigen::RowMajor>;
using Vector = Eigen::Matrix<REAL, Eigen::Dynamic, 1>;
using Stride = Eigen::OuterStride<>;
template <class Type> using Map = Eigen::Map<Type, 0, Stride>;

extern "C" void peer(long m, long n, long k, const REAL *a, long lda,
                     const REAL *b, long ldb, REAL *c, long ldc) {
  Map<const Matrix<TRANS_A>> A(a, m, k, Stride(lda));
#ifdef VECTOR
  (void)n, (void)ldb, (void)ldc;
  Eigen::Map<Vector>(c, m).noalias() = A * Eigen::Map<const Vector>(b, k);
#else
  Map<const Matrix<TRANS_B>> B(b, k, n, Stride(ldb));
  Map<Matrix<0>>(c, m, n, Stride(ldc)).noalias() = A * B;
#endif
}
