//===- Summary.cpp - What became of the loops of source files -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   mlp.c: 5 loops transformed, 2 as fast already, 1 missed (line 52)
///
/// A loop is a place in the source. It may be in several functions, instances
/// of a template say, and counts by the worst of these; but by the best of a
/// function and its copies for some sizes, which are called in its place.
/// Without debug information nobody knows which remarks are on one loop, and
/// functions are counted, each by the best that became of its loops:
///
///   mlp.c: 3 functions transformed, 1 as fast already, 1 missed (fill); lines
///   of code and each loop by -gline-tables-only
///
//===----------------------------------------------------------------------===//
#include "dlopt/Options.h"
#include "dlopt/Remarks.h"
#include "dlopt/Verdicts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Regex.h"
#include <map>
#include <set>

#define DEBUG_TYPE "dl-summary"

using namespace llvm;
using namespace dlopt;

namespace {

/// From the best to the worst.
enum class Fate { Transformed, FastAlready, Missed };

/// By line and column.
using Place = std::pair<unsigned, unsigned>;

/// The loops of a file, and functions whose loops have no place.
class FileSummary {
public:
  void add(const LoopRemark &R);
  /// \p R: a kernel of which nobody says more, joined with another one.
  void addJoined(const LoopRemark &R);
  bool empty() const { return Loops.empty() && Unplaced.empty(); }
  std::string getText() const;

private:
  std::string getTextOfLoops() const;
  std::string getTextOfFunctions() const;

  /// By function.
  std::map<Place, std::map<std::string, Fate>> Loops;
  MapVector<std::string, Fate, std::map<std::string, unsigned>> Unplaced;
};

} // namespace

/// Of the function that copies were made of, for sizes or layouts.
static std::string getOriginal(StringRef Name) {
  const Regex Copy("\\.(sizes|layout)(\\.[0-9]+)?$");
  SmallVector<StringRef, 3> Parts;
  while (Copy.match(Name, &Parts))
    Name = Name.drop_back(Parts.front().size());
  return Name.str();
}

static std::optional<Fate> getFate(const LoopRemark &R) {
  if (R.IsOfSystem)
    return std::nullopt;
  switch (R.K) {
  case LoopRemark::Transformed:
    return Fate::Transformed;
  case LoopRemark::LeftToLLVM:
    return Fate::FastAlready;
  case LoopRemark::Left:
  case LoopRemark::Missed:
    // Who switches it off knows.
    if (R.Reason == getName(Reason::Denied) ||
        R.Reason == getName(Reason::AwaitsLink))
      return std::nullopt;
    return Fate::Missed;
  case LoopRemark::Recognized:
  case LoopRemark::Around:
    return std::nullopt;
  }
  llvm_unreachable("covered switch");
}

void FileSummary::add(const LoopRemark &R) {
  std::optional<Fate> F = getFate(R);
  if (!F)
    return;
  std::string Function = getOriginal(R.Function);
  auto Take = [&](auto &Fates) {
    auto Known = Fates.insert({Function, *F}).first;
    Known->second = std::min(Known->second, *F);
  };
  if (R.hasPlace())
    Take(Loops[{R.Line, R.Column}]);
  else
    Take(Unplaced);
}

void FileSummary::addJoined(const LoopRemark &R) {
  Place P{R.Line, R.Column};
  if (R.hasPlace() && !Loops.count(P))
    Loops[P][getOriginal(R.Function)] = Fate::Transformed;
}

/// "12, 30 and 52"
static std::string list(ArrayRef<std::string> Words) {
  std::string Text = join(Words.drop_back(), ", ");
  return Text + (Text.empty() ? "" : " and ") + Words.back();
}

/// \p Counts: by fate; \p Missed: what is said of those that are missed.
static std::string getText(StringRef What, ArrayRef<unsigned> Counts,
                           const Twine &Missed) {
  return (Twine(Counts[0]) + " " + What + (Counts[0] == 1 ? "" : "s") +
          " transformed, " + Twine(Counts[1]) + " as fast already, " +
          Twine(Counts[2]) + " missed" + Missed)
      .str();
}

std::string FileSummary::getTextOfLoops() const {
  unsigned Counts[3] = {0, 0, 0};
  SmallVector<std::string, 4> Lines;
  for (const auto &[P, Fates] : Loops) {
    Fate Worst = Fate::Transformed;
    for (const auto &[Function, F] : Fates)
      Worst = std::max(Worst, F);
    ++Counts[static_cast<unsigned>(Worst)];
    std::string Line = std::to_string(P.first);
    if (Worst == Fate::Missed && !is_contained(Lines, Line))
      Lines.push_back(Line);
  }
  if (Lines.empty())
    return ::getText("loop", Counts, "");
  return ::getText("loop", Counts,
                   (Lines.size() == 1 ? " (line " : " (lines ") + list(Lines) +
                       ")");
}

std::string FileSummary::getTextOfFunctions() const {
  unsigned Counts[3] = {0, 0, 0};
  SmallVector<std::string, 4> Missed;
  for (const auto &[Function, F] : Unplaced) {
    ++Counts[static_cast<unsigned>(F)];
    if (F == Fate::Missed)
      Missed.push_back(Function);
  }
  return ::getText("function", Counts,
                   Missed.empty() ? "" : " (" + list(Missed) + ")") +
         "; -gline-tables-only counts loops and names lines";
}

std::string FileSummary::getText() const {
  // Code without places may have been linked to other.
  if (Loops.empty() && !Unplaced.empty())
    return getTextOfFunctions();
  return getTextOfLoops() +
         (Unplaced.empty() ? "" : "; " + getTextOfFunctions());
}

std::vector<std::string> dlopt::summarize(const Module &M,
                                          ArrayRef<LoopRemark> Remarks) {
  MapVector<StringRef, FileSummary, std::map<StringRef, unsigned>> Files;
  StringRef Own = M.getSourceFileName();
  std::set<std::tuple<StringRef, unsigned, unsigned>> Recognized;
  for (const LoopRemark &R : Remarks)
    if (R.K == LoopRemark::Recognized)
      Recognized.emplace(R.File, R.Line, R.Column);
  for (const LoopRemark &R : Remarks)
    // What else is transformed is a part of a kernel.
    if (R.K != LoopRemark::Transformed || !R.hasPlace() ||
        Recognized.count({R.File, R.Line, R.Column}))
      Files[R.hasPlace() ? StringRef(R.File) : Own].add(R);
  StringSet<> Transformed;
  for (const LoopRemark &R : Remarks)
    if (R.K == LoopRemark::Transformed)
      Transformed.insert(R.Function);
  for (const LoopRemark &R : Remarks)
    if (R.K == LoopRemark::Recognized && Transformed.contains(R.Function))
      Files[R.hasPlace() ? StringRef(R.File) : Own].addJoined(R);
  Files.remove_if([](const auto &File) {
    return File.second.empty() || isSystemFile(File.first);
  });
  // A file without loops has a line, too, but no header has.
  if (Files.empty())
    Files[Own];
  std::vector<std::string> Lines;
  for (const auto &[Name, S] : Files)
    Lines.push_back((Name + ": " + S.getText()).str());
  return Lines;
}

static bool hasListener(const Module &M) {
  const DiagnosticHandler *H = M.getContext().getDiagHandlerPtr();
  return H && H->isAnalysisRemarkEnabled(DEBUG_TYPE);
}

bool dlopt::wantsSummary(const Module &M) {
  return getGlobalOptions().Summary || hasListener(M);
}

static void report(Module &M, ArrayRef<std::string> Lines) {
  if (getGlobalOptions().Summary) {
    // At once: other compilers may print theirs.
    std::string Text = join(Lines, "\n") + "\n";
    errs() << Text;
  }
  if (!hasListener(M))
    return;
  // A remark needs a function.
  auto F = find_if(M, [](const Function &F) {
    return !F.isDeclaration() && !isGenerated(F);
  });
  if (F == M.end())
    return;
  OptimizationRemarkEmitter ORE(&*F);
  for (const std::string &Line : Lines)
    ORE.emit([&] {
      return analysisRemark(DEBUG_TYPE, "Summary", DebugLoc(),
                            F->getEntryBlock())
             << ore::NV("Summary", Line);
    });
}

void dlopt::reportSummary(Module &M, ArrayRef<LoopRemark> Remarks) {
  report(M, summarize(M, Remarks));
}

void dlopt::reportNoSummary(Module &M, StringRef Level) {
  if (wantsSummary(M))
    report(M, (M.getSourceFileName() + ": no loop is looked at at -" + Level +
               ", as kernels take more code: -O1, -O2 or -O3 does")
                  .str());
}
