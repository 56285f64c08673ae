//===- RemarkListener.cpp - Hearing what passes say -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A context has one handler of diagnostics, which cannot be replaced and put
/// back as it was, and one stream of remarks, which can: it is what
/// -fsave-optimization-record writes to, so each pass gives its remarks if
/// there is one.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Compat.h"
#include "dlopt/Remarks.h"
#include "dlopt/Verdicts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkStreamer.h"

using namespace llvm;
using namespace dlopt;

static std::optional<LoopRemark::Kind> getKind(const remarks::Remark &R) {
  switch (R.RemarkType) {
  case remarks::Type::Passed:
    // Others are on arrays, or on what is no kernel.
    if (none_of(R.Args, [](const auto &A) { return A.Key == "Kernel"; }))
      return std::nullopt;
    return LoopRemark::Transformed;
  case remarks::Type::Analysis:
    if (R.PassName == "dl-recognize" && R.RemarkName == "Kernel")
      return LoopRemark::Recognized;
    return std::nullopt;
  case remarks::Type::Missed:
    if (R.PassName == "dl-recognize")
      return LoopRemark::Missed;
    // What other passes leave alone is left to this one.
    if (R.PassName == "dl-vectorize")
      return R.RemarkName == getName(Reason::NoGain) ? LoopRemark::LeftToLLVM
                                                     : LoopRemark::Left;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

static LoopRemark getLoopRemark(const remarks::Remark &R, LoopRemark::Kind K) {
  LoopRemark Result;
  Result.K = K;
  Result.Function = R.FunctionName.str();
  Result.Reason = R.RemarkName.str();
  for (const remarks::Argument &A : R.Args) {
    if (A.Key == "Kernel" && Result.Kernel.empty())
      Result.Kernel = A.Val.str();
    else if (A.Key == "Number")
      to_integer(A.Val, Result.Number, 10);
    else if (A.Key == "KernelsInside")
      Result.K = LoopRemark::Around;
    else if (A.Key == "OfSystem")
      Result.IsOfSystem = true;
    // What is behind the text is for tools.
    if (R.RemarkType == remarks::Type::Passed || A.Key == "String" ||
        A.Key == "Help")
      Result.Message += A.Val;
  }
  if (R.Loc) {
    Result.File = R.Loc->SourceFilePath.str();
    Result.Line = R.Loc->SourceLine;
    Result.Column = R.Loc->SourceColumn;
  }
  return Result;
}

namespace {

/// Keeps what it is given, and passes it on.
class Recorder : public SilentSerializer {
public:
  Recorder(std::vector<LoopRemark> &Remarks, remarks::RemarkStreamer *Before)
      : Remarks(Remarks), Before(Before) {}

  void emit(const remarks::Remark &R) override {
    if (R.PassName.starts_with("dl-"))
      if (std::optional<LoopRemark::Kind> K = getKind(R))
        Remarks.push_back(getLoopRemark(R, *K));
    if (Before && Before->matchesFilter(R.PassName))
      Before->getSerializer().emit(R);
  }

private:
  std::vector<LoopRemark> &Remarks;
  remarks::RemarkStreamer *Before;
};

} // namespace

struct RemarkListener::Stream {
  remarks::RemarkStreamer RS;
  explicit Stream(std::unique_ptr<Recorder> R) : RS(std::move(R)) {}
  ~Stream() { endRemarks(RS); }
};

RemarkListener::RemarkListener(LLVMContext &C)
    : C(C), Own(std::make_unique<Stream>(std::make_unique<Recorder>(
                Remarks, C.getMainRemarkStreamer()))) {
  C.setLLVMRemarkStreamer(std::make_unique<LLVMRemarkStreamer>(Own->RS));
}

RemarkListener::~RemarkListener() {
  if (remarks::RemarkStreamer *Before = C.getMainRemarkStreamer())
    C.setLLVMRemarkStreamer(std::make_unique<LLVMRemarkStreamer>(*Before));
  else
    C.setLLVMRemarkStreamer(nullptr);
}
