//===- Conversion.h - What is made of one element ---------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers are often stored as others than those that are computed with: bytes
/// with a zero point, halves of floats, bfloats as integers. A conversion is
/// what a leaf makes of one element that it loads and of what is the same for
/// all elements, which is the same for each element of that value, wherever it
/// is computed: a copy may have it in the element's place.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_CONVERSION_H
#define DLOPT_CONVERSION_H

#include "dlopt/Expression.h"
#include "dlopt/Instructions.h"

namespace dlopt {

/// The operation \p Load of \p L, what is made of it, what is made of that, and
/// so on, as long as nobody uses anything but the last one.
llvm::SmallVector<OpId, 4> findConversions(const Leaf &L, OpId Load);

/// What \p Value, one of the conversions of \p Load, is. Operand 0 is the
/// element, operand 1 + p the parameter p of the kernel. No operation has a
/// flag: elements that the leaf does not load have a value, too.
Expression getConversion(const Leaf &L, OpId Load, OpId Value);

/// What is made of an element as a conversion to an integer, and other numbers.
struct ConversionOffset {
  OpId Core = 0;
  /// What is added to it, and whether it is subtracted.
  llvm::SmallVector<std::pair<OpId, bool>, 2> Added;
};
/// That of \p Value, which is used once, as all that it is made of \p Load by.
/// What is added may be loaded, too. nullopt: it is no such sum.
std::optional<ConversionOffset> findOffset(const Leaf &L, OpId Load,
                                           OpId Value);

/// Adds the operations of \p X to \p L; those of its element are \p Element.
/// The result is the operation that comes back.
OpId addConversion(Leaf &L, const Expression &X, OpId Element);

/// Whether it is the float that the element is as a bfloat: of that type, or an
/// integer of its bits.
bool isBFloat(const Expression &X);
/// Whether \p L makes that of something that it loads.
bool loadsBFloats(const Leaf &L);

/// The same numbers modulo 2^n as integers of \p n bits, which \p To are.
Expression narrowConversion(const Expression &X, ScalarType To);

/// The numbers, of a signed type, that a conversion to an integer makes of any
/// element: from Least to Most, and the parameters added to them, if neither
/// these sums nor anything in front of them wrap around.
struct ConversionRange {
  int64_t Least = 0, Most = 0;
  /// With 1 or -1.
  llvm::SmallVector<std::pair<ParamId, int>, 1> Params;
};
/// nullopt: nothing is known. \p X may wrap around where the sums do not fit
/// into its type.
std::optional<ConversionRange> getRange(const Kernel &K, const Expression &X);

/// When all numbers in \p R are some of the signed integers of type \p Ty: if
/// all of these hold.
llvm::SmallVector<Constraint, 2> getFits(Kernel &K, const ConversionRange &R,
                                         ScalarType Ty);

/// Whether they are some of \p Ty, whatever parameters are.
bool isIn(const ConversionRange &R, FactorType Ty);

/// Whether they certainly are: needs say so of parameters.
bool fits(const Kernel &K, const ConversionRange &R, ScalarType Ty);

} // namespace dlopt

#endif // DLOPT_CONVERSION_H
