//===- LayoutParams.cpp - Parameters of dl-layout -------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Layout.h"
#include "dlopt/Options.h"

using namespace llvm;
using namespace dlopt;

LayoutParams LayoutParams::inPipeline(bool DispatchIfHosted) {
  LayoutParams P;
  P.DispatchIfHosted = DispatchIfHosted;
  P.Prepared = true;
  P.KeepProducts = !getGlobalOptions().isDisabled("dl-vectorize");
  return P;
}

static constexpr ParamFlag<LayoutParams> Flags[] = {
    {"keep-products", &LayoutParams::KeepProducts},
    {"prepared", &LayoutParams::Prepared}};

/// By goal.
static constexpr StringLiteral Goals[] = {"auto", "nhwc", "nchw", "blocked"};

Expected<LayoutParams> LayoutParams::parse(StringRef Params) {
  return parseFlags<LayoutParams>(Params, Flags,
                                  [](LayoutParams &P, StringRef Param) {
                                    if (!Param.consume_front("to="))
                                      return false;
                                    const auto *Name = find(Goals, Param);
                                    if (Name == std::end(Goals))
                                      return false;
                                    P.To = static_cast<Goal>(Name - Goals);
                                    return true;
                                  });
}

void LayoutParams::print(raw_ostream &OS) const {
  ListSeparator Sep(";");
  if (To != Auto)
    OS << Sep << "to=" << Goals[To];
  printFlags<LayoutParams>(OS, *this, Flags, std::move(Sep));
}
