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

#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace dlopt {

/// The error of a parameter that a pass does not have.
llvm::Error unknownParam(llvm::StringRef Param);

/// Parameters of a pass without any.
struct NoParams {
  static llvm::Expected<NoParams> parse(llvm::StringRef Params) {
    if (Params.empty())
      return NoParams();
    return unknownParam(Params);
  }
  void print(llvm::raw_ostream &) const {}
};

/// PassInfoMixin for a pass with parameters of type \p ParamsT.
template <typename DerivedT, typename ParamsT>
class ParamPassMixin : public llvm::PassInfoMixin<DerivedT> {
public:
  using Params = ParamsT;
  explicit ParamPassMixin(ParamsT P = {}) : P(std::move(P)) {}

  void
  printPipeline(llvm::raw_ostream &OS,
                llvm::function_ref<llvm::StringRef(llvm::StringRef)> MapName) {
    llvm::PassInfoMixin<DerivedT>::printPipeline(OS, MapName);
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
