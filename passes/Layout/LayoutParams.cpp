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

LayoutParams LayoutParams::inPipeline() {
  LayoutParams P;
  P.Prepared = true;
  P.KeepProducts = !getGlobalOptions().isDisabled("dl-vectorize");
  return P;
}

Expected<LayoutParams> LayoutParams::parse(StringRef Params) {
  LayoutParams P;
  while (!Params.empty()) {
    StringRef Param;
    std::tie(Param, Params) = Params.split(';');
    if (Param == "prepared")
      P.Prepared = true;
    else if (Param == "keep-products")
      P.KeepProducts = true;
    else if (Param == "to=auto")
      P.To = Auto;
    else if (Param == "to=nhwc")
      P.To = NHWC;
    else
      return unknownParam(Param);
  }
  return P;
}

void LayoutParams::print(raw_ostream &OS) const {
  ListSeparator Sep(";");
  if (To == NHWC)
    OS << Sep << "to=nhwc";
  if (KeepProducts)
    OS << Sep << "keep-products";
  if (Prepared)
    OS << Sep << "prepared";
}
