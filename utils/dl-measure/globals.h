//===- globals.h - Global variables of what is measured ---------*- C -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arrays that kernels find by name: each library has its own. Those that are
/// zero when it is loaded get numbers, as arguments do; others keep what they
/// have.
///
//===----------------------------------------------------------------------===//
#ifndef DL_MEASURE_GLOBALS_H
#define DL_MEASURE_GLOBALS_H

#include "compare.h"

/// Builds: without the plugin, with it, the float64 reference, and the source
/// as it stands, without optimization.
enum { NumLibraries = 4 };

/// \p line: "NAME TYPE BYTES LO HI PLAIN PLUGIN REFERENCE SOURCE", the last
/// four where it is in each library, from its first address on, -1: nowhere. 0:
/// it is none.
int readGlobal(const char *line);
/// Fills those of a library that lies at \p base.
void fillGlobals(int library, char *base);
/// First contents again.
void restoreGlobals(int library);
/// Copies of all of a library.
char **saveGlobals(int library);
/// As compareResults().
void compareGlobals(Counts *c, char **plain, char **again, char **plugin);

#endif // DL_MEASURE_GLOBALS_H
