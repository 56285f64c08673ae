//===- Quotients.h - Whether indices are divided ----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_QUOTIENTS_H
#define DLOPT_QUOTIENTS_H

namespace dlopt {

class Kernel;

/// Whether splitQuotients, or splitGroups, has anything to do.
bool hasQuotients(const Kernel &K);
bool hasGroups(const Kernel &K);

} // namespace dlopt

#endif // DLOPT_QUOTIENTS_H
