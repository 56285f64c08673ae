//===- Guards.h - A fast path beside the original loops ---------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Facts that cannot be proved are tested once per kernel at run time:
///
///   Guard: tests            ; may be several blocks, each of which can leave
///     |        \            ; for Original
///   Fast     Original       ; the loops as they were, marked `dl.original`
///     |        |  loops
///     |       Exit
///      \      /
///        Join               ; phis of the values that are used afterwards
///
/// Tests have no side effects and no undefined behaviour the source does not
/// have: values that the source computes inside the nest are read only behind
/// tests that the enclosing axes run, and every input is frozen.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_GUARDS_H
#define DLOPT_GUARDS_H

#include "dlopt/Raise.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/IR/IRBuilder.h"
#include <map>

namespace llvm {
class AAResults;
class CondBrInst;
class DominatorTree;
class LoopInfo;
} // namespace llvm

namespace dlopt {

struct MathPlan;
struct SelfCheck;

/// Loop metadata (a flag) on loops that stay as the other side of a guard: they
/// are never raised again.
inline constexpr llvm::StringLiteral OriginalLoopTag = "dl.original";
/// Loops over blocks, of each of which kernels are made, and not of several.
inline constexpr llvm::StringLiteral BlockLoopTag = "dl.blocks";
/// Metadata kind on the final branch of a guard.
inline constexpr llvm::StringLiteral GuardTag = "dl.guard";

/// Adds a flag to the metadata of \p L, keeping what is there.
void addLoopFlag(llvm::Loop &L, llvm::StringRef Name);

struct GuardedRegion {
  llvm::BasicBlock *Guard = nullptr;    ///< `br i1 false, Fast, Original`
  llvm::BasicBlock *Enter = nullptr;    ///< where the fast path begins
  llvm::BasicBlock *Fast = nullptr;     ///< empty; goes to Join
  llvm::BasicBlock *Original = nullptr; ///< preheader of the original nest
  llvm::BasicBlock *Join = nullptr;
  /// Phis in Join whose value from Fast must be set, and which
  /// RaisedKernel::LiveOuts they take.
  llvm::SmallVector<std::pair<llvm::PHINode *, unsigned>, 1> Outs;

  /// Sets the value that \p Idx of RaisedKernel::LiveOuts has behind Fast.
  void setLiveOut(unsigned Idx, llvm::Value *V);
};

/// Puts an empty fast path beside the nest of \p RK if its needs can be tested.
/// The dominator tree and the loops are kept up to date; RK.Preheader becomes
/// Original. Where the verdict is not Ok there is no region, but values may
/// have been closed by phis.
///
/// \p Check: what will be added to the region in the end (addSelfCheck).
Verdict openGuard(RaisedKernel &RK, llvm::Function &F,
                  llvm::FunctionAnalysisManager &FAM, GuardedRegion &Region,
                  const SelfCheck &Check);

/// Adds loops that have been built to \p LI, which keeps the others: Loop
/// pointers stay valid. Recalculates \p DT.
void adoptNewLoops(llvm::Function &F, llvm::DominatorTree &DT,
                   llvm::LoopInfo &LI);

/// The elements that are looked at in front of a kernel: a box.
struct ElementScan {
  struct Dim {
    AxisId Ax;
    Poly Stride; ///< in elements
  };
  Poly Start; ///< the first element
  /// One whose elements lie behind each other comes last.
  llvm::SmallVector<Dim, 3> Axes;
};

constexpr unsigned ElementScanDims = 3;

/// The offsets \p P of \p Buf as such; nullopt: they are not, have more than
/// ElementScanDims dimensions, or cannot be compared everywhere.
std::optional<ElementScan> getElementScan(const Kernel &K, BufferId Buf,
                                          const Poly &P);

/// Whether \p Offset has a loaded number in it whose type says too little of
/// its range: what is accessed there may lie anywhere.
bool isIndirect(const Kernel &K, const Poly &Offset);

/// Emits the tests of a guarded region.
///
/// Range tests work on polynomials whose atoms are axes, parameters, and div
/// and mod of such. Parameters and extents that occur are tested to be in
/// [0, 2^29) first (all of them by one compare), so that a term takes its
/// extreme values at the ends of its axes; products that might still overflow
/// are checked. Whatever fails goes to the original loops.
class GuardEmitter {
public:
  GuardEmitter(RaisedKernel &RK, GuardedRegion &Region, llvm::Function &F,
               llvm::FunctionAnalysisManager &FAM);

  /// Where the next test goes. Values that were asked for before stay valid; an
  /// insertion point taken before another value was asked for does not.
  llvm::IRBuilderBase &builder() { return B; }

  /// \name Values for the fast path, frozen and available there. Null: cannot
  /// be computed ahead of the nest.
  /// @{
  llvm::Value *getParam(ParamId P); ///< of the parameter's type
  llvm::Value *getPointer(BufferId Buf);
  llvm::Value *getValue(const Poly &P); ///< i64; \p P uses no axis
  llvm::Value *getExtent(AxisId A);     ///< min of the extents, as i64
  /// @}

  /// \name Tests. False: cannot be tested (nothing is known to be added).
  /// @{
  void addCondition(llvm::Value *V);
  /// \p V (i64) is in [0, 2^29).
  void addSmall(llvm::Value *V);
  /// The bytes that the kernel touches through \p A and \p Bu do not overlap;
  /// no test if alias analysis knows.
  bool addDisjoint(BufferId A, BufferId Bu);
  /// All Needs::Same, which are cheap and rare.
  bool addSame();
  /// No byte that the kernel touches through \p Buf is errno (Need::NoErrno);
  /// no test if the object is known.
  bool addNoErrno(BufferId Buf);
  /// Need::Aligned.
  bool addAligned(BufferId Buf, int64_t Bytes);
  bool addInRange(const Poly &P, int64_t Lo, int64_t Hi);
  /// Need::NonZero. Reads what the kernel reads, if all that was added before
  /// and the kernel's loops let it run.
  bool addNonZero(BufferId Buf, const Poly &P);
  /// The bounds that getLoadBounds() says are needed. Reads as addNonZero()
  /// does.
  bool addLoadInRange(AtomId Load);
  /// All of Kernel::Needs.
  bool addNeeds();
  /// Tests what was added so far, before anything else is computed.
  void startBlock();
  /// The original loops are what runs as a rule: nothing is to be in their way.
  void expectOriginal() { ExpectsOriginal = true; }
  /// A test so far fails whatever the values are.
  bool isKnownToFail() const { return KnownToFail; }
  /// @}

  /// Rebinds the parameters and buffers that were asked for to their values in
  /// the guard (Bound, Depth 0), so that the fast path uses what was tested.
  void bindValues();
  /// Ends the guard: one conditional branch on all that was added, and
  /// bindValues(). Returns false if a test is known to fail: then the fast path
  /// is dead.
  [[nodiscard]] bool finish();
  /// Ends the guard with a branch that always takes the original loops.
  void abandon();

  /// Whether addNeeds() would succeed, found out without changing anything.
  static Verdict checkNeeds(const RaisedKernel &RK, llvm::DominatorTree &DT,
                            llvm::LoopInfo &LI, llvm::AAResults *AA);

private:
  /// Numbers v with 0 <= Lo <= v <= Hi <= Most.
  struct Range {
    llvm::Value *Lo = nullptr, *Hi = nullptr;
    uint64_t Most = 0;
    bool isSingle() const { return Lo == Hi; }
  };
  /// First and last element touched, as signed offsets from the base pointer.
  /// Empty: whether none is; null: one may be.
  struct Hull {
    llvm::Value *First = nullptr, *Last = nullptr, *Empty = nullptr;
  };
  /// The bytes from Start (an address) on, or none (see Hull).
  struct Bytes {
    llvm::Value *Start = nullptr, *Count = nullptr, *Empty = nullptr;
  };

  void addBehind(const Bytes &Later, const Bytes &Earlier);
  bool inRegion(const llvm::BasicBlock *BB) const;
  llvm::Value *materialize(llvm::Value *V);
  bool testEnclosingAxes(const llvm::Instruction &I);
  bool testRuns(AxisId A);
  llvm::SmallVector<llvm::Value *, 9> openBox(BufferId Buf, const Poly &P);
  bool isDefined(const llvm::Value *V, unsigned Depth = 0);
  llvm::Value *freeze(llvm::Value *V);
  llvm::Value *takeCondition();
  void addPositive(llvm::Value *V);
  void addBounded(llvm::Value *V);
  void addNoOverflow(llvm::Value *Flag);
  void setCondition(llvm::CondBrInst &Branch, llvm::Value *Condition) const;
  llvm::Value *emitAtStart(const Poly &P);
  llvm::Value *emitQuotient(AtomId Id);

  std::optional<Range> getRange(AtomId A);
  std::optional<Range> getAxisRange(AtomId A);
  llvm::Value *getEmpty(const Poly &P);
  std::optional<Range> getTermRange(const Monomial &M, int64_t Coef);
  std::optional<Hull> getHull(const Poly &P);
  std::optional<Hull> getClippedHull(const Poly &P);
  std::optional<Hull> getHull(BufferId Buf);
  Hull joinHulls(Hull X, Hull Y);
  std::optional<Bytes> getBytes(BufferId Buf);
  Range limit(Range R);
  Range multiply(const Range &X, const Range &Y);
  Range add(Range X, Range Y);
  bool isDisjoint(BufferId X, BufferId Y) const;

  RaisedKernel &RK;
  Kernel &K;
  GuardedRegion &Region;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::AAResults &AA;
  llvm::IRBuilder<llvm::InstSimplifyFolder> B;

  llvm::SmallVector<llvm::Value *, 8> Conditions;
  llvm::SmallVector<llvm::Value *, 8> Small;     ///< all below 2^29, unsigned
  llvm::SmallVector<llvm::Value *, 8> Bounded;   ///< all below 2^59, unsigned
  llvm::SmallVector<llvm::Value *, 8> Overflows; ///< flags, none is set

  /// \name What has been emitted or tested, and is not again: it holds in all
  /// that comes behind it, as each block of the guard leads to the next only.
  /// @{
  llvm::DenseSet<llvm::Value *> KnownSmall, KnownBounded, KnownPositive,
      KnownConditions;
  llvm::DenseMap<const llvm::Value *, bool> Defined;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Copies;
  llvm::DenseMap<ParamId, llvm::Value *> ParamValues;
  llvm::DenseMap<BufferId, llvm::Value *> Pointers;
  llvm::DenseMap<AtomId, llvm::Value *> Quotients;
  llvm::DenseMap<AtomId, Range> AtomRanges;
  llvm::DenseMap<AtomId, llvm::Value *> EmptyAxes; ///< if they may be
  std::map<std::pair<uint64_t, Monomial>, Range> TermRanges;
  std::map<Poly, Hull> PolyHulls;
  llvm::DenseMap<BufferId, Hull> Hulls;
  llvm::DenseMap<BufferId, Bytes> BytesOf;
  /// @}
  llvm::SmallVector<bool, 8> Runs; ///< by axis: known to run in this block
  unsigned Nesting = 0;            ///< of questions that ask other questions
  bool KnownToFail = false, ExpectsOriginal = false;
  bool HasSame = false; ///< addSame() has been called
};

/// Adds the test that the library of the running program has the bits of a
/// model of each function that \p K computes by models (MathModels.h).
void addLibraryTests(GuardEmitter &E, const Kernel &K, const MathPlan &Plan);

} // namespace dlopt

#endif // DLOPT_GUARDS_H
