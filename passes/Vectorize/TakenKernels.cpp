//===- TakenKernels.cpp - What is said of transformed kernels -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TakenKernels.h"
#include "dlopt/InlinedLoops.h"
#include "dlopt/Kernel.h"
#include "dlopt/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

#define DEBUG_TYPE "dl-vectorize"

using namespace llvm;
using namespace dlopt;

bool dlopt::testsOverlap(const Kernel &K, AAResults &AA) {
  auto IsApart = [&](BufferId X, BufferId Y) {
    const Value *PX = K.Buffers[X].Bound, *PY = K.Buffers[Y].Bound;
    // What has no pointer was made by passes.
    return !PX || !PY ||
           AA.isNoAlias(MemoryLocation::getBeforeOrAfter(PX),
                        MemoryLocation::getBeforeOrAfter(PY));
  };
  return any_of(K.Needs, [&](const Need &N) {
    return N.K == Need::Disjoint && !all_of(N.Others, [&](BufferId Other) {
             return IsApart(N.Buf, Other);
           });
  });
}

/// Whether somebody wants to hear what is added.
static bool isHeard(const Function &F) {
  return any_of(ArrayRef<const char *>{DEBUG_TYPE, "dl-schedule", "dl-scripts"},
                [&](const char *Pass) {
                  return OptimizationRemarkEmitter::allowExtraAnalysis(F, Pass);
                });
}

/// What \p Say appends.
static auto
getArguments(const Function &F, const char *Pass,
             function_ref<void(DiagnosticInfoOptimizationBase &)> Say) {
  OptimizationRemark R = passedRemark(Pass, "", DebugLoc(), F.getEntryBlock());
  Say(R);
  SmallVector<DiagnosticInfoOptimizationBase::Argument, 12> Args;
  append_range(Args, R.getArgs());
  return Args;
}

void TakenKernels::add(
    const Function &F, const char *Tag, const DebugLoc &Loc, unsigned Number,
    bool TestsOverlap,
    function_ref<void(DiagnosticInfoOptimizationBase &)> Say) {
  if (!isHeard(F))
    return;
  Entry E{Tag, Loc, Number, TestsOverlap, getArguments(F, DEBUG_TYPE, Say), {}};
  // Nobody knows what has no place to be of the same loop.
  auto Same = find_if(
      Groups, [&](const Group &G) { return Loc && G.front().Loc == Loc; });
  Last = Same != Groups.end() ? &*Same : &Groups.emplace_back();
  Last->push_back(std::move(E));
}

void TakenKernels::addScript(
    const Function &F, const char *Pass,
    function_ref<void(DiagnosticInfoOptimizationBase &)> Say) {
  if (Last && OptimizationRemarkEmitter::allowExtraAnalysis(F, Pass))
    Last->back().Scripts.emplace_back(Pass, getArguments(F, Pass, Say));
}

bool TakenKernels::saySame(const Group &A, const Group &B) {
  const Entry &X = A.front(), &Y = B.front();
  return X.Loc && Y.Loc && getUserLoc(X.Loc) == getUserLoc(Y.Loc) &&
         X.Loc->getScope()->getSubprogram() ==
             Y.Loc->getScope()->getSubprogram() &&
         X.Loc.getLine() == Y.Loc.getLine() &&
         equal(X.Args, Y.Args, [](const auto &P, const auto &Q) {
           return P.Key == Q.Key && P.Val == Q.Val;
         });
}

/// Joins loops that are said to be the same at the same place: a function that
/// is inlined there more than once.
void TakenKernels::joinEqual() {
  std::vector<Group> Joined;
  for (Group &G : Groups) {
    auto Same =
        find_if(Joined, [&](const Group &Old) { return saySame(Old, G); });
    if (Same != Joined.end())
      Same->insert(Same->end(), std::make_move_iterator(G.begin()),
                   std::make_move_iterator(G.end()));
    else
      Joined.push_back(std::move(G));
  }
  Groups = std::move(Joined);
}

/// "3", "3 and 4", "1, 2 and 5 to 8", for \p Numbers in order.
static std::string spellNumbers(ArrayRef<unsigned> Numbers) {
  SmallVector<std::string, 4> Runs;
  for (size_t I = 0, End; I != Numbers.size(); I = End) {
    for (End = I + 1;
         End != Numbers.size() && Numbers[End] == Numbers[End - 1] + 1;)
      ++End;
    // Two in a row are two.
    if (End - I == 2)
      --End;
    Runs.push_back(std::to_string(Numbers[I]));
    if (End - I > 1)
      Runs.back() += " to " + std::to_string(Numbers[End - 1]);
  }
  std::string Text;
  for (size_t I = 0; I != Runs.size(); ++I)
    Text += (I == 0 ? "" : I + 1 == Runs.size() ? " and " : ", ") + Runs[I];
  return Text;
}

/// How far what is computed may be from what the source says, from not at all
/// on.
static unsigned getLicense(StringRef Tier) {
  static constexpr StringLiteral Tiers[] = {"exact", "correct", "approximated",
                                            "reassociated"};
  // More may follow.
  Tier = Tier.split(',').first;
  return find(Tiers, Tier) - std::begin(Tiers);
}

/// A whole is as exact as the least exact of its parts.
void TakenKernels::setTier(Group &G) {
  auto GetTier = [](Entry &E) {
    return find_if(E.Args, [](const auto &A) { return A.Key == "Tier"; });
  };
  auto Whole = GetTier(G.front());
  if (Whole == G.front().Args.end())
    return;
  for (Entry &E : drop_begin(G))
    if (auto Part = GetTier(E);
        Part != E.Args.end() && getLicense(Part->Val) > getLicense(Whole->Val))
      Whole->Val = Part->Val;
}

/// What becomes of arrays that overlap, behind all that is said of \p G.
StringRef TakenKernels::describeOverlap(const Group &G) {
  if (none_of(G, [](const Entry &E) { return E.TestsOverlap; }))
    return "";
  bool HasInPlace = any_of(G, [](const Entry &E) {
    return any_of(E.Args, [](const auto &A) { return A.Key == "InPlace"; });
  });
  return HasInPlace ? "; where arrays overlap in part, it runs as it was"
                    : "; where arrays overlap, it runs as it was";
}

void TakenKernels::emitScripts(const Entry &E, const Function &F,
                               OptimizationRemarkEmitter &ORE) {
  for (const auto &[Pass, Args] : E.Scripts)
    ORE.emit([&, Pass = Pass, &Args = Args] {
      auto R = analysisRemark(Pass, "Script", E.Loc, F.getEntryBlock());
      for (const auto &A : Args)
        R.insert(A);
      return R;
    });
}

void TakenKernels::emit(const Function &F, OptimizationRemarkEmitter &ORE) {
  joinEqual();
  for (Group &G : Groups) {
    setTier(G);
    auto Say = [](auto R, const Entry &E, ArrayRef<unsigned> Numbers) {
      for (const auto &A : E.Args)
        R.insert(A);
      // For tools that is the first; people see all.
      std::string First = std::to_string(Numbers.front());
      R << (Numbers.size() == 1 ? "kernel number " : "kernel numbers ")
        << ore::NV("Number", First);
      if (Numbers.size() > 1)
        R << spellNumbers(Numbers).substr(First.size());
      sayInlined(R, E.Loc);
      return R;
    };
    SmallVector<unsigned, 4> Numbers;
    for (const Entry &E : G)
      Numbers.push_back(E.Number);
    llvm::sort(Numbers);
    Numbers.erase(llvm::unique(Numbers), Numbers.end());
    const BasicBlock &Entry = F.getEntryBlock();
    const auto &Whole = G.front();
    ORE.emit([&] {
      return Say(passedRemark(DEBUG_TYPE, Whole.Tag, Whole.Loc, Entry), Whole,
                 Numbers)
             << describeOverlap(G);
    });
    emitScripts(Whole, F, ORE);
    for (const auto &E : drop_begin(G)) {
      ORE.emit([&] {
        return Say(analysisRemark(DEBUG_TYPE, E.Tag, E.Loc, Entry), E,
                   E.Number);
      });
      emitScripts(E, F, ORE);
    }
  }
  Groups.clear();
  Last = nullptr;
}
