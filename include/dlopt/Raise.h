//===- Raise.h - Light form to kernels --------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The only code that reads loops. Changes nothing.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_H
#define DLOPT_RAISE_H

#include "dlopt/KernelEdit.h"
#include "dlopt/Remarks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class TargetLibraryInfo;
} // namespace llvm

namespace dlopt {

/// A kernel and the loop nest it was raised from (Kernel's "IR:" fields are
/// set). The nest has a preheader, and an exit block of its own behind Exiting;
/// no value computed in it is used behind that but those in LiveOuts. Other
/// branches out of the nest are never taken where Kernel::Needs hold.
struct RaisedKernel {
  std::unique_ptr<Kernel> K;
  llvm::Loop *Nest = nullptr;
  llvm::BasicBlock *Preheader = nullptr;
  llvm::BasicBlock *Exiting = nullptr;
  llvm::BasicBlock *Exit = nullptr;
  /// Preheaders inside the nest behind conditions that hold where their loops
  /// have a round.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> Implied;
  /// Loops that are a part of their axis: it may have rounds in which they have
  /// none.
  llvm::SmallPtrSet<const llvm::Loop *, 4> Clamped;
  /// Values used after the nest (through LCSSA phis in Exit): final value of a
  /// state (Local) or a polynomial (IndexValue, of the value's own type).
  struct LiveOut {
    llvm::Value *V = nullptr; ///< the value inside the nest
    std::optional<BufferId> Local;
    Poly IndexValue;
  };
  llvm::SmallVector<LiveOut, 1> LiveOuts;
  /// What takes the place of the nest leaves reads at loaded indices where they
  /// are, before and behind the same stores: guards need not tell these apart.
  bool KeepsOrder = false;
  /// Places in an array that are computed in front of the nest, gamma = p + n.
  enum class Parts : uint8_t {
    None,
    Joined, ///< are elements of that array
    Apart   ///< are arrays of their own
  } Parts = Parts::None;
};

/// One source loop nest that was not raised: the innermost reason.
struct MissedNest {
  llvm::Loop *L = nullptr;
  Verdict Why;
};

struct RaiseResult {
  std::vector<RaisedKernel> Kernels;
  std::vector<MissedNest> Missed;
};

/// Loop metadata (a flag) on a loop of one round around loops that are one
/// kernel: its children are the kernel's.
inline constexpr llvm::StringLiteral RoundTag = "dl.round";

/// Metadata (a flag) on a right shift in front of loops that a kernel became,
/// and on what it is of: where these are raised it is a quotient as before.
inline constexpr llvm::StringLiteral QuotientTag = "dl.quotient";

/// Whether \p L is such a loop.
bool isRound(const llvm::Loop &L);

/// Function-level refusals (attributes, instrumentation, control flow).
Verdict checkFunction(const llvm::Function &F);

/// Raises every outermost nest of \p F that can be raised; where an outer loop
/// cannot, its inner nests are tried. \p F should be in light form. \p
/// OnlyCopies: also nests that set and copy blocks of elements of which only
/// the rest of the function says what they are.
RaiseResult raiseFunction(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                          bool OnlyCopies = false);

/// Two pointers that nests may be called with as one: Buffer::Bound of what is
/// written and of what is only read.
struct PointerPair {
  llvm::Value *Output = nullptr, *Input = nullptr;
};

/// Raises the nest of \p L alone, with the indices of loops around it as
/// parameters; nullopt if it cannot be raised. With \p Same, as if every access
/// through its input were one through its output, which is what the kernel then
/// needs (Need::Same). With \p PartsApart, all parts of arrays are arrays of
/// their own, which else they are where loops would carry something through
/// one.
std::optional<RaisedKernel> raiseNest(llvm::Loop &L, llvm::Function &F,
                                      llvm::FunctionAnalysisManager &FAM,
                                      const PointerPair *Same = nullptr,
                                      bool PartsApart = false);

enum class Distribution : uint8_t {
  ByTarget, ///< what writes one buffer stays in one loop
  Full      ///< as far as dependences allow
};

/// Gives axes of their own to the quotients and remainders of indices, where
/// offsets become linear in the innermost axes by that. May add needs. False:
/// \p K is as it was, or of no use any more.
bool splitQuotients(Kernel &K);

/// The same for parallel axes around loops, such as output channels that find
/// their group by division. \p KeepsBuffers: buffers stay where they are, and
/// groups are a dimension of what is read.
bool splitGroups(Kernel &K, bool KeepsBuffers = false);

/// Makes a nest that adds to elements of windows that overlap, such as a
/// transposed convolution, nests over these elements, with all that is added to
/// one in its innermost loops. May add needs. False: \p K is as it was, or of
/// no use any more.
bool gatherUpdates(Kernel &K);

/// Whether it may have to do with a nest in \p K: an element whose row or
/// column is a sum of axes is updated.
bool hasScatteredUpdates(const Kernel &K);

/// Lets numbers that are loaded, and are all that a row is entered by, be
/// places in the row, which becomes a need. False if there are none.
bool assumePlacesInRows(Kernel &K);

/// Lets the strides of neighbours that are arguments be 1, which becomes a
/// need. False if there are none.
bool assumeUnitStrides(Kernel &K);

/// Lets windows that are tested against borders move by \p Step elements, and
/// be of neighbours, where numbers of the nest say how far, which become needs.
/// False if there are none.
bool assumeWindowSteps(Kernel &K, int64_t Step);

/// The same for windows that move by any number of elements: they are of
/// neighbours.
bool assumeNeighbours(Kernel &K);

/// Lets windows of two axes whose sizes are numbers of the nest be \p Size
/// elements high and wide, and have no border if that is 1, which become needs.
/// False if there are none.
bool assumeWindowSizes(Kernel &K, int64_t Size);

/// Whether there are any of either, or numbers of anything else around windows.
bool hasWindowNumbers(const Kernel &K);

/// Whether \p K has such needs.
bool assumesUnitStrides(const Kernel &K);

/// Rounds of the innermost loop, if \p K is one nest of loops with one bound
/// each, and nothing between them.
std::optional<Poly> countPoints(const Kernel &K);

/// Gives loops of their own to what the loops of the root's child \p Child do,
/// in an order that keeps every dependence; the parts take the child's place.
/// False if it stays as it is. Assumes Kernel::Needs, and may add some. The \p
/// Kept outermost axes stay around all.
bool distribute(Kernel &K, unsigned Child, Distribution How, size_t Kept = 0);

/// Rounds that calls and what is carried from round to round are separated for.
constexpr int64_t CallBlock = 16;

/// Makes blocks of CallBlock rounds of loops that call functions and carry
/// something, in which all calls come first. \p IsCall: of an operation. False:
/// there are none.
bool separateCalls(Kernel &K, llvm::function_ref<bool(const Op &)> IsCall);

/// Forgets axes and locals that have no node any more. False if something still
/// speaks of one.
bool compact(Kernel &K);

/// Whether a need speaks of an axis that has no node any more.
bool needsLostAxes(const Kernel &K);

/// Finds rows and columns anew in the offset of \p X.
void delinearizeAnew(const Kernel &K, Access &X);

/// Makes the axis of \p N, of all below it and of the needs the axis \p To.
/// False if an index cannot be written so.
bool replaceAxis(Kernel &K, Node &N, AxisId To);

/// `#pragma clang loop vectorize(disable)`, which clang writes as a width of 1.
bool isSwitchedOff(const llvm::Loop &L);

/// \p V without conversions of integers and addresses, and what LLVM adds: for
/// people and tools, to whom a number is what it was made of.
const llvm::Value *stripConversions(const llvm::Value *V);

/// Whether \p V is new memory: an alloca or what an allocation returns.
/// Functions of the C library may have no attributes yet that say so.
bool isNewObject(const llvm::Value &V, const llvm::TargetLibraryInfo &TLI);

/// The buffers of which nothing outside the nest reads what the nest writes.
llvm::SmallVector<BufferId, 4>
findPrivateBuffers(const RaisedKernel &RK, const llvm::TargetLibraryInfo &TLI);

/// Says in \p K, which is that of \p RK, how large they are, where it is known.
void findPrivateSizes(Kernel &K, const RaisedKernel &RK,
                      const llvm::TargetLibraryInfo &TLI);

/// Gives all operations the flags that fp=fast stands for (reassoc, nsz, arcp,
/// contract, afn), and drops errno; with \p Which, those that it picks.
void assumeFastFP(Kernel &K,
                  llvm::function_ref<bool(const Op &)> Which = nullptr);

/// Sets Kernel::Kind from Kinds.def and roles of axes.
void classifyKernel(Kernel &K);

} // namespace dlopt

#endif // DLOPT_RAISE_H
