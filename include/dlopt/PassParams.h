//===- PassParams.h - Typed parameters of passes ----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `name<params>` has in common for all passes: a struct with
///
///   static llvm::Expected<T> parse(llvm::StringRef Params);
///   void print(llvm::raw_ostream &OS) const; // parse's inverse; "" = default
///
/// and the mixin that prints it for -print-pipeline-passes.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSPARAMS_H
#define DLOPT_PASSPARAMS_H

#include "dlopt/Compat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace dlopt {

/// The error of a parameter that a pass does not have.
llvm::Error unknownParam(llvm::StringRef Param);

/// A parameter that is given or not.
template <typename ParamsT> struct ParamFlag {
  llvm::StringLiteral Name;
  bool ParamsT::*Flag;
};

/// Reads \p Params, `name;name`. \p Other: takes a parameter that is no flag.
template <typename ParamsT>
llvm::Expected<ParamsT> parseFlags(
    llvm::StringRef Params, llvm::ArrayRef<ParamFlag<ParamsT>> Flags,
    llvm::function_ref<bool(ParamsT &, llvm::StringRef)> Other = nullptr) {
  ParamsT P;
  while (!Params.empty()) {
    llvm::StringRef Param;
    std::tie(Param, Params) = Params.split(';');
    const auto *Found =
        llvm::find_if(Flags, [&](const auto &F) { return F.Name == Param; });
    if (Found != Flags.end())
      P.*(Found->Flag) = true;
    else if (!Other || !Other(P, Param))
      return unknownParam(Param);
  }
  return P;
}

template <typename ParamsT>
void printFlags(llvm::raw_ostream &OS, const ParamsT &P,
                llvm::ArrayRef<ParamFlag<ParamsT>> Flags,
                llvm::ListSeparator Sep = llvm::ListSeparator(";")) {
  for (const auto &F : Flags)
    if (P.*F.Flag)
      OS << Sep << F.Name;
}

/// Parameters of a pass without any.
struct NoParams {
  static llvm::Expected<NoParams> parse(llvm::StringRef Params) {
    if (Params.empty())
      return NoParams();
    return unknownParam(Params);
  }
  void print(llvm::raw_ostream &) const {}
};

/// The mixin for a pass with parameters of type \p ParamsT.
template <typename DerivedT, typename ParamsT>
class ParamPassMixin : public llvm::OptionalPassInfoMixin<DerivedT> {
public:
  using Params = ParamsT;
  explicit ParamPassMixin(ParamsT P = {}) : P(std::move(P)) {}

  void
  printPipeline(llvm::raw_ostream &OS,
                llvm::function_ref<llvm::StringRef(llvm::StringRef)> MapName) {
    llvm::OptionalPassInfoMixin<DerivedT>::printPipeline(OS, MapName);
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    P.print(Stream);
    if (!Text.empty())
      OS << '<' << Text << '>';
  }

protected:
  ParamsT P;
};

} // namespace dlopt

#endif // DLOPT_PASSPARAMS_H
