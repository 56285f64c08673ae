//===- Compat.h - What depends on the LLVM version ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The only place that may ask for LLVM_VERSION_MAJOR.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_COMPAT_H
#define DLOPT_COMPAT_H

#include "llvm/Config/llvm-config.h"

#if LLVM_VERSION_MAJOR != 22
#error "DLOpt is built against LLVM 22 (package llvm-22-dev)"
#endif

#include "llvm/Plugins/PassPlugin.h"

#endif // DLOPT_COMPAT_H
