//===- Options.h - The one options structure --------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Options, filled in this order, later ones winning: the environment variable
/// DLOPT_OPTIONS ("stack=64k;deny=FILE"), -mllvm -dl-..., function attributes
/// ("dl-..."="..."), pass parameters.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_OPTIONS_H
#define DLOPT_OPTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace dlopt {

class ContractFile;
class TunedKernels;

/// What `disable=` switches off beside passes.
enum class Transformation : uint8_t {
#define DLOPT_TRANSFORMATION(ID, NAME, MEANING) ID,
#include "dlopt/Transformations.def"
};
/// Its name in options.
llvm::StringRef getName(Transformation T);

enum class DispatchMode { Off, On, FMA };
/// What programs do where generated code would run. Abort, Report: the original
/// loops, too, and compare (SelfCheck.h); with Report they go on after a
/// difference. Count: how often each side runs, and how long.
enum class CheckMode : uint8_t { Off, Abort, Report, Count };
/// The largest error of a math function over all inputs, in units in the last
/// place of the exact result (docs/math.md).
/// Machine: as the machine's own approximations are, where it has any.
/// Correct: the number next to the exact result, whatever flags permit (of
/// float, CorrectMath.h).
enum class MathAccuracy : uint8_t { Correct, OneULP, TwoULP, FourULP, Machine };

/// What is said of the C library that programs meet.
struct MathLibrary {
  /// Its math functions may be any.
  bool IsUnknown = false;
  /// glibc 2.Release; 0: programs find out what it is.
  unsigned Release = 0;
};

struct Options {
  /// enable=0|1: the whole plugin.
  bool Enable = true;
  /// fp=exact|fast (docs/architecture.md).
  bool FastFP = false;
  /// fma=exact|free: free: a product and a sum that the language permits to be
  /// fused (llvm.fmuladd) may be computed by two instructions where that takes
  /// less time, though LLVM fuses them for this target.
  bool FreeFMA = false;
  /// math=correct|1ulp|2ulp|4ulp|machine: where math functions may be
  /// approximated, how well they have to be. Unset: machine on GPUs, else 1ulp.
  std::optional<MathAccuracy> Math;
  /// libm=unknown|glibc-2.N: whose functions are called where they must have
  /// the library's bits. Unset: programs find out.
  MathLibrary Library;
  /// stack=N[k|m]: bytes of stack a generated function may use; unset: by
  /// target (256k Linux/glibc, 64k Darwin and Windows, 16k musl and others).
  std::optional<uint64_t> Stack;
  /// tile=RxV: register tile rows by vectors (0: by target).
  unsigned TileRows = 0, TileVectors = 0;
  /// pack=0|1.
  bool Pack = true;
  /// block=KxN: the most steps and columns of a block of a product that is
  /// copied (0: by target).
  unsigned BlockSteps = 0, BlockColumns = 0;
  /// in-place=N[k|m]: bytes of the right side of a product up to which it is
  /// read where it is. Unset: by target.
  std::optional<uint64_t> InPlaceBytes;
  /// dispatch=0|1|fma: code for wider vectors than the function may use, behind
  /// a test of the CPU at run time; with fma it may also fuse what the function
  /// itself cannot. Unset: by level.
  std::optional<DispatchMode> Dispatch;
  /// Not an option: part of a default pipeline that may grow code. It decides
  /// where Dispatch is unset.
  bool DispatchIfHosted = false;
  /// scalable=0|1: vectors of the machine's length, where there are any. Unset:
  /// where the target prefers them.
  std::optional<bool> Scalable;
  /// check=0|1|report|count|ABS:REL: programs check or count their kernels.
  CheckMode Check = CheckMode::Off;
  /// The bounds of check=ABS:REL, for results that need not have the same bits.
  std::optional<std::pair<double, double>> Tolerance;
  /// limit=N (also DLOPT_LIMIT): transform only the first N kernels of a
  /// module; they are numbered in remarks.
  std::optional<unsigned> Limit;
  /// deny=FILE: special case list with src: and fun: entries (llvm's
  /// SpecialCaseList) of files and functions to leave alone.
  std::string DenyFile;
  /// tuned=FILE: kernels of which it is known what is fastest on some CPU, and
  /// what that is (TunedKernels.h); null: there is no such file.
  std::string TunedFile;
  std::shared_ptr<const TunedKernels> Tuned;
  /// contracts=FILE: which kernels functions are to keep (Contracts.h); null:
  /// there is no such file.
  std::string ContractsFile;
  std::shared_ptr<const ContractFile> Contracts;
  /// summary=0|1: a line for each source file says what became of its loops.
  bool Summary = false;
  /// Not an option: what a contract requires of a function, kinds.
  std::vector<std::string> Required;
  /// budget=N: instructions a light-form clone may grow to.
  unsigned Budget = 20000;
  /// disable=PASS[,PASS]: passes (or transformations in them) that do nothing.
  std::vector<std::string> Disable;

  /// Of a pass or a transformation.
  bool isDisabled(llvm::StringRef Name) const;
  /// Whether the pass \p Name may work: enabled and not disabled.
  bool runs(llvm::StringRef Name) const { return Enable && !isDisabled(Name); }
  bool runs(Transformation T) const { return runs(getName(T)); }
  void disable(Transformation T) { Disable.push_back(getName(T).str()); }
  /// Applies "key=value;key;no-key;..."; the error names the key and lists what
  /// is accepted.
  llvm::Error apply(llvm::StringRef Text);
};

/// Environment and command line, read once; disabled if a value is bad.
const Options &getGlobalOptions();
/// What is wrong with the environment or the command line, in one line; empty
/// if nothing is.
llvm::StringRef getGlobalOptionsError();
/// Global options overridden by the attributes of \p F; not enabled for
/// functions on the deny list and for those that are marked as processed. A bad
/// attribute is an error through the context's diagnostic handler.
/// \p EvenIfProcessed: of a function for what becomes part of another one.
Options getOptions(const llvm::Function &F, bool EvenIfProcessed = false);
/// Reports bad options, global ones and those of functions, through the
/// context's diagnostic handler, each once: attributes that are bad are dropped
/// and their functions disabled. True if there were any.
bool reportBadOptions(llvm::Module &M);

/// Makes attributes of what annotations in the source say of functions,
/// `dl:NAME=VALUE`. True if there were any.
bool applyAnnotations(llvm::Module &M);

/// Marks \p F as done with: no pass of this plugin will look at it again.
void markProcessed(llvm::Function &F);
bool isProcessed(const llvm::Function &F);

/// Whether a pass of this plugin has made \p F.
bool isGenerated(const llvm::Function &F);

/// Bytes of stack generated code for \p F may use (Options::Stack or by the
/// target's C library).
uint64_t getStackLimit(const llvm::Function &F, const Options &O);

} // namespace dlopt

#endif // DLOPT_OPTIONS_H
