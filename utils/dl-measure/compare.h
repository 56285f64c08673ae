//===- compare.h - What calls leave in memory -------------------*- C -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Contents of all regions, saved and compared. NaNs are equal, whatever their
/// sign and payload: LLVM varies these.
///
//===----------------------------------------------------------------------===//
#ifndef DL_MEASURE_COMPARE_H
#define DL_MEASURE_COMPARE_H

#include "arena.h"

/// A number is as expected if any of these permits it: units in the last place
/// (-1: none), |difference| <= absolute + relative * |expected|.
typedef struct {
  double ulp, absolute, relative;
} Tolerance;

/// What a call has left.
typedef struct {
  /// A copy of each piece that had been touched.
  size_t count;
  char **pieces;
  /// The same as doubles, of the reference alone; NULL: they are none.
  double **exact;
  char returned[16];
  double exactReturn;
} Result;

/// All regions, as they are now, and the value at \p returned; \p getShadow:
/// where the float64 value for an address is, or that of an address itself.
Result save(const char *returned, double *(*getShadow)(const void *));
/// The first contents of all that has memory.
void restoreAll(void);
/// Remembers which pieces are not as they were at first.
void noteChanges(void);
/// Restores those alone.
void restoreChanged(void);
/// "reach ARGUMENT BYTES" for each region: where the last piece ends, about.
void printReach(void);
/// "compared NUMBERS DIFFERENT BEYOND MAXULP NANS", "first ARGUMENT INDEX PLAIN
/// PLUGIN", "more PIECES", "varying NUMBERS": those that are not the same in
/// two calls of the plain build, as addresses from malloc, are not compared.
void compareResults(const Result *plain, const Result *again,
                    const Result *plugin, int returnType,
                    const Tolerance *allowed);
/// "error NAME MAXULP SCALED": against the float64 reference, the greatest
/// error of an element in units in the last place, and as a part of the
/// greatest element of its array.
void printErrors(const char *name, const Result *exact, const Result *some,
                 int returnType);

#endif // DL_MEASURE_COMPARE_H
