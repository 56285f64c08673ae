//===- Classify.cpp - Names of kernels
//--------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Raise.h"

using namespace llvm;
using namespace dlopt;

void dlopt::classifyKernel(Kernel &K) { K.Kind = "generic"; }
