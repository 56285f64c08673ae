//===- Rows.h - Matrices whose rows are an array of pointers ----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_ROWS_H
#define DLOPT_PREPARE_ROWS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace dlopt {

/// Loop metadata (a flag) on loops in which rows are equally far apart.
inline constexpr llvm::StringLiteral EvenRowsTag = "dl.even.rows";

/// Gives nests that load the addresses of rows from arrays of pointers a copy
/// for the case that the rows of each array are equally far apart, in which a
/// row is an offset. Loops must be in simplified form. True if something
/// changed; analyses are not kept up to date.
bool assumeEvenRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// even() of Rows.cpp. Arguments: the address of the first pointer, the
/// distance of pointers in bytes, how many there are (at least one). It returns
/// the first pointer, how many bytes further on the next one is, and whether
/// they are all so far apart.
llvm::Function *getEvenRowsFunction(const llvm::Function &Served);

/// Whether that might find something to do.
bool loadsRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace dlopt

#endif // DLOPT_PREPARE_ROWS_H
