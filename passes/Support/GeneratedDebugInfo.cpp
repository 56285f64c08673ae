//===- GeneratedDebugInfo.cpp - What debuggers see of fast paths ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/GeneratedDebugInfo.h"
#include "dlopt/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace dlopt;

/// What says that a function serves more than it is named for.
static constexpr StringLiteral OthersMark = ", and others";
/// The operand of a subprogram that is its name; LLVM has no setter for it.
static constexpr unsigned NameOperand = 2;

/// The unit that the subprogram of \p F is in, if there is debug information
/// for more than remarks.
static DICompileUnit *getUnit(const Function &F) {
  const DISubprogram *SP = F.getSubprogram();
  DICompileUnit *Unit = SP ? SP->getUnit() : nullptr;
  return Unit && Unit->getEmissionKind() != DICompileUnit::NoDebug ? Unit
                                                                   : nullptr;
}

/// "matmul.nt of linear, mlp.c:38"
static std::string getTitle(const SourceSite &Site) {
  const DISubprogram *SP = Site.Served.getSubprogram();
  const DILocation *Loc = getUserLoc(Site.Loc).get();
  StringRef Kind = Site.Kind.split(' ').first;
  StringRef File = Loc ? Loc->getFilename() : SP->getFilename();
  return (Twine(Kind.empty() || Kind == "generic" ? "kernel" : Kind) + " of " +
          SP->getName() + ", " + sys::path::filename(File) + ":" +
          Twine(Loc && Loc->getLine() ? Loc->getLine() : SP->getLine()))
      .str();
}

/// "name (part)"
static std::string getPartName(StringRef Title, StringRef Part) {
  return (Part.empty() ? Title : Title + " (" + Part + ")").str();
}

/// Calls \p Use with the function \p Name of \p M and with all its parts, and
/// what these are called.
static void forEachPart(Module &M, StringRef Name,
                        function_ref<void(Function &F, StringRef Part)> Use) {
  for (Function &F : M) {
    StringRef Part = F.getName();
    if (!F.isDeclaration() && Part.consume_front(Name) &&
        (Part.empty() || Part.consume_front(".")))
      Use(F, Part);
  }
}

namespace {

/// Moves locations of the function that is served into the generated one.
class LocationMap {
public:
  LocationMap(DISubprogram &SP, const SourceSite &Site) : SP(SP) {
    const DILocation *Loc = getUserLoc(Site.Loc).get();
    Default = Loc && Loc->getLine()
                  ? get(Loc->getLine(), Loc->getColumn(), Loc->getFile())
                  : get(SP.getLine(), 0, SP.getFile());
    Default = map(Site.Default.get());
  }

  /// Lines that the source does not have stand for the whole.
  DILocation *map(const DILocation *Loc) {
    if (!Loc || !Loc->getLine())
      return Default;
    DILocation *At = Loc->getInlinedAt();
    if (!At)
      return get(Loc->getLine(), Loc->getColumn(), Loc->getFile());
    DILocation *Caller = Callers.lookup(At);
    if (!Caller) {
      // Frames around this one enter the map, too.
      const DILocation *Own = map(At);
      // What was inlined at one place is one frame, and not that of another.
      Caller = DILocation::getDistinct(SP.getContext(), Own->getLine(),
                                       Own->getColumn(), Own->getScope(),
                                       Own->getInlinedAt());
      Callers[At] = Caller;
    }
    return DILocation::get(SP.getContext(), Loc->getLine(), Loc->getColumn(),
                           Loc->getScope(), Caller);
  }

private:
  /// Blocks of the function that is served are none of this one.
  DILocation *get(unsigned Line, unsigned Column, DIFile *File) {
    LLVMContext &C = SP.getContext();
    DILocalScope *Scope = &SP;
    if (File && File != SP.getFile())
      Scope = DILexicalBlockFile::get(C, &SP, File, /*Discriminator=*/0);
    return DILocation::get(C, Line, Column, Scope);
  }

  DISubprogram &SP;
  DILocation *Default;
  DenseMap<DILocation *, DILocation *> Callers;
};

} // namespace

/// Variables of the source have no place here that would be theirs: debuggers
/// say so where they know the name. What blocks declare is left out.
static void addVariables(DIBuilder &Builder, DISubprogram &SP,
                         const DISubprogram &Served) {
  for (const MDNode *N : Served.getRetainedNodes()) {
    const auto *V = dyn_cast<DILocalVariable>(N);
    if (V && V->getScope() == &Served && !V->getName().empty())
      Builder.createAutoVariable(&SP, V->getName(), V->getFile(), V->getLine(),
                                 V->getType(), /*AlwaysPreserve=*/true,
                                 DINode::FlagArtificial);
  }
}

static DISubprogram *createSubprogram(Module &M, StringRef Name,
                                      const SourceSite &Site,
                                      DICompileUnit &Unit) {
  const DISubprogram &Served = *Site.Served.getSubprogram();
  const DILocation *Loc = getUserLoc(Site.Loc).get();
  DIFile *File = Loc ? Loc->getFile() : Served.getFile();
  unsigned Line = Loc ? Loc->getLine() : Served.getLine();
  DIBuilder Builder(M, /*AllowUnresolved=*/false, &Unit);
  DISubprogram *SP = Builder.createFunction(
      File, Name, /*LinkageName=*/"", File, Line,
      Builder.createSubroutineType(Builder.getOrCreateTypeArray({})), Line,
      DINode::FlagArtificial,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit |
          DISubprogram::SPFlagOptimized);
  if (Unit.getEmissionKind() == DICompileUnit::FullDebug)
    addVariables(Builder, *SP, Served);
  Builder.finalizeSubprogram(SP);
  return SP;
}

void dlopt::addDebugInfo(StringRef Name, const SourceSite &Site) {
  Module &M = *const_cast<Module *>(Site.Served.getParent());
  DICompileUnit *Unit = getUnit(Site.Served);
  forEachPart(M, Name, [&](Function &F, StringRef Part) {
    if (!Unit) {
      stripDebugInfo(F);
      return;
    }
    F.setSubprogram(
        createSubprogram(M, getPartName(getTitle(Site), Part), Site, *Unit));
    LocationMap Map(*F.getSubprogram(), Site);
    for (Instruction &I : instructions(F)) {
      I.setDebugLoc(Map.map(I.getDebugLoc().get()));
      updateLoopMetadataDebugLocations(I, [&](Metadata *MD) -> Metadata * {
        if (const auto *Loc = dyn_cast_or_null<DILocation>(MD))
          return Map.map(Loc);
        return MD;
      });
    }
  });
}

/// \p F and its parts, if they are not called \p Title, are said to serve
/// others, too.
static void addTitle(const Function &F, StringRef Title) {
  StringRef Old = F.getSubprogram()->getName();
  if (Old == Title || Old.ends_with(OthersMark))
    return;
  std::string New = (Old + OthersMark).str();
  forEachPart(*const_cast<Module *>(F.getParent()), F.getName(),
              [&](Function &Own, StringRef Part) {
                if (DISubprogram *SP = Own.getSubprogram())
                  SP->replaceOperandWith(
                      NameOperand,
                      MDString::get(F.getContext(), getPartName(New, Part)));
              });
}

void dlopt::addSite(const Function &F, const SourceSite &Site) {
  if (getUnit(Site.Served) && F.getSubprogram())
    addTitle(F, getTitle(Site));
}

void dlopt::addSite(const Function &F, const Function &Other) {
  if (F.getSubprogram() && Other.getSubprogram())
    addTitle(F, Other.getSubprogram()->getName());
}

DebugLoc dlopt::getCallLoc(const Function &F, const DebugLoc &Loc) {
  DISubprogram *SP = F.getSubprogram();
  return Loc || !SP ? Loc : DebugLoc(DILocation::get(F.getContext(), 0, 0, SP));
}
