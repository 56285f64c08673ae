//===- Arguments.cpp - noalias from the callers ---------------------------===//
//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// static void f(float *a, float *b);  f(x, y) with x, y distinct local objects
/// ->  static void f(float *noalias a, float *noalias b);
///
/// `noalias` says that during the call nothing is accessed both through the
/// argument and in another way. Every call must therefore pass an object of its
/// caller that nobody else can reach: identified, local to the caller, never
/// captured, and not passed by another argument of the same call.
///
//===----------------------------------------------------------------------===//
#include "NoAliasImpl.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace dlopt;

/// All calls of \p F, or nothing if it may be called in another way.
static bool getCalls(const Function &F,
                     SmallVectorImpl<const CallBase *> &Calls) {
  if (!F.hasLocalLinkage() || F.isDeclaration() || F.isVarArg())
    return false;
  for (const Use &U : F.uses()) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || !Call->isCallee(&U) ||
        Call->getFunctionType() != F.getFunctionType())
      return false;
    Calls.push_back(Call);
  }
  return !Calls.empty();
}

/// Whether \p Object is out of reach for everyone but its function and what
/// that passes it to as a captures(none) argument.
static bool isPrivateObject(const Value *Object) {
  return isIdentifiedFunctionLocal(Object) && !mayBeCaptured(Object);
}

/// Whether all that a pointer to \p V may be derived from is \p V itself: not a
/// call that may return its argument, nor what the search gave up at.
static bool isOrigin(const Value *V) {
  // An object that is never captured is never loaded.
  return isa<Argument, Constant, LoadInst>(V) || isIdentifiedObject(V);
}

static bool isAloneIn(const CallBase &Call, unsigned Index) {
  const Value *Mine = getUnderlyingObject(Call.getArgOperand(Index), 0);
  if (!isPrivateObject(Mine))
    return false;
  for (unsigned I = 0; I != Call.arg_size(); ++I) {
    const Value *Arg = Call.getArgOperand(I);
    if (I == Index || !Arg->getType()->isPointerTy())
      continue;
    // A pointer that is not derived from a private object cannot reach it, but
    // where it comes from must be seen.
    SmallVector<const Value *, 4> Theirs;
    getUnderlyingObjects(Arg, Theirs);
    if (!all_of(Theirs,
                [&](const Value *V) { return V != Mine && isOrigin(V); }))
      return false;
  }
  return true;
}

bool dlopt::annotateArguments(Function &F) {
  SmallVector<const CallBase *, 4> Calls;
  if (!getCalls(F, Calls))
    return false;
  bool Changed = false;
  // First what the function itself does: isPrivateObject has to see through all
  // arguments of a call.
  SmallVector<Argument *, 4> Kept;
  for (Argument &A : F.args()) {
    if (!A.getType()->isPointerTy() || A.hasAttribute(Attribute::NoAlias) ||
        A.hasPassPointeeByValueCopyAttr() || mayBeCaptured(&A))
      continue;
    Kept.push_back(&A);
    if (!A.hasAttribute(NoCaptureKind)) {
      A.addAttr(getNoCapture(F.getContext()));
      Changed = true;
    }
  }
  for (Argument *A : Kept) {
    auto IsAlone = [&](const CallBase *Call) {
      return isAloneIn(*Call, A->getArgNo());
    };
    if (DLOPT_PLANTED(CallerUnchecked) ? none_of(Calls, IsAlone)
                                       : !all_of(Calls, IsAlone))
      continue;
    A->addAttr(Attribute::NoAlias);
    Changed = true;
  }
  return Changed;
}

/// The reasons in the order in which they are asked for.
static constexpr StringLiteral Unproved[] = {
    "of a function whose callers are not all known",
    "that may be captured",
    "that a caller does not own alone",
    "whose object is passed twice",
};

/// An index into Unproved; nothing if nobody has looked.
static std::optional<unsigned> getReason(const Argument &A, bool HasCalls,
                                         ArrayRef<const CallBase *> Calls) {
  if (!HasCalls)
    return 0;
  if (mayBeCaptured(&A))
    return 1;
  unsigned Index = A.getArgNo();
  if (!all_of(Calls, [&](const CallBase *Call) {
        return isPrivateObject(
            getUnderlyingObject(Call->getArgOperand(Index), 0));
      }))
    return 2;
  if (all_of(Calls,
             [&](const CallBase *Call) { return isAloneIn(*Call, Index); }))
    return std::nullopt;
  return 3;
}

std::string dlopt::countUnproved(const Function &F) {
  SmallVector<const CallBase *, 4> Calls;
  bool HasCalls = getCalls(F, Calls);
  unsigned Pointers = 0, Counts[std::size(Unproved)] = {};
  for (const Argument &A : F.args()) {
    if (!A.getType()->isPointerTy() || A.hasPassPointeeByValueCopyAttr())
      continue;
    ++Pointers;
    if (A.hasAttribute(Attribute::NoAlias))
      continue;
    if (std::optional<unsigned> Why = getReason(A, HasCalls, Calls))
      ++Counts[*Why];
  }
  std::string Text;
  raw_string_ostream OS(Text);
  ListSeparator Sep;
  for (auto [Count, Why] : zip(Counts, Unproved))
    if (Count)
      OS << Sep << Count << " of " << Pointers << ' ' << Why;
  return Text;
}
