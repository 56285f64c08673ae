//===- Strategies.h - Scripts for kernels -----------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A strategy is a script (Transform.h) with holes, a row of Strategies.def.
/// What fills them is found by what the axes of a kernel do, whatever it is
/// called, and by the target. Nothing here is asked whether it is legal: each
/// line of the script is.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_STRATEGIES_H
#define DLOPT_STRATEGIES_H

#include "dlopt/Kernel.h"

namespace dlopt {

struct TargetModel;

/// A script that could have been taken, and the cycles that it takes.
struct ListedScript {
  std::string Title, Script;
  double Cycles = 0;
};

/// A kernel that says how it is run.
struct Strategy {
  llvm::StringRef Name; ///< row of Strategies.def
  std::string Sizes;    ///< of DLOPT_SIZES, if they are not those of the row
  std::string Script;   ///< the lines that were applied
  std::string Others;   ///< a line for each that comes first and was refused
  /// With the parameters and external buffers of the plain kernel; axes and
  /// locals have the names that the script knows.
  std::unique_ptr<Kernel> Scheduled;
  /// LLVM's loops would load what is loaded once for each sum or for each
  /// column of a window, or test each point.
  bool BeatsLoops = false;
  /// It assumes that there are enough points to copy something for.
  bool MayBeFew = false;
  /// It assumes that windows are small enough to copy something for.
  bool MayBeLarge = false;
  /// It gathers elements of windows that move by a number of the run.
  bool IsGathered = false;
  /// Windows are around the blocks, whatever their size.
  bool IsOfDots = false;
  /// Sums over windows, or over channels of them.
  bool IsOfWindows = false;
  /// What it takes (Cost.h), where all sizes are numbers, and those that were
  /// not chosen.
  std::optional<double> Cycles;
  std::vector<ListedScript> List;
  /// How often the innermost leaf runs, in parameters of the plain kernel, and
  /// how often it has to be worth it, if that is another number than others'.
  Poly Rounds;
  std::optional<int64_t> LeastRounds;

  std::string getTitle() const {
    return Name.str() + (Sizes.empty() ? "" : " of " + Sizes);
  }
  /// Whether small windows are no faster where their size is known.
  bool isForAnyWindow() const { return MayBeLarge || IsOfDots; }
};

/// The first strategy of which the script is legal for the plain kernel \p K
/// and wanted by \p Target, or one that is certainly faster; nullopt: there is
/// none. \p IsAsked: somebody asks whether there is one, and takes the first.
std::optional<Strategy> findStrategy(const Kernel &K, const TargetModel &Target,
                                     bool IsAsked = false);

/// The same where what a strategy copies is for too few points (MayBeFew): sums
/// along rows.
std::optional<Strategy> findStrategyOfFew(const Kernel &K,
                                          const TargetModel &Target);

/// The first one that copies nothing.
std::optional<Strategy> findStrategyWithoutCopies(const Kernel &K,
                                                  const TargetModel &Target);

/// All scripts that are legal for \p K: the rows of its shape, and other sizes
/// of them.
std::vector<ListedScript> listStrategies(const Kernel &K,
                                         const TargetModel &Target);

/// The name of a strategy whose script somebody measured.
constexpr llvm::StringLiteral TunedName = "tuned";

/// \p K, of which there are strategies, by the lines of \p Script, which call
/// axes and locals as these do; nullopt, and \p Why, if a line is not legal.
std::optional<Strategy> applyTunedScript(const Kernel &K,
                                         const TargetModel &Target,
                                         llvm::StringRef Script,
                                         std::string &Why);

/// Whether some part of \p N are sums, or maxima, over windows that overlap:
/// there are strategies for such nests.
bool hasWindows(const Kernel &K, const Node &N);

/// Moves parallel loops of a perfect nest outside of the loops of sums around
/// them, if that is legal: what is left inside of them may be a point then.
/// False: \p K is as it was.
bool moveSumsInside(Kernel &K);

/// Makes products that flags let be fused with the one sum that they are in
/// `fmuladd`, as which no pass behind takes the two apart.
void fuseProducts(Kernel &K);

/// Takes leave to add in another order from \p K: a script says which one it
/// is, and nobody behind it has to find a better one.
void fixOrder(Kernel &K);

/// Rounds each product of \p K where it stands: `fmuladd` becomes a
/// multiplication and an addition, and nothing may be fused later.
void separateProducts(Kernel &K);

} // namespace dlopt

#endif // DLOPT_STRATEGIES_H
