//===- Caches.h - What compiler caches have to know -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Caches of object files ask whether source, arguments and compiler are the
/// same. What the plugin makes of a source depends on more: on the plugin
/// itself, on DLOPT_OPTIONS, and on files that options name.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_UTILS_DLCC_CACHES_H
#define DLOPT_UTILS_DLCC_CACHES_H

#include "Arguments.h"
#include "Compilers.h"
#include <string>
#include <vector>

namespace dlcc {

/// One line with all that objects depend on beside source and \p Arguments: it
/// differs if any of that does.
std::string stateOf(const Plugin &P, const Compiler &C,
                    const std::vector<std::string> &Arguments);

/// Tells a cache about \p State: one that \p C runs the compiler by, or one
/// that has started this program to preprocess, as \p S says. Arguments that
/// the compiler needs for that are added to \p Added. Returns why that cannot
/// be, or nothing.
std::string tellCache(const std::string &State, const Compiler &C,
                      const Steps &S, std::vector<std::string> &Added);

} // namespace dlcc

#endif // DLOPT_UTILS_DLCC_CACHES_H
