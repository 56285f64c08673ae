//===- CheckContracts.cpp - Whether functions keep their kernels ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel is kept if something was made of it, or if LLVM does as well. It is
/// lost where its loops are no kernel, or one that is left alone. All of a kind
/// must be kept, and there must be one.
///
/// Kernels that are joined have another name behind that, so what was
/// recognized counts as kept unless it is said to be left alone. Without debug
/// locations nobody can tell which of several kernels of a function a remark is
/// on; then one that is kept is enough.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Contracts.h"
#include "dlopt/Options.h"
#include "dlopt/Remarks.h"
#include "dlopt/Verdicts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace dlopt;

namespace {

using RemarkList = SmallVector<const LoopRemark *, 8>;

/// A kind that is required, and what was said of the function.
class Requirement {
public:
  Requirement(StringRef Kind, const RemarkList &All) : Kind(Kind), All(All) {}

  /// Null: it is kept. Else what was said of the loops that should have been
  /// one, or \p None.
  const LoopRemark *findLoss(const LoopRemark &None) const;
  std::string explain(const LoopRemark &Loss) const;

private:
  bool is(const LoopRemark &R, LoopRemark::Kind K) const {
    return R.K == K && isOfKind(R.Kernel, Kind);
  }
  size_t count(LoopRemark::Kind K) const {
    return count_if(All, [&](const auto *R) { return is(*R, K); });
  }
  bool isTransformed(const LoopRemark &At) const {
    return any_of(All, [&](const auto *R) {
      return R->K == LoopRemark::Transformed && R->isAt(At);
    });
  }

  StringRef Kind;
  const RemarkList &All;
};

} // namespace

const LoopRemark *Requirement::findLoss(const LoopRemark &None) const {
  bool HasTransformed = any_of(
      All, [](const auto *R) { return R->K == LoopRemark::Transformed; });
  size_t Found = count(LoopRemark::Recognized), Left = count(LoopRemark::Left);
  bool IsKept = count(LoopRemark::Transformed) ||
                count(LoopRemark::LeftToLLVM) ||
                (Found > Left && HasTransformed);
  for (const LoopRemark *R : All)
    if (is(*R, LoopRemark::Left) &&
        (R->hasPlace() ? !isTransformed(*R) : !IsKept))
      return R;
  if (IsKept || (Left && Found))
    return nullptr;
  // What is around kernels may be why there is no larger one; loops of one row
  // are left alone one by one, by their own names.
  constexpr LoopRemark::Kind Reasons[] = {LoopRemark::Missed,
                                          LoopRemark::Around, LoopRemark::Left};
  for (LoopRemark::Kind K : drop_begin(Reasons, Found ? 2 : 0))
    for (const LoopRemark *R : All)
      if (R->K == K)
        return R;
  return &None;
}

std::string Requirement::explain(const LoopRemark &Loss) const {
  std::string Text = Kind == AnyKind ? "requires a kernel"
                                     : "requires the kernel " + Kind.str();
  if (Loss.K != LoopRemark::Recognized)
    return Text + ", and its loops here are " + Loss.Message + " [" +
           Loss.Reason + "]";
  if (count(LoopRemark::Recognized))
    return Text + ", of which nothing is made: passes are switched off";
  SmallSetVector<StringRef, 4> Others;
  for (const LoopRemark *R : All)
    if (!R->Kernel.empty())
      Others.insert(StringRef(R->Kernel).split(',').first);
  return Text + ", and has " +
         (Others.empty()
              ? "no loops that could be one"
              : "others: " + join(Others.begin(), Others.end(), ", "));
}

/// In the words of the source, the remark's place.
static DiagnosticLocation getLocation(const Function &F, const LoopRemark &R) {
  DISubprogram *SP = F.getSubprogram();
  if (!SP)
    return {};
  DiagnosticLocation Head(SP);
  if (!R.hasPlace())
    return Head;
  DiagnosticLocation Loop(
      DILocation::get(F.getContext(), R.Line, R.Column, SP));
  return Loop.getRelativePath() == R.File ? Loop : Head;
}

/// Every host reports this kind of diagnostic, at its place if it can.
static void emitError(const Function &F, const Twine &Message,
                      const DiagnosticLocation &Loc) {
  F.getContext().diagnose(DiagnosticInfoUnsupported(F, Message, Loc, DS_Error));
}

static bool mustCheck(const Function &F) {
  return !F.getFnAttribute(RequireAttr).getValueAsString().empty() &&
         !F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
         !isGenerated(F);
}

bool dlopt::hasContracts(const Module &M) { return any_of(M, mustCheck); }

/// Reports what \p F has lost; returns the kinds of which the link is to say.
static std::string checkContract(const Function &F, const RemarkList &All,
                                 bool LearnsAtLink) {
  SmallVector<StringRef, 2> ForLink;
  StringRef Kinds = F.getFnAttribute(RequireAttr).getValueAsString();
  const LoopRemark None{LoopRemark::Recognized, "", "", "", "", "", 0, 0, 0};
  for (StringRef Kind : split(Kinds, ',')) {
    Kind = Kind.trim();
    Requirement R(Kind, All);
    const LoopRemark *Loss = R.findLoss(None);
    if (!Loss)
      continue;
    if (LearnsAtLink)
      ForLink.push_back(Kind);
    else
      emitError(F,
                "DLOpt: '" + getSpokenNames(F.getName()).back() + "' " +
                    R.explain(*Loss),
                getLocation(F, *Loss));
  }
  return join(ForLink, ",");
}

void dlopt::checkContracts(Module &M, ArrayRef<LoopRemark> Remarks,
                           function_ref<bool(Function &)> LearnsAtLink) {
  StringMap<RemarkList> ByFunction;
  for (const LoopRemark &R : Remarks)
    ByFunction[R.Function].push_back(&R);
  for (Function &F : M) {
    if (!mustCheck(F))
      continue;
    StringRef Name = GlobalValue::dropLLVMManglingEscape(F.getName());
    std::string ForLink =
        checkContract(F, ByFunction[Name], LearnsAtLink && LearnsAtLink(F));
    // What is kept is processed, and nobody finds it a second time. An empty
    // one says to whom reads files at the link that this was looked at.
    if (LearnsAtLink)
      F.addFnAttr(RequireAttr, ForLink);
    else
      F.removeFnAttr(RequireAttr);
  }
}
