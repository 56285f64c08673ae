//===- Remarks.cpp - Verdicts and remarks ---------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Remarks.h"
#include "dlopt/Contracts.h"
#include "dlopt/InlinedLoops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace dlopt;

StringRef dlopt::getName(Reason R) {
  switch (R) {
  case Reason::Ok:
    return "Ok";
#define DLOPT_REASON(NAME, TEXT)                                               \
  case Reason::NAME:                                                           \
    return #NAME;
#include "dlopt/Reasons.def"
  }
  llvm_unreachable("covered switch");
}

StringRef dlopt::getText(Reason R) {
  switch (R) {
  case Reason::Ok:
    return "";
#define DLOPT_REASON(NAME, TEXT)                                               \
  case Reason::NAME:                                                           \
    return TEXT;
#include "dlopt/Reasons.def"
  }
  llvm_unreachable("covered switch");
}

StringRef dlopt::getHelp(Reason R) {
  switch (R) {
#define DLOPT_HELP(NAME, TEXT)                                                 \
  case Reason::NAME:                                                           \
    return TEXT;
#include "dlopt/Reasons.def"
  default:
    return "";
  }
}

DebugLoc dlopt::getUserLoc(const DebugLoc &DL) {
  DILocation *Loc = DL.get();
  while (Loc && Loc->getInlinedAt())
    Loc = Loc->getInlinedAt();
  return DebugLoc(Loc);
}

/// The culprit's location, unless that says nothing: what several lines have in
/// common is on line 0.
static const DebugLoc &getLoc(const Verdict &V, const DebugLoc &Fallback) {
  if (V.Culprit)
    if (const DebugLoc &DL = V.Culprit->getDebugLoc();
        DL && DL.getLine() && getUserLoc(DL).getLine())
      return DL;
  return Fallback;
}

DebugLoc dlopt::getUserLoc(const Verdict &V, const DebugLoc &Fallback) {
  return getUserLoc(getLoc(V, Fallback));
}

std::string dlopt::describeCallee(const CallBase &C) {
  if (C.isInlineAsm())
    return "inline assembly";
  if (const auto *M = dyn_cast<MemIntrinsic>(&C))
    return isa<MemSetInst>(M)    ? "'memset'"
           : isa<MemMoveInst>(M) ? "'memmove'"
                                 : "'memcpy'";
  const auto *F = dyn_cast<Function>(C.getCalledOperand()->stripPointerCasts());
  if (!F)
    return "through a pointer";
  // Copies that passes work on have no name.
  StringRef Name = F->hasName() ? F->getName() : C.getFunction()->getName();
  std::string Spoken = Name.str();
  // Names that begin otherwise are of C, or of procedures that have one.
  if (Name.starts_with("_"))
    Spoken = getSpokenNames(Name).back();
  if (Spoken.empty())
    if (const DISubprogram *SP = F->getSubprogram())
      Spoken = SP->getName().str();
  return Spoken.empty() ? "of the function itself" : "'" + Spoken + "'";
}

/// " (in 'max', ops.h:7)" of what was inlined, else empty.
static std::string describeInlined(const DebugLoc &DL) {
  if (!DL || !DL.getInlinedAt() || !DL.getLine())
    return "";
  const DILocation &Loc = *DL;
  const DISubprogram *SP = Loc.getScope()->getSubprogram();
  return (" (in '" + (SP ? SP->getName() : "") + "', " + Loc.getFilename() +
          ":" + Twine(Loc.getLine()) + ")")
      .str();
}

void dlopt::sayInlined(DiagnosticInfoOptimizationBase &R, const DebugLoc &DL) {
  if (std::string Where = describeInlined(DL); !Where.empty())
    R.insert(DiagnosticInfoOptimizationBase::Argument("Inlined", Where));
}

OptimizationRemark dlopt::passedRemark(const char *Pass, StringRef Name,
                                       const DebugLoc &DL,
                                       const BasicBlock &Region) {
  return OptimizationRemark(Pass, Name, DiagnosticLocation(getUserLoc(DL)),
                            &Region);
}

OptimizationRemarkAnalysis dlopt::analysisRemark(const char *Pass,
                                                 StringRef Name,
                                                 const DebugLoc &DL,
                                                 const BasicBlock &Region) {
  return OptimizationRemarkAnalysis(
      Pass, Name, DiagnosticLocation(getUserLoc(DL)), &Region);
}

OptimizationRemarkMissed dlopt::missedRemark(const char *Pass, const Verdict &V,
                                             const DebugLoc &DL,
                                             const BasicBlock &Region,
                                             StringRef Kernel) {
  OptimizationRemarkMissed R(Pass, getName(V.R),
                             DiagnosticLocation(getUserLoc(V, DL)), &Region);
  if (!Kernel.empty())
    R << DiagnosticInfoOptimizationBase::Argument("Named", Kernel.str() + ": ");
  R << "left alone: " << getText(V.R);
  if (!V.Detail.empty())
    R << ": " << V.Detail;
  sayInlined(R, getLoc(V, DL));
  StringRef Help = V.Help.empty() ? getHelp(V.R) : StringRef(V.Help);
  if (!Help.empty())
    R << DiagnosticInfoOptimizationBase::Argument("Help", "; what helps: " +
                                                              Help.str());
  return R;
}

/// Parts of absolute paths that only such files have: of systems, C++'s
/// library, compilers, Rust, Apple's and Microsoft's kits.
static constexpr StringLiteral SystemFolders[] = {
    "/usr/include/", "/usr/local/include/", "/usr/lib/",     "/include/c++/",
    "/lib/clang/",   "/lib/gcc/",           "/rustc/",       "/lib/rustlib/",
    ".sdk/usr/",     "/VC/Tools/MSVC/",     "/Windows Kits/"};

bool dlopt::isSystemFile(StringRef Path) {
  std::string Plain = sys::path::convert_to_slash(Path);
  return (sys::path::is_absolute(Plain, sys::path::Style::posix) ||
          sys::path::is_absolute(Plain, sys::path::Style::windows)) &&
         any_of(SystemFolders, [&](StringRef Folder) {
           return StringRef(Plain).contains(Folder);
         });
}

/// Where \p At is, with the folder.
static std::string getPath(const DebugLoc &At) {
  if (!At)
    return "";
  const DILocation &Loc = *At;
  SmallString<128> Path(Loc.getFilename());
  if (!sys::path::is_absolute(Path) && !Loc.getDirectory().empty())
    Path = (Loc.getDirectory() + "/" + Loc.getFilename()).str();
  return Path.str().str();
}

/// \p At where it was written, whatever that was inlined into, if that is in a
/// header of the system.
static DebugLoc getIfSystem(const DILocation *At) {
  DebugLoc Own(DILocation::get(At->getContext(), At->getLine(), At->getColumn(),
                               At->getScope()));
  return isSystemFile(getPath(Own)) ? Own : DebugLoc();
}

/// Whether users wrote \p I, or the function that it calls.
static bool isOfUsers(const Instruction &I) {
  if (const DebugLoc &At = I.getDebugLoc();
      At && At.getLine() && !getIfSystem(At))
    return true;
  const auto *C = dyn_cast<CallBase>(&I);
  const Function *F = C ? C->getCalledFunction() : nullptr;
  DISubprogram *SP = F ? F->getSubprogram() : nullptr;
  return SP &&
         !getIfSystem(DILocation::get(SP->getContext(), SP->getLine(), 0, SP));
}

DebugLoc dlopt::getSystemLoc(const Loop &L, const Instruction *Culprit) {
  if (Culprit && isOfUsers(*Culprit))
    return DebugLoc();
  MDNode *Id = L.getLoopID();
  if (!Id)
    return DebugLoc();
  for (const MDOperand &Operand : drop_begin(Id->operands()))
    if (auto *At = dyn_cast<DILocation>(Operand))
      return getIfSystem(At);
  return DebugLoc();
}

/// \p DL, inlined where \p Into is.
static DebugLoc inlineInto(const DebugLoc &DL, const DebugLoc &Into) {
  LLVMContext &C = DL->getContext();
  DenseMap<const MDNode *, MDNode *> Cache;
  return DILocation::get(
      C, DL.getLine(), DL.getCol(), DL.getScope(),
      DebugLoc::appendInlinedAt(DL, Into.get(), C, Cache).get());
}

/// What calls \p F in lines of users, the first of them, as it would be
/// inlined.
static DebugLoc getFirstUse(const Function &F, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 4;
  DebugLoc First;
  if (Depth == MaxDepth)
    return First;
  for (const User *U : F.users()) {
    const auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->getCalledOperand() != &F || !Call->getDebugLoc())
      continue;
    DebugLoc At = Call->getDebugLoc();
    if (isSystemFile(getPath(getUserLoc(At)))) {
      DebugLoc Around = getFirstUse(*Call->getFunction(), Depth + 1);
      if (!Around)
        continue;
      At = inlineInto(At, Around);
    }
    if (!First || getUserLoc(At).getLine() < getUserLoc(First).getLine())
      First = At;
  }
  return First;
}

DebugLoc dlopt::getLocOfUse(const DebugLoc &DL, const Function &F) {
  if (!DL || !isSystemFile(getPath(getUserLoc(DL))))
    return DL;
  DebugLoc Use = getFirstUse(F);
  return Use ? inlineInto(DL, Use) : DL;
}

void dlopt::saySystem(DiagnosticInfoOptimizationBase &R) {
  R << ore::setExtraArgs() << ore::NV("OfSystem", true);
}

void dlopt::emitMissed(OptimizationRemarkEmitter &ORE, const Function &F,
                       const DebugLoc &At,
                       function_ref<OptimizationRemarkMissed()> Make) {
  if (!isSystemFile(getPath(getUserLoc(At))))
    return ORE.emit([&] { return Make(); });
  if (LLVMRemarkStreamer *Files = F.getContext().getLLVMRemarkStreamer()) {
    OptimizationRemarkMissed R = Make();
    Files->emit(R);
  }
}
