//===- SingleFilters.h - Channels that have one filter ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_SINGLEFILTERS_H
#define DLOPT_SINGLEFILTERS_H

namespace dlopt {

class Kernel;

/// Lets each channel have one filter, where how many it has is a number of the
/// nest: depthwise convolutions. False: there is no such number.
bool assumeSingleFilters(Kernel &K);

} // namespace dlopt

#endif // DLOPT_SINGLEFILTERS_H
