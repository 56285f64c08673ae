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

/// A loop of the source; where places are not known, each remark is on another
/// one, or each number of a kernel.
struct Place {
  unsigned Line = 0, Column = 0, Number = 0;
  std::string Function;
  auto key() const { return std::tie(Line, Column, Number, Function); }
  bool operator<(const Place &Other) const { return key() < Other.key(); }
};

/// The loops of a file.
class FileSummary {
public:
  void add(const LoopRemark &R);
  /// \p R: a kernel of which nobody says more, joined with another one.
  void addJoined(const LoopRemark &R);
  bool empty() const { return Loops.empty(); }
  std::string getText() const;

private:
  /// By function.
  std::map<Place, std::map<std::string, Fate>> Loops;
  unsigned Unplaced = 1u << 31; ///< behind all numbers of kernels
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
  // Without a place nobody knows what is said of one loop twice.
  if (!F || (!R.hasPlace() && *F == Fate::Transformed && !R.Number))
    return;
  Place P;
  if (R.hasPlace()) {
    P.Line = R.Line;
    P.Column = R.Column;
  } else {
    P.Function = R.Function;
    P.Number = *F == Fate::Transformed ? R.Number : ++Unplaced;
  }
  auto [Known, IsNew] = Loops[P].try_emplace(getOriginal(R.Function), *F);
  Known->second = std::min(Known->second, *F);
}

void FileSummary::addJoined(const LoopRemark &R) {
  Place P{R.Line, R.Column, 0, ""};
  if (R.hasPlace() && !Loops.count(P))
    Loops[P][getOriginal(R.Function)] = Fate::Transformed;
}

/// "12, 30 and 52"
static std::string listLines(ArrayRef<std::string> Lines) {
  std::string Text = join(Lines.drop_back(), ", ");
  return Text + (Text.empty() ? "" : " and ") + Lines.back();
}

std::string FileSummary::getText() const {
  unsigned Counts[3] = {0, 0, 0};
  SmallVector<std::string, 4> Lines;
  SmallVector<std::string, 4> Functions;
  for (const auto &[P, Fates] : Loops) {
    Fate Worst = Fate::Transformed;
    for (const auto &[Function, F] : Fates)
      Worst = std::max(Worst, F);
    ++Counts[static_cast<unsigned>(Worst)];
    if (Worst != Fate::Missed)
      continue;
    std::string Line = std::to_string(P.Line);
    if (P.Line && !is_contained(Lines, Line))
      Lines.push_back(Line);
    if (!P.Line && !is_contained(Functions, P.Function))
      Functions.push_back(P.Function);
  }
  std::string Text = std::to_string(Counts[0]) +
                     (Counts[0] == 1 ? " loop" : " loops") + " transformed, " +
                     std::to_string(Counts[1]) + " as fast already, " +
                     std::to_string(Counts[2]) + " missed";
  if (!Lines.empty())
    Text +=
        (Lines.size() == 1 ? " (line " : " (lines ") + listLines(Lines) + ")";
  else if (!Functions.empty())
    Text += " (in " + listLines(Functions) + ")";
  return Text;
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
