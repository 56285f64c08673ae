//===- Sampler.h - Values of expressions at random points ------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers for expressions: loads, parameters and indices have random values,
/// each axis has two rounds. What differs here is not the same formula, which
/// takes a thousandth of the time that its normal form takes.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_SAMPLER_H
#define DLOPT_NAMES_SAMPLER_H

#include "Algebra.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace dlopt {

struct SamplePoint {
  unsigned Number;     ///< of the sample: what is loaded is another number
  AxisSet Coordinates; ///< each axis is in its first or its second round
};

/// Which elements are the same number.
enum class EqualElements : uint8_t {
  None,
  InRound, ///< arrays of all axes are equal; all others are one number
  All      ///< all arrays are one number
};

class Sampler {
public:
  explicit Sampler(Algebra &A) : A(A) {}
  /// \p Full: the axes that arrays of all axes have.
  Sampler(Algebra &A, EqualElements Equal, AxisSet Full)
      : A(A), Equal(Equal), Full(Full) {}
  static constexpr unsigned NumSamples = 3;

  double getValue(ExprId E, SamplePoint At);
  /// How many rounds \p Axes have.
  double getCount(AxisSet Axes, SamplePoint At);
  /// The element of an array where some are equal.
  double getEqual(SamplePoint At, bool IsFull) const;
  static double pow(double X, double By);
  /// Calls \p Visit for all rounds of \p Axes.
  static void forEachRound(AxisSet Axes, SamplePoint At,
                           llvm::function_ref<void(SamplePoint)> Visit);
  /// \p Each combined over all rounds of \p Axes.
  static double reduce(Reduce How, AxisSet Axes, SamplePoint At,
                       llvm::function_ref<double(SamplePoint)> Each);
  static double scan(AxisId Ax, SamplePoint At,
                     llvm::function_ref<double(SamplePoint)> Each);
  /// A function of libm or an operation.
  static double call(llvm::StringRef Name, llvm::ArrayRef<double> Args);
  /// Whether rounding may have made the difference; so it is where one of them
  /// is no number.
  static bool areNear(double X, double Y);

private:
  double getValueOfAtom(uint32_t Id, SamplePoint At);

  Algebra &A;
  EqualElements Equal = EqualElements::None;
  AxisSet Full = 0;
  std::map<std::tuple<ExprId, unsigned, AxisSet>, double> Known;
  std::map<AxisSet, ExprId> Counts;
};

} // namespace dlopt

#endif // DLOPT_NAMES_SAMPLER_H
