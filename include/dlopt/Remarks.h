//===- Remarks.h - Verdicts and remarks -------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every "no" has a named reason (Reasons.def); the same reason is the missed
/// remark and what negative tests check. Remarks point at the user's line: the
/// outermost inlined-at location.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_REMARKS_H
#define DLOPT_REMARKS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugLoc.h"
#include <string>

namespace llvm {
class BasicBlock;
class CallBase;
class Function;
class Instruction;
class Loop;
class OptimizationRemark;
class OptimizationRemarkAnalysis;
class OptimizationRemarkEmitter;
class OptimizationRemarkMissed;
} // namespace llvm

namespace dlopt {

enum class Reason : uint8_t {
  Ok,
#define DLOPT_REASON(NAME, TEXT) NAME,
#include "dlopt/Reasons.def"
};
/// "MayThrow", ...: stable for ever.
llvm::StringRef getName(Reason R);
/// One sentence in the words of the field.
llvm::StringRef getText(Reason R);

/// What may be done about it; empty if nobody knows.
llvm::StringRef getHelp(Reason R);

/// Ok, or why not and where.
struct [[nodiscard]] Verdict {
  Reason R = Reason::Ok;
  const llvm::Instruction *Culprit = nullptr;
  /// Optional detail appended to the reason's text ("call to 'foo'").
  std::string Detail;
  /// What helps here; empty: what the reason's row says.
  std::string Help = {};
  bool ok() const { return R == Reason::Ok; }
};

/// What \p C calls, in quotes, by its name in the source; or how it calls.
std::string describeCallee(const llvm::CallBase &C);

/// The location in the user's function: outermost inlined-at.
llvm::DebugLoc getUserLoc(const llvm::DebugLoc &DL);
/// The location of the culprit, or else \p Fallback's.
llvm::DebugLoc getUserLoc(const Verdict &V, const llvm::DebugLoc &Fallback);

/// Beginnings of remarks, to be used inside ORE.emit([&] { ... }) so that they
/// cost nothing when nobody listens; \p Pass is the name in -passes=, \p Name
/// the CamelCase tag, text and values are appended with <<.
llvm::OptimizationRemark passedRemark(const char *Pass, llvm::StringRef Name,
                                      const llvm::DebugLoc &DL,
                                      const llvm::BasicBlock &Region);
llvm::OptimizationRemarkAnalysis analysisRemark(const char *Pass,
                                                llvm::StringRef Name,
                                                const llvm::DebugLoc &DL,
                                                const llvm::BasicBlock &Region);
/// "<kernel>: left alone: <text of the reason>: <detail>; what helps: <help>",
/// tagged with the reason's name. To be given to emitMissed. \p Kernel: as
/// describe() has it; empty: it is none.
llvm::OptimizationRemarkMissed missedRemark(const char *Pass, const Verdict &V,
                                            const llvm::DebugLoc &DL,
                                            const llvm::BasicBlock &Region,
                                            llvm::StringRef Kernel = "");
/// Emits what \p Make makes, which is about a loop at \p At: nobody can change
/// loops of the system's headers, so that only files of remarks have those.
void emitMissed(llvm::OptimizationRemarkEmitter &ORE, const llvm::Function &F,
                const llvm::DebugLoc &At,
                llvm::function_ref<llvm::OptimizationRemarkMissed()> Make);
/// Whether the file at \p Path comes with a compiler, a system or a language.
bool isSystemFile(llvm::StringRef Path);

} // namespace dlopt

#endif // DLOPT_REMARKS_H
