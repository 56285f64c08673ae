//===- ScriptCycles.cpp - What scripts take in an order -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScriptCycles.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/Strategies.h"
#include "dlopt/Target.h"
#include "dlopt/Vectorize.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace dlopt;

std::optional<double> ScriptCycles::get(const Kernel &K, const TargetModel &T) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << T.Family << ' ' << T.VectorBits << '\n';
  K.print(OS);
  auto [It, IsNew] = Known.try_emplace(Text);
  if (!IsNew)
    return It->second;
  Kernel Own;
  copyKernel(K, Own);
  prepareForScript(Own);
  if (std::optional<Strategy> Found = findStrategy(Own, T))
    It->second = Found->Cycles;
  return It->second;
}
