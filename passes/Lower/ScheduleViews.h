//===- ScheduleViews.h - Numbers and views ----------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is computed in front of all loops. A view (Kernel.h, Op::View) is one
/// code for both of its sides: a pointer that is chosen there, and for each
/// product of axes in the places a factor that is chosen there, too:
///
///   view(t[J,64*k + j], %B[K + k,J + j](%N,1), %M >= 8)
///   v[J*a + K*b + k*c + j]    ; v is t or %B, c is 64 or %N
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_SCHEDULEVIEWS_H
#define DLOPT_PASSES_LOWER_SCHEDULEVIEWS_H

#include "BodyLower.h"

namespace dlopt {

/// Computes the numbers of \p K (Param::Cases), which is the kernel of \p C.
void computeNumbers(ScalarContext &C, Kernel &K);

/// A kernel without views, for buffers that the code has to choose first.
class ViewResolver {
public:
  explicit ViewResolver(const Kernel &Of);

  /// First where Condition >= 0, else Second.
  struct ChosenBuffer {
    BufferId Id, First, Second;
    Poly Condition;
  };
  Kernel K;
  llvm::SmallVector<ChosenBuffer, 2> Buffers;

private:
  void resolve(Leaf &L, OpId View);
  BufferId getBuffer(BufferId First, BufferId Second, const Poly &Condition);
  Poly getNumber(const Poly &First, const Poly &Second, const Poly &Condition);
};

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_SCHEDULEVIEWS_H
