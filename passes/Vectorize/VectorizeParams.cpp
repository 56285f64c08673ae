//===- VectorizeParams.cpp - Parameters of dl-vectorize -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Options.h"
#include "dlopt/Vectorize.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

Expected<VectorizeParams> VectorizeParams::parse(StringRef Params) {
  VectorizeParams P;
  // The values mean what they mean everywhere else.
  Options O;
  while (!Params.empty()) {
    StringRef Param;
    std::tie(Param, Params) = Params.split(';');
    if (Param == "prepared") {
      P.Prepared = true;
      continue;
    }
    if (Param.starts_with("schedule=") && Param != "schedule=") {
      P.Schedule = Param.split('=').second.str();
      continue;
    }
    if (Param.starts_with("tuned=") && Param != "tuned=") {
      P.Tuned = Param.split('=').second.str();
      continue;
    }
    bool Known = is_contained({"tile", "stack", "no-pack", "dispatch",
                               "scalable", "no-scalable", "check"},
                              Param.split('=').first);
    if (!Known)
      return unknownParam(Param);
    if (Error E = O.apply(Param)) {
      consumeError(std::move(E));
      auto [Name, Value] = Param.split('=');
      return createStringError("bad value '" + Value + "' for '" + Name + "'");
    }
    if (Param.consume_front("check"))
      P.Check = Param.empty() ? "1" : Param.drop_front().str();
  }
  P.TileRows = O.TileRows;
  P.TileVectors = O.TileVectors;
  P.NoPack = !O.Pack;
  P.Stack = O.Stack;
  P.Dispatch = O.Dispatch;
  P.Scalable = O.Scalable;
  return P;
}

void VectorizeParams::print(raw_ostream &OS) const {
  ListSeparator Sep(";");
  if (Prepared)
    OS << Sep << "prepared";
  if (TileRows)
    OS << Sep << "tile=" << TileRows << 'x' << TileVectors;
  if (NoPack)
    OS << Sep << "no-pack";
  if (Stack)
    OS << Sep << "stack=" << *Stack;
  if (Dispatch) {
    static constexpr StringLiteral Names[] = {"0", "1", "fma"};
    OS << Sep << "dispatch=" << Names[unsigned(*Dispatch)];
  }
  if (Scalable)
    OS << Sep << (*Scalable ? "scalable" : "no-scalable");
  if (!Check.empty())
    OS << Sep << "check=" << Check;
  if (!Schedule.empty())
    OS << Sep << "schedule=" << Schedule;
  if (!Tuned.empty())
    OS << Sep << "tuned=" << Tuned;
}

void VectorizeParams::applyTo(Options &O) const {
  if (TileRows) {
    O.TileRows = TileRows;
    O.TileVectors = TileVectors;
  }
  if (NoPack)
    O.Pack = false;
  if (Stack)
    O.Stack = Stack;
  if (Dispatch)
    O.Dispatch = Dispatch;
  if (Scalable)
    O.Scalable = Scalable;
  if (!Check.empty())
    cantFail(O.apply("check=" + Check));
  O.DispatchIfHosted = DispatchIfHosted;
}
