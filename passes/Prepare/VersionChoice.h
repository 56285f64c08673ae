//===- VersionChoice.h - Which copies of nests may help --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_VERSIONCHOICE_H
#define DLOPT_PREPARE_VERSIONCHOICE_H

#include "dlopt/LightForm.h"

namespace dlopt {

/// Whether \p V may make kernels of nests of \p Clone that are none, or none
/// that can be transformed, as they stand.
bool mayHaveVersions(llvm::Function &Clone, LightClone::Versions V,
                     llvm::FunctionAnalysisManager &FAM, bool DispatchIfHosted);

/// Loop metadata (a flag) on copies of the kind \p V.
llvm::StringRef getTag(LightClone::Versions V);

} // namespace dlopt

#endif // DLOPT_PREPARE_VERSIONCHOICE_H
