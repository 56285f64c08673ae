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

typedef struct {
  size_t numbers, different, beyond, nans, varying;
  double maxUlp;
  const Tolerance *allowed;
} Counts;

/// Zeros, or the program ends.
void *allocate(size_t size);
/// Counts a number of two calls of the plain build, and of the other one;
/// "first LABEL INDEX PLAIN PLUGIN" where these differ for the first time.
void compareNumber(Counts *c, Type type, const char *a, const char *again,
                   const char *b, const char *label, ptrdiff_t index);
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
/// All regions and what is returned; the label of these is the number of the
/// argument, and 0.
void compareResults(Counts *c, const Result *plain, const Result *again,
                    const Result *plugin, int returnType);
/// "compared NUMBERS DIFFERENT BEYOND MAXULP NANS", "varying NUMBERS": those
/// that are not the same in two calls of the plain build, as addresses from
/// malloc, and addresses of functions and variables are not compared.
void printCounts(const Counts *c);
/// "error NAME MAXULP SCALED": against the float64 reference, the greatest
/// error of an element in units in the last place, and as a part of the
/// greatest element of its array.
void printErrors(const char *name, const Result *exact, const Result *some,
                 int returnType);

#endif // DL_MEASURE_COMPARE_H
