//===- Transform.h - Schedules as scripts -----------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A script turns a plain kernel into one that says how it is run, a primitive
/// a line; docs/schedules.md has them. Each primitive asks Dependences whether
/// it is legal. What is legal under an assumption about arrays or sizes becomes
/// a need of the kernel, which is tested before anything runs.
///
/// The primitives are those of schedule languages: Halide (Ragan-Kelley et al.,
/// PLDI 2013) and Exo (Ikarashi et al., PLDI 2022).
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_TRANSFORM_H
#define DLOPT_TRANSFORM_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Applies one line, without its comment, to what earlier lines made of \p
/// Plain. On an error, which says why in one line, \p K is as it was.
llvm::Error applyStep(Kernel &K, const Kernel &Plain, llvm::StringRef Line);

/// Applies the lines of \p Text that are for \p K, of which at most \p Limit.
/// Lines behind `for @NAME` are for kernels of that function, those behind `for
/// KIND` for that kind (the first words of it, such as `matmul`), and those in
/// front of any such line for all. \p K is the plain kernel. Errors read
/// "file:line: why". \p AfterStep sees each line that was applied.
llvm::Error
applyScript(Kernel &K, llvm::StringRef Text, llvm::StringRef FileName,
            unsigned Limit = ~0u,
            llvm::function_ref<void(llvm::StringRef)> AfterStep = nullptr);

/// Whether any line is.
bool isScriptFor(llvm::StringRef Text, const Kernel &K);

/// \p P of \p From, which is made of parameters alone, in \p To, which has the
/// same ones.
Poly importFixed(Kernel &To, const Kernel &From, const Poly &P);

/// Adds to \p Plain what \p Scheduled, which was made of it by a script, needs
/// besides.
void adoptNeeds(Kernel &Plain, const Kernel &Scheduled);

} // namespace dlopt

#endif // DLOPT_TRANSFORM_H
